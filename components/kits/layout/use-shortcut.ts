'use client'

import { useEffect, useEffectEvent } from 'react'
import { usePreferences } from './preferences-context'

const typing = 'input, textarea, select, [contenteditable=""], [contenteditable="true"]'

/**
 * Runs `onPress` when one of `keys` (as in `KeyboardEvent.key`) is pressed alone: not while typing, not with a modifier, not when the person has
 * switched single keys off (WCAG 2.1.4), and only while `active`.
 */
export function useShortcut(keys: string | readonly string[], onPress: (event: KeyboardEvent) => void, active = true) {
  const { preferences } = usePreferences()
  const press = useEffectEvent((event: KeyboardEvent) => {
    const known = typeof keys === 'string' ? [keys] : keys
    if (known.includes(event.key)) onPress(event)
  })
  const on = active && preferences.shortcuts
  useEffect(() => {
    if (!on) return
    const listen = (event: KeyboardEvent) => {
      const elsewhere = event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented
      if (elsewhere || (event.target instanceof Element && event.target.closest(typing))) return
      press(event)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [on])
}

'use client'

import { useEffect, useEffectEvent } from 'react'
import { usePreferences } from './preferences-context'
import { listShortcut, type ShortcutWords } from './shortcut-list'

const typing = 'input, textarea, select, [contenteditable=""], [contenteditable="true"]'

/** Whether a key press is not meant for single keys: typed into a field, with a modifier, already taken, or under an open dialog. */
export function isElsewhere(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return true
  if (event.target instanceof Element && event.target.closest(typing)) return true
  return document.querySelector('dialog[open]') !== null
}

/**
 * Runs `onPress` when one of `keys` (as in `KeyboardEvent.key`) is pressed alone: not while typing, not with a modifier, not under a dialog, not
 * when the person has switched single keys off (WCAG 2.1.4), and only while `active`. With `words` the sheet behind `?` lists the keys meanwhile.
 */
export function useShortcut(
  keys: string | readonly string[],
  onPress: (event: KeyboardEvent) => void,
  active = true,
  words?: ShortcutWords,
) {
  const { preferences } = usePreferences()
  const press = useEffectEvent((event: KeyboardEvent) => {
    const known = typeof keys === 'string' ? [keys] : keys
    if (known.includes(event.key)) onPress(event)
  })
  const on = active && preferences.shortcuts
  useEffect(() => {
    if (!on) return
    const listen = (event: KeyboardEvent) => {
      if (!isElsewhere(event)) press(event)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [on])
  // Words are written anew with each render; only what they say makes them others.
  const said = words && JSON.stringify(words)
  useEffect(() => {
    if (on && said) return listShortcut(JSON.parse(said) as ShortcutWords)
  }, [on, said])
}

'use client'

import { useEffect } from 'react'
import { createStore } from '@/lib/client/store'
import { usePreferences } from './preferences-context'
import { useWindowEvent } from './use-window-event'

export type ShortcutLabels = { group: string; keys: Readonly<Record<string, string>> }

export const activeShortcuts = createStore<readonly ShortcutLabels[]>([])

/** Adds shortcuts to the help sheet. Returns the function that removes them. */
function registerShortcut(labels: ShortcutLabels): () => void {
  activeShortcuts.set([...activeShortcuts.read(), labels])
  return () => activeShortcuts.set(activeShortcuts.read().filter((each) => each !== labels))
}

const textFieldSelector = 'input, textarea, select, [contenteditable=""], [contenteditable="true"]'

export const isInTextField = (target: EventTarget | null): target is Element =>
  target instanceof Element && target.closest(textFieldSelector) !== null

export function isShortcutIgnored(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented)
    return true
  if (isInTextField(event.target)) return true
  return document.querySelector('dialog[open]') !== null
}

/**
 * Calls `onPress` when one of `keys` (as in `KeyboardEvent.key`) is pressed without a modifier
 * while `active`. Ignored in text fields, under a dialog, and if the person has disabled single-key
 * shortcuts (WCAG 2.1.4). The help sheet (`?`) lists keys that have labels.
 */
export function useShortcut(
  keys: string | readonly string[],
  onPress: (event: KeyboardEvent) => void,
  active = true,
  labels?: ShortcutLabels,
) {
  const { preferences } = usePreferences()
  const isActive = active && preferences.shortcuts
  const handleKeyDown = (event: KeyboardEvent) => {
    const keyList = typeof keys === 'string' ? [keys] : keys
    if (keyList.includes(event.key) && !isShortcutIgnored(event)) onPress(event)
  }
  useWindowEvent('keydown', handleKeyDown, { active: isActive })
  // Serialized, because a new `labels` object at each render would run the effect again.
  const labelsJson = labels && JSON.stringify(labels)
  useEffect(() => {
    if (isActive && labelsJson) return registerShortcut(JSON.parse(labelsJson) as ShortcutLabels)
  }, [isActive, labelsJson])
}

'use client'

import { useEffect } from 'react'
import { createStore } from '@/lib/client/store'
import { usePreferences } from './preferences-context'
import { useWindowEvent } from './use-window-event'

/** Shortcuts for the help sheet: a heading, and a label for each key as written on the sheet. */
export type ShortcutWords = { group: string; keys: Readonly<Record<string, string>> }

/** The shortcuts that work on the page now. */
export const activeShortcuts = createStore<readonly ShortcutWords[]>([])

/** Adds shortcuts to the help sheet. Returns the function that removes them. */
function listShortcut(words: ShortcutWords): () => void {
  activeShortcuts.set([...activeShortcuts.read(), words])
  return () => activeShortcuts.set(activeShortcuts.read().filter((each) => each !== words))
}

const typing = 'input, textarea, select, [contenteditable=""], [contenteditable="true"]'

export const isTyping = (target: EventTarget | null): target is Element => target instanceof Element && target.closest(typing) !== null

/** True if a key press is not for single-key shortcuts: in a text field, with a modifier, already handled, or under an open dialog. */
export function isElsewhere(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return true
  if (isTyping(event.target)) return true
  return document.querySelector('dialog[open]') !== null
}

/**
 * Calls `onPress` when one of `keys` (as in `KeyboardEvent.key`) is pressed alone: not while typing, with a modifier, under a dialog, or if
 * the person has disabled single keys (WCAG 2.1.4), and only while `active`. `words` lists the keys in the help sheet (`?`) during that
 * time.
 */
export function useShortcut(
  keys: string | readonly string[],
  onPress: (event: KeyboardEvent) => void,
  active = true,
  words?: ShortcutWords,
) {
  const { preferences } = usePreferences()
  const on = active && preferences.shortcuts
  const press = (event: KeyboardEvent) => {
    const keyList = typeof keys === 'string' ? [keys] : keys
    if (keyList.includes(event.key) && !isElsewhere(event)) onPress(event)
  }
  useWindowEvent('keydown', press, { active: on })
  // Serialized, because `words` is a new object on each render.
  const wordsJson = words && JSON.stringify(words)
  useEffect(() => {
    if (on && wordsJson) return listShortcut(JSON.parse(wordsJson) as ShortcutWords)
  }, [on, wordsJson])
}

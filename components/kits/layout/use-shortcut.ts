'use client'

import { useEffect, useEffectEvent, useLayoutEffect } from 'react'
import { usePreferences } from './preferences-context'

/** What keys do, for the sheet that lists them: a heading, and a label for each key as it is written on the sheet. */
export type ShortcutWords = { group: string; keys: Readonly<Record<string, string>> }

const none: readonly ShortcutWords[] = []
const listeners = new Set<() => void>()
let listed = none

const set = (next: readonly ShortcutWords[]) => {
  listed = next
  for (const listener of listeners) listener()
}

/** Lists keys for as long as they answer; gives the way to take them off again. */
function listShortcut(words: ShortcutWords): () => void {
  set([...listed, words])
  return () => set(listed.filter((each) => each !== words))
}

/** For `useSyncExternalStore`: calls back after each change and gives the way to stop. */
export function subscribeShortcuts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The keys that answer now; the same object until that changes. */
export const readShortcuts = (): readonly ShortcutWords[] => listed

/** What the server renders: no key answers there. */
export const readShortcutsOnServer = (): readonly ShortcutWords[] => none

const typing = 'input, textarea, select, [contenteditable=""], [contenteditable="true"]'

/** Whether an element takes text. */
export const isTyping = (target: EventTarget | null): target is Element => target instanceof Element && target.closest(typing) !== null

/** Whether a key press is not meant for single keys: typed into a field, with a modifier, already taken, or under an open dialog. */
export function isElsewhere(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return true
  if (isTyping(event.target)) return true
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
  // Before it is painted: whoever sees a button can already press its key.
  useLayoutEffect(() => {
    if (!on) return
    const listen = (event: KeyboardEvent) => {
      if (!isElsewhere(event)) press(event)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [on])
  // Words are new strings with each render; only what they say makes them others.
  const said = words && JSON.stringify(words)
  useEffect(() => {
    if (on && said) return listShortcut(JSON.parse(said) as ShortcutWords)
  }, [on, said])
}

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
export function listShortcut(words: ShortcutWords): () => void {
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

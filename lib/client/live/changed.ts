/**
 * Says of a key, as `keyOf` makes it or as much of it as there is, whether what was read under it, by which request and asked for when
 * (`performance.now()`), may be another by now.
 */
export type IsChanged = (key: readonly unknown[], requestId?: string, askedAt?: number) => boolean

/** Whoever shows what may change; it answers with what settles once it shows what it is now. */
type Listener = (isChanged: IsChanged) => unknown

const listeners = new Set<Listener>()

/** Tells this page that something changed; settles once all of it shows what it is now. */
export const tellChanged = (isChanged: IsChanged): Promise<unknown> =>
  Promise.allSettled([...listeners].map((listener) => listener(isChanged)))

/** Calls back when something changed, while the page is in sight. Gives the way to stop. */
export function onChanged(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

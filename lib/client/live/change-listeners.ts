/**
 * Returns true if a read may be stale after the change. `key` is the beginning of the read's query
 * key, and `askedAt` is the time at which it started (`performance.now()`).
 */
export type IsReadChanged = (
  key: readonly unknown[],
  requestId?: string,
  askedAt?: number,
) => boolean

/** A returned promise settles when the new data is shown. */
type ChangeListener = (isChanged: IsReadChanged) => unknown

const listeners = new Set<ChangeListener>()

export const notifyChangeListeners = (isChanged: IsReadChanged): Promise<unknown> =>
  Promise.allSettled([...listeners].map((listener) => listener(isChanged)))

/** Listeners are called only while the page is visible. Returns the unsubscribe function. */
export function subscribeToChanges(listener: ChangeListener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * Returns true if a read may be stale after the change. `key` is the beginning of the read's query
 * key, and `askedAt` is the time at which it started (`performance.now()`).
 */
export type QueryChangePredicate = (
  key: readonly unknown[],
  requestId?: string,
  askedAt?: number,
) => boolean

/** A returned promise settles when the new data is shown. */
type ChangeListener = (isChanged: QueryChangePredicate) => unknown

const changeListeners = new Set<ChangeListener>()

export const notifyChangeListeners = (isChanged: QueryChangePredicate): Promise<unknown> =>
  Promise.allSettled([...changeListeners].map((listener) => listener(isChanged)))

/** Listeners are called only while the page is visible. Returns the unsubscribe function. */
export function subscribeToChanges(listener: ChangeListener): () => void {
  changeListeners.add(listener)
  return () => void changeListeners.delete(listener)
}

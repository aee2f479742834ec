/**
 * Returns true if a read may be stale after the change. `key` is the beginning of the read's query
 * key, `requestId` the id of its request, and `askedAt` the time at which it started
 * (`performance.now()`).
 */
export type IsChanged = (key: readonly unknown[], requestId?: string, askedAt?: number) => boolean

/**
 * Refreshes a part of the page if its data is stale. If it returns a promise, that settles when the
 * new data is shown.
 */
type ChangeListener = (isChanged: IsChanged) => unknown

const listeners = new Set<ChangeListener>()

/** Notifies all listeners of a change. Resolves when all of them have settled. */
export const notifyChangeListeners = (isChanged: IsChanged): Promise<unknown> =>
  Promise.allSettled([...listeners].map((listener) => listener(isChanged)))

/**
 * Registers a listener for changes. It is called only while the page is visible. Returns the
 * unsubscribe function.
 */
export function subscribeToChanges(listener: ChangeListener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

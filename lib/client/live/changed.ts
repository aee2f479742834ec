/**
 * True if a read may be out of date. `key` is its query key or the beginning of one, `requestId` its request, and `askedAt` its start
 * (`performance.now()`).
 */
export type IsChanged = (key: readonly unknown[], requestId?: string, askedAt?: number) => boolean

/** Refreshes a part of the page if it is out of date. The returned promise settles when the new data is shown. */
type Listener = (isChanged: IsChanged) => unknown

const listeners = new Set<Listener>()

/** Notifies the page of a change. Resolves when all listeners have settled. */
export const tellChanged = (isChanged: IsChanged): Promise<unknown> =>
  Promise.allSettled([...listeners].map((listener) => listener(isChanged)))

/** Registers a listener for changes, called while the page is visible. Returns the unsubscribe function. */
export function onChanged(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

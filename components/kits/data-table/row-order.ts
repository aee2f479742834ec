import { useState } from 'react'

/**
 * Returns the index of an id in `ids`, with `there` true. If the id is no longer in `ids`, returns the index after the last id in `ids`
 * that preceded it in `before`, with `there` false.
 */
export function findPosition(id: string, ids: readonly string[], before: readonly string[]): { at: number; there: boolean } {
  const at = ids.indexOf(id)
  if (at !== -1) return { at, there: true }
  const predecessors = new Set(before.slice(0, Math.max(0, before.indexOf(id))))
  return { at: ids.findLastIndex((each) => predecessors.has(each)) + 1, there: false }
}

/** Returns the id one step after or before `id`. Stops at the first and the last id. Undefined if `ids` is empty. */
export function findNeighbor(id: string, ids: readonly string[], before: readonly string[], by: 1 | -1): string | undefined {
  const { at, there } = findPosition(id, ids, before)
  const neighborIndex = there || by === -1 ? at + by : at
  return ids[Math.max(0, Math.min(ids.length - 1, neighborIndex))]
}

/** Returns the first id after `id` (`rest`) and the first one before it (`passed`). Omits `skipped` ids and `id` itself. */
export function findNextIds(
  id: string,
  ids: readonly string[],
  before: readonly string[],
  skipped: ReadonlySet<string>,
): { rest: string | undefined; passed: string | undefined } {
  const { at, there } = findPosition(id, ids, before)
  const isCandidate = (each: string) => each !== id && !skipped.has(each)
  return { rest: ids.slice(there ? at + 1 : at).find(isCandidate), passed: ids.slice(0, at).find(isCandidate) }
}

/** Returns `ids` as they were when they last contained `id`, so that previous and next still work after the row has left the list. */
export function useLastOrder(ids: readonly string[], id: string | null): readonly string[] {
  const [lastOrder, setLastOrder] = useState({ id, among: ids })
  if (lastOrder.id !== id || (id !== null && ids.includes(id) && lastOrder.among.join() !== ids.join())) setLastOrder({ id, among: ids })
  return lastOrder.among
}

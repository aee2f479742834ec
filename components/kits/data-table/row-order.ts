import { useState } from 'react'

/**
 * If `ids` does not contain the row (`there` is false), `at` is the index at which it would be:
 * after the rows that preceded it in the previous list.
 */
export function findCurrentOrFormerPosition(
  id: string,
  ids: readonly string[],
  previousIds: readonly string[],
): { at: number; there: boolean } {
  const at = ids.indexOf(id)
  if (at !== -1) return { at, there: true }
  const predecessorIds = new Set(previousIds.slice(0, Math.max(0, previousIds.indexOf(id))))
  return { at: ids.findLastIndex((each) => predecessorIds.has(each)) + 1, there: false }
}

/**
 * Returns the next (1) or previous (-1) id. Stops at both ends. If the row has left the list,
 * starts from its position in the previous list. Undefined if `ids` is empty.
 */
export function findNeighbor(
  id: string,
  ids: readonly string[],
  previousIds: readonly string[],
  step: 1 | -1,
): string | undefined {
  const { at, there } = findCurrentOrFormerPosition(id, ids, previousIds)
  const neighborIndex = there || step === -1 ? at + step : at
  return ids[Math.max(0, Math.min(ids.length - 1, neighborIndex))]
}

/**
 * `rest` is the first row below `id` that is not skipped, `passed` the topmost such row above it.
 */
export function findNextAndPassedId(
  id: string,
  ids: readonly string[],
  previousIds: readonly string[],
  skipped: ReadonlySet<string>,
): { rest: string | undefined; passed: string | undefined } {
  const { at, there } = findCurrentOrFormerPosition(id, ids, previousIds)
  const isCandidate = (each: string) => each !== id && !skipped.has(each)
  return {
    rest: ids.slice(there ? at + 1 : at).find(isCandidate),
    passed: ids.slice(0, at).find(isCandidate),
  }
}

/**
 * Returns the last version of `ids` that contained `id`, so that previous and next still work after
 * the row `id` has left the list.
 */
export function useLastOrderWithRow(ids: readonly string[], id: string | null): readonly string[] {
  const [lastOrder, setLastOrder] = useState({ id, among: ids })
  if (
    lastOrder.id !== id ||
    (id !== null && ids.includes(id) && lastOrder.among.join() !== ids.join())
  )
    setLastOrder({ id, among: ids })
  return lastOrder.among
}

import { useState } from 'react'

/**
 * Returns the position of the row `id` in the list `ids`. `there` is true if the list contains the
 * row. If the row has left the list, `at` is the index at which it would be: after the rows that
 * preceded it in the previous list.
 */
export function findPosition(
  id: string,
  ids: readonly string[],
  previousIds: readonly string[],
): { at: number; there: boolean } {
  const at = ids.indexOf(id)
  if (at !== -1) return { at, there: true }
  const predecessors = new Set(previousIds.slice(0, Math.max(0, previousIds.indexOf(id))))
  return { at: ids.findLastIndex((each) => predecessors.has(each)) + 1, there: false }
}

/**
 * Returns the id of the next row (1) or the previous row (-1). Stops at both ends of the list. If
 * the row `id` has left the list, starts from its position in the previous list. Returns undefined
 * if `ids` is empty.
 */
export function findNeighbor(
  id: string,
  ids: readonly string[],
  previousIds: readonly string[],
  step: 1 | -1,
): string | undefined {
  const { at, there } = findPosition(id, ids, previousIds)
  const neighborIndex = there || step === -1 ? at + step : at
  return ids[Math.max(0, Math.min(ids.length - 1, neighborIndex))]
}

/**
 * Returns two candidates for the next row: the first one below `id` (`rest`), and the topmost one
 * above it (`passed`). Neither is `id` or one of `skipped`.
 */
export function findNextIds(
  id: string,
  ids: readonly string[],
  previousIds: readonly string[],
  skipped: ReadonlySet<string>,
): { rest: string | undefined; passed: string | undefined } {
  const { at, there } = findPosition(id, ids, previousIds)
  const isCandidate = (each: string) => each !== id && !skipped.has(each)
  return {
    rest: ids.slice(there ? at + 1 : at).find(isCandidate),
    passed: ids.slice(0, at).find(isCandidate),
  }
}

/**
 * Returns the last version of `ids` that contained `id`. Previous and next therefore still work
 * after the row has left the list.
 */
export function useLastOrder(ids: readonly string[], id: string | null): readonly string[] {
  const [lastOrder, setLastOrder] = useState({ id, among: ids })
  if (
    lastOrder.id !== id ||
    (id !== null && ids.includes(id) && lastOrder.among.join() !== ids.join())
  )
    setLastOrder({ id, among: ids })
  return lastOrder.among
}

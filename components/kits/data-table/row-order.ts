/**
 * The place of an id among `ids`. One that is no longer there keeps the one it had among those `before`: right after the last of its
 * predecessors that is left. `at` is the place, `there` says whether it is taken by the id itself.
 */
export function placeOf(id: string, ids: readonly string[], before: readonly string[]): { at: number; there: boolean } {
  const at = ids.indexOf(id)
  if (at !== -1) return { at, there: true }
  const predecessors = new Set(before.slice(0, Math.max(0, before.indexOf(id))))
  return { at: ids.findLastIndex((each) => predecessors.has(each)) + 1, there: false }
}

/** The id one step on or back from `id`, at most the last or the first; undefined where there are none. */
export function stepFrom(id: string, ids: readonly string[], before: readonly string[], by: 1 | -1): string | undefined {
  const { at, there } = placeOf(id, ids, before)
  const to = there || by === -1 ? at + by : at
  return ids[Math.max(0, Math.min(ids.length - 1, to))]
}

/**
 * What comes after an id: of the ids behind its place (`rest`), else of those before it, which were passed over (`passed`); never itself nor one
 * of `skipped`.
 */
export function nextFrom(
  id: string,
  ids: readonly string[],
  before: readonly string[],
  skipped: ReadonlySet<string>,
): { rest: string | undefined; passed: string | undefined } {
  const { at, there } = placeOf(id, ids, before)
  const isLeft = (each: string) => each !== id && !skipped.has(each)
  return { rest: ids.slice(there ? at + 1 : at).find(isLeft), passed: ids.slice(0, at).find(isLeft) }
}

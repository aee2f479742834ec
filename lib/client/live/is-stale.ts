import type { ChangedRows } from '@/lib/operations/changes'

/** What shows rows of a resource besides what is named like it. */
const shownAs: Readonly<Record<string, readonly string[]>> = {
  payments: ['payouts', 'charges'],
  capability_requests: ['limit_requests'],
}

/** What a reading is about, where it is about one object: its id, or `<resource>/<id>`. */
type Input = { id?: string; target?: string } | undefined

/**
 * Whether what was read under a key of the environment, and by which request, may be another by a change. What was done with an object has changed with it.
 */
export function isStaleBy(
  { resource, account, ids, shown_by }: ChangedRows,
  [, scope, name, , input]: readonly unknown[],
  requestId?: string,
): boolean {
  if (account && scope !== 'platform' && !String(scope).endsWith(account)) return false
  if (!resource) return true
  const object = (input as Input)?.id ?? (input as Input)?.target
  const isShown = name === resource || shownAs[resource]?.includes(String(name)) || (name === 'actions' && object)
  return Boolean(isShown) && !(shown_by && shown_by === requestId) && (!object || !ids || ids.some((id) => object.endsWith(id)))
}

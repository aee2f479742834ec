import type { ChangedRows } from '@/lib/operations/changes'

/** For a changed resource (key), the other resources whose reads contain its rows too. */
const resourceAliases: Readonly<Record<string, readonly string[]>> = {
  payments: ['payouts', 'charges'],
  capability_requests: ['limit_requests'],
}

/**
 * The input of a read about one object. It names the object by `id`, or by `target`
 * (`<resource>/<id>`).
 */
type ObjectInput = { id?: string; target?: string } | undefined

/**
 * True if a read may be stale after a change. The second and third parameter are the query key and
 * the request id of the read. A change of an object makes the read of its actions stale too.
 */
export function isStaleAfterChange(
  { resource, account, ids, shown_by }: ChangedRows,
  [, scope, name, , input]: readonly unknown[],
  requestId?: string,
): boolean {
  if (account && scope !== 'platform' && !String(scope).endsWith(account)) return false
  if (!resource) return true
  const objectReference = (input as ObjectInput)?.id ?? (input as ObjectInput)?.target
  const isAffectedResource =
    name === resource ||
    resourceAliases[resource]?.includes(String(name)) ||
    (name === 'actions' && objectReference)
  return (
    Boolean(isAffectedResource) &&
    !(shown_by && shown_by === requestId) &&
    (!objectReference || !ids || ids.some((id) => objectReference.endsWith(id)))
  )
}

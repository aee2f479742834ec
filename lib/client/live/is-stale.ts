import type { ChangedRows } from '@/lib/operations/changes'

/** Other resources whose reads also contain rows of a resource. */
const resourceAliases: Readonly<Record<string, readonly string[]>> = {
  payments: ['payouts', 'charges'],
  capability_requests: ['limit_requests'],
}

/** The input of a read of one object: `id` is its id, or `target` is `<resource>/<id>`. */
type ObjectInput = { id?: string; target?: string } | undefined

/**
 * True if a read may be stale after a change, by its query key and request id. A changed object makes the read of its actions stale too.
 */
export function isStaleAfterChange(
  { resource, account, ids, shown_by }: ChangedRows,
  [, scope, name, , input]: readonly unknown[],
  requestId?: string,
): boolean {
  if (account && scope !== 'platform' && !String(scope).endsWith(account)) return false
  if (!resource) return true
  const objectReference = (input as ObjectInput)?.id ?? (input as ObjectInput)?.target
  const isShown = name === resource || resourceAliases[resource]?.includes(String(name)) || (name === 'actions' && objectReference)
  return (
    Boolean(isShown) &&
    !(shown_by && shown_by === requestId) &&
    (!objectReference || !ids || ids.some((id) => objectReference.endsWith(id)))
  )
}

import type { ChangedRows } from '@/lib/operations/changes'

/** Maps a changed resource to the other resources whose reads contain its rows too. */
const overlappingResources: Readonly<Record<string, readonly string[]>> = {
  payments: ['payouts', 'charges'],
  accounts: ['account_settings'],
}

/** Maps a changed resource to the resources that depend on its rows. They have other ids. */
const dependentResources: Readonly<Record<string, readonly string[]>> = {
  capability_requests: ['limit_requests', 'account_settings'],
}

/** `target` is `<resource>/<id>`. */
type ObjectInput = { id?: string; target?: string } | undefined

/** The second parameter is the read's query key. An object's change makes its actions stale too. */
export function isStaleAfterChange(
  { resource, account, ids, shown_by }: ChangedRows,
  [, scope, name, , input]: readonly unknown[],
  requestId?: string,
): boolean {
  if (account && scope !== 'platform' && !String(scope).endsWith(account)) return false
  if (!resource || dependentResources[resource]?.includes(String(name))) return true
  const inputObjectId = (input as ObjectInput)?.id ?? (input as ObjectInput)?.target
  const isAffectedResource =
    name === resource ||
    overlappingResources[resource]?.includes(String(name)) ||
    (name === 'actions' && inputObjectId)
  return (
    Boolean(isAffectedResource) &&
    !(shown_by && shown_by === requestId) &&
    (!inputObjectId || !ids || ids.some((id) => inputObjectId.endsWith(id)))
  )
}

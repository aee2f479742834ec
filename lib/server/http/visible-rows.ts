import 'server-only'
import type { Account } from '@/lib/operations/accounts.schema'
import type { UnreadableRow } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import type { PageContext } from '@/lib/operations/page-context'
import {
  getServiceOperation,
  type ReadId,
  type ServiceOperationId,
  toServiceResource,
} from '@/lib/operations/service-operations'
import {
  formatAccountId,
  getGrantedAccounts,
  getRolesIn,
  type ScopedAccount,
} from '@/lib/server/auth/scoped-account'
import { getCurrentActor } from '@/lib/server/auth/session'
import type { Actor } from '@/lib/server/auth/session-rows'
import { lookUpAccount, lookUpAccounts } from '@/lib/server/mirror/object-accounts'
import type { ListScope } from '@/lib/server/mirror/row-visibility'
import type { ServiceReadResult } from '@/lib/server/service/service-read'
import type { UnreadableListRow } from '@/lib/server/store/schema/mirror'

export function addScopeAccount(
  operation: ServiceOperationId,
  fields: Record<string, unknown>,
  scope: ScopedAccount,
): Record<string, unknown> {
  return getServiceOperation(operation).accountFrom === 'query' && scope.accountId
    ? { ...fields, account_id: scope.accountId }
    : fields
}

type ListReadResult = {
  data: unknown
  meta: { total_items?: number; unreadable_rows?: readonly UnreadableRow[] }
}

/**
 * The service lists all accounts that our API key can read. An unreadable row could be any account,
 * so a person who is limited to some accounts gets no unreadable rows.
 */
export function keepGrantedAccounts<R extends ListReadResult>(
  operation: ServiceOperationId,
  read: R,
  actor: Actor,
  environment: Environment,
): R {
  const grantedAccounts =
    getServiceOperation(operation).accountFrom === 'answer'
      ? getGrantedAccounts(actor.grants, environment)
      : null
  if (!grantedAccounts) return read
  const grantedAccountRows = (read.data as readonly Account[]).filter((account) =>
    grantedAccounts.includes(account.id),
  )
  const { unreadable_rows: _, ...meta } = read.meta
  return {
    ...read,
    data: grantedAccountRows,
    meta: { ...meta, total_items: grantedAccountRows.length },
  }
}

/** A row without a known account is visible only with a role for the whole platform. */
export function listVisibleUnreadableRows(
  { grants }: Actor,
  { environment, accountId }: ListScope,
  rows: readonly UnreadableListRow[],
): UnreadableRow[] {
  const grantedAccountIds = getGrantedAccounts(grants, environment)
  const visibleRows = grantedAccountIds
    ? rows.filter(({ account }) => account !== null && grantedAccountIds.includes(account))
    : rows
  return visibleRows
    .filter(({ account }) => accountId === null || account === accountId)
    .map(({ id, raw }) => ({ id, raw }))
}

const toVisibleAccount = (
  actor: Actor | null,
  environment: Environment,
  account: string | null | undefined,
): string | null =>
  account && actor && getRolesIn(actor.grants, environment, account).length > 0
    ? formatAccountId(account)
    : null

/** Reads only our store. Null if unknown or if the person has no role in the account. */
export async function lookUpVisibleAccount(
  { environment }: PageContext,
  target: string,
): Promise<string | null> {
  const [account, actor] = await Promise.all([
    lookUpAccount(environment, target),
    getCurrentActor(),
  ])
  return toVisibleAccount(actor, environment, account)
}

type ObjectWithRelatedIds = {
  id?: string | undefined
  customer_id?: string | undefined
  customer_details?: { id?: string | undefined } | undefined
  paykey_details?: { id?: string | undefined } | undefined
}

/** All three belong to the same account. The most reliable target comes first. */
function listRelatedTargets(id: ReadId, object: ObjectWithRelatedIds): string[] {
  const customerId = object.customer_id ?? object.customer_details?.id
  const paykeyId = object.paykey_details?.id
  const ownTargets = object.id ? [`${toServiceResource(id)}/${object.id}`] : []
  return [
    ...ownTargets,
    ...(customerId ? [`customers/${customerId}`] : []),
    ...(paykeyId ? [`paykeys/${paykeyId}`] : []),
  ]
}

/** The account comes from our store. Null if unknown or if the person has no role in it. */
export async function addStoredAccount<K extends ReadId>(
  actor: Actor,
  id: K,
  read: ServiceReadResult<K>,
  scope: ScopedAccount,
): Promise<ServiceReadResult<K>> {
  const needsAccount =
    scope.accountId === null && getServiceOperation(id).scope === 'optional' && id.endsWith('.get')
  if (!needsAccount) return read
  const targets = listRelatedTargets(id, read.data as ObjectWithRelatedIds)
  const accountByTarget = await lookUpAccounts(scope.environment, targets)
  const account = targets.map((target) => accountByTarget.get(target)).find(Boolean)
  return {
    ...read,
    meta: { ...read.meta, account: toVisibleAccount(actor, scope.environment, account) },
  }
}

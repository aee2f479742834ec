import 'server-only'
import type { UnreadableRow } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import { getOwnerRule } from '@/lib/operations/ownership'
import type { PageContext } from '@/lib/operations/page-context'
import {
  getAccountHeaderRule,
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
import { getIntegration } from '@/lib/server/config/integration'
import { lookUpAccount, lookUpAccounts } from '@/lib/server/mirror/object-accounts'
import { findPaidIds } from '@/lib/server/mirror/paid-accounts'
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

type ListedObject = { id: string }

/**
 * Returns the ids that the person may see, null for all. The service lists all accounts, and in a
 * marketplace all customers and paykeys, because its call names no account.
 */
async function findVisibleIds(
  operation: ServiceOperationId,
  objects: readonly ListedObject[],
  grantedAccounts: readonly string[],
  { environment, accountId }: Pick<ScopedAccount, 'environment' | 'accountId'>,
): Promise<ReadonlySet<string> | null> {
  if (getServiceOperation(operation).accountFrom === 'answer') return new Set(grantedAccounts)
  const resource = toServiceResource(operation)
  if (getOwnerRule(resource, getIntegration(environment)) !== 'platform') return null
  const accounts = grantedAccounts.filter((id) => accountId === null || id === accountId)
  return findPaidIds(
    environment,
    resource,
    objects.map(({ id }) => id),
    accounts,
  )
}

/**
 * An unreadable row could be any object, so a person who is limited to some accounts gets no
 * unreadable rows.
 */
export async function keepVisibleRows<R extends ListReadResult>(
  operation: ServiceOperationId,
  read: R,
  actor: Actor,
  scope: Pick<ScopedAccount, 'environment' | 'accountId'>,
): Promise<R> {
  const grantedAccounts = getGrantedAccounts(actor.grants, scope.environment)
  if (!grantedAccounts || !Array.isArray(read.data)) return read
  const objects = read.data as readonly ListedObject[]
  const visibleIds = await findVisibleIds(operation, objects, grantedAccounts, scope)
  if (!visibleIds) return read
  const visibleObjects = objects.filter(({ id }) => visibleIds.has(id))
  const { unreadable_rows: _, ...meta } = read.meta
  return { ...read, data: visibleObjects, meta: { ...meta, total_items: visibleObjects.length } }
}

/**
 * A row without a known account is visible only with a role for the whole platform. A row of a
 * marketplace's customers could be one with a payment of the account.
 */
export function listVisibleUnreadableRows(
  operation: ServiceOperationId,
  { grants }: Actor,
  { environment, accountId }: ListScope,
  rows: readonly UnreadableListRow[],
): UnreadableRow[] {
  const ownerRule = getOwnerRule(toServiceResource(operation), getIntegration(environment))
  const grantedAccountIds = getGrantedAccounts(grants, environment)
  const visibleRows = grantedAccountIds
    ? rows.filter(({ account }) => account !== null && grantedAccountIds.includes(account))
    : rows
  return visibleRows
    .filter(
      ({ account }) =>
        accountId === null ||
        account === accountId ||
        (account === null && ownerRule === 'platform'),
    )
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

/**
 * The most reliable target comes first. On a SaaS platform, all three belong to the same account;
 * in a marketplace, the customer and the paykey belong to the platform.
 */
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
    scope.accountId === null &&
    getAccountHeaderRule(id, getIntegration(scope.environment)) === 'optional' &&
    id.endsWith('.get')
  if (!needsAccount) return read
  const targets = listRelatedTargets(id, read.data as ObjectWithRelatedIds)
  const accountByTarget = await lookUpAccounts(scope.environment, targets)
  const account = targets.map((target) => accountByTarget.get(target)).find(Boolean)
  return {
    ...read,
    meta: { ...read.meta, account: toVisibleAccount(actor, scope.environment, account) },
  }
}

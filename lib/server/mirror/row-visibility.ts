import 'server-only'
import { type SQL, sql } from 'drizzle-orm'
import type { Environment } from '@/lib/operations/define'
import { getOwnerRule } from '@/lib/operations/ownership'
import {
  getServiceOperation,
  type MirrorListId,
  toServiceResource,
} from '@/lib/operations/service-operations'
import { getGrantedAccounts } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { getIntegration } from '@/lib/server/config/integration'
import { type Conditions, equals } from './conditions'
import { toUuidArraySql } from './forget'
import { findMirrorList, type ListInput } from './lists'
import { buildPaidRowsCondition } from './paid-accounts'

/** `accountId: null` means all accounts that the person can see. */
export type ListScope = { environment: Environment; accountId: string | null }

export type Viewer = Pick<Actor, 'grants'>

/**
 * Null means every row, including rows with an unknown account. A person who is limited to some
 * accounts never sees others, whatever the scope.
 */
function findVisibleAccounts(
  id: MirrorListId,
  actor: Viewer,
  { environment, accountId }: ListScope,
): readonly string[] | null {
  const grantedAccounts = getGrantedAccounts(actor.grants, environment)
  // A list of accounts contains every account that the person may see, whatever the scope. The
  // objects of a direct account name no account.
  const hasNoScope =
    accountId === null ||
    getServiceOperation(id).accountFrom === 'answer' ||
    getIntegration(environment) === 'account'
  const scopeAccounts = hasNoScope ? null : [accountId]
  return grantedAccounts && scopeAccounts
    ? scopeAccounts.filter((account) => grantedAccounts.includes(account))
    : (scopeAccounts ?? grantedAccounts)
}

/**
 * Returns the accounts to which the person is limited; null if not limited. The database enforces
 * this limit as well (`readRowsForAccounts`).
 */
export const findGrantedAccountIds = (
  actor: Viewer,
  { environment }: ListScope,
): readonly string[] | null => getGrantedAccounts(actor.grants, environment)

export const canSeeAllRows = (id: MirrorListId, actor: Viewer, listScope: ListScope): boolean =>
  findVisibleAccounts(id, actor, listScope) === null

/**
 * The rows that belong to one of the accounts. If the platform owns the objects (a marketplace), the
 * rows with a payment of one of the accounts.
 */
function toAccountsCondition(
  id: MirrorListId,
  accounts: readonly string[],
  environment: Environment,
): Conditions {
  const resource = toServiceResource(id)
  if (getOwnerRule(resource, getIntegration(environment)) === 'platform')
    return [buildPaidRowsCondition(environment, resource, accounts)]
  const { accountId } = findMirrorList(id).table
  // For a single account, use `=` and not `any`: then an index can also return the rows in order.
  return accounts.length === 1
    ? equals(accountId, accounts[0])
    : [sql`${accountId} = any(${toUuidArraySql(accounts)})`]
}

/** Every read of the mirror for a person must use this condition. */
export function toVisibleRowsCondition(id: MirrorListId, actor: Viewer, listScope: ListScope): SQL {
  const { table } = findMirrorList(id)
  const accounts = findVisibleAccounts(id, actor, listScope)
  const accountCondition = accounts && toAccountsCondition(id, accounts, listScope.environment)
  return sql.join(
    [sql`${table.environment} = ${listScope.environment}`, ...(accountCondition ?? [])],
    sql` and `,
  )
}

export async function toMatchingRowsCondition<K extends MirrorListId>(
  id: K,
  input: ListInput<K>,
  actor: Viewer,
  listScope: ListScope,
  extraConditions: Conditions = [],
): Promise<SQL> {
  return sql.join(
    [
      toVisibleRowsCondition(id, actor, listScope),
      ...(await findMirrorList(id).where(input, listScope.environment)),
      ...extraConditions,
    ],
    sql` and `,
  )
}

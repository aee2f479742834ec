import 'server-only'
import { type SQL, sql } from 'drizzle-orm'
import type { Environment } from '@/lib/operations/define'
import { getServiceOperation, type MirrorListId } from '@/lib/operations/service-operations'
import { getGrantedAccounts } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { type Conditions, equals } from './conditions'
import { toUuidArraySql } from './forget'
import { findMirrorList, type ListInput } from './lists'

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
  // A list of accounts contains every account that the person may see, whatever the scope.
  const scopeAccounts =
    accountId === null || getServiceOperation(id).accountFrom === 'answer' ? null : [accountId]
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

/** Every read of the mirror for a person must use this condition. */
export function toVisibleRowsCondition(id: MirrorListId, actor: Viewer, listScope: ListScope): SQL {
  const { table } = findMirrorList(id)
  const accounts = findVisibleAccounts(id, actor, listScope)
  // For a single account, use `=` and not `any`: then an index can also return the rows in order.
  const accountCondition =
    accounts?.length === 1
      ? equals(table.accountId, accounts[0])
      : accounts && [sql`${table.accountId} = any(${toUuidArraySql(accounts)})`]
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

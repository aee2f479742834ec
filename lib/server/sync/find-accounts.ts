import 'server-only'
import { type AnyColumn, and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { getOwnerRule } from '@/lib/operations/ownership'
import { getIntegration } from '@/lib/server/config/integration'
import { buildPgNotifySql } from '@/lib/server/store/notifications'
import { mirrorCustomers as customers } from '@/lib/server/store/schema/mirror'
import {
  mirrorFundingEvents as events,
  mirrorPaykeys as paykeys,
  mirrorPayments as payments,
} from '@/lib/server/store/schema/mirror-payments'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { readPage, type SyncPage, type SyncPass } from './call'
import { listSyncPlans, type SyncPlan } from './plans'
import { skipForbiddenAccount } from './read-resource'
import { storePage } from './store-page'

const maxSearchCalls = 50
/**
 * Rows per update. It is small, because every request waits while the embedded store runs a
 * statement.
 */
const updateBatchSize = 200
const maxRowsPerCall = 500

type SearchedResource = Extract<
  SyncPlan['resource'],
  'customers' | 'paykeys' | 'payments' | 'funding_events'
>

/**
 * `since` is the column that the list's time filter compares, `by` the sort column. `relations` are
 * subqueries that take the account from other rows of the same customer or paykey.
 */
type AccountSearchSpec = {
  table: typeof customers | typeof paykeys | typeof payments | typeof events
  since: AnyColumn
  by: AnyColumn
  relations: readonly SQL[]
}

type RelatedTable = typeof customers | typeof paykeys | typeof payments

const buildRelatedAccountSql = (table: RelatedTable, column: AnyColumn, value: SQL): SQL =>
  sql`(select o.account_id from ${table} o where o.environment = t.environment and o.${sql.identifier(column.name)} = ${value} and o.account_id is not null limit 1)`

/** Customers come first, because the accounts found for them are used for the other resources. */
const accountSearchSpecs: { readonly [R in SearchedResource]: AccountSearchSpec } = {
  customers: {
    ...{ table: customers, since: customers.createdAt, by: customers.createdAt },
    relations: [
      buildRelatedAccountSql(paykeys, paykeys.customerId, sql`t.id`),
      buildRelatedAccountSql(payments, payments.customerId, sql`t.id`),
    ],
  },
  paykeys: {
    ...{ table: paykeys, since: paykeys.createdAt, by: paykeys.createdAt },
    relations: [
      buildRelatedAccountSql(customers, customers.id, sql`t.customer_id`),
      buildRelatedAccountSql(payments, payments.paykeyId, sql`t.id`),
      buildRelatedAccountSql(payments, payments.customerId, sql`t.customer_id`),
    ],
  },
  payments: {
    ...{ table: payments, since: payments.createdAt, by: payments.createdAt },
    relations: [
      buildRelatedAccountSql(customers, customers.id, sql`t.customer_id`),
      buildRelatedAccountSql(paykeys, paykeys.id, sql`t.paykey_id`),
      buildRelatedAccountSql(paykeys, paykeys.customerId, sql`t.customer_id`),
      buildRelatedAccountSql(payments, payments.customerId, sql`t.customer_id`),
    ],
  },
  funding_events: {
    table: events,
    since: events.createdOn,
    by: events.transferDate,
    relations: [],
  },
}
const resourceSearchOrder = Object.keys(accountSearchSpecs) as SearchedResource[]

/** Returns the number of changed rows. */
async function assignRelatedAccountBatch(
  environment: Environment,
  resource: SearchedResource,
): Promise<number> {
  const { table, relations } = accountSearchSpecs[resource]
  const db = await getDatabase()
  const { rows } = (await db.execute(sql`
    with related as materialized (
      select t.id, coalesce(${sql.join([...relations], sql`, `)}) as account from ${table} t where t.environment = ${environment} and t.account_id is null and not t.platform_owned),
    changed as (
      update ${table} r set account_id = related.account from (select * from related where account is not null order by id limit ${updateBatchSize}) related
      where r.environment = ${environment} and r.id = related.id and r.account_id is null returning r.id, r.account_id as account),
    told as materialized (${buildPgNotifySql({ environment, resource }, sql`changed`)})
    select (select count(*) from changed)::int as changed from (select count(*) from told) told`)) as unknown as {
    rows: [{ changed: number }]
  }
  return rows[0].changed
}

/** Takes accounts from related rows, in batches, until none is found. */
async function assignRelatedAccounts(
  environment: Environment,
  resources: readonly SearchedResource[],
): Promise<void> {
  // A customer of a marketplace has payments of several accounts.
  if (getIntegration(environment) !== 'saas') return
  for (const resource of resources) {
    if (accountSearchSpecs[resource].relations.length > 0)
      while ((await assignRelatedAccountBatch(environment, resource)) === updateBatchSize);
  }
}

type UnassignedRow = { id: string; asked: string | null; since: string | null; by: string | null }

/**
 * Returns the rows for which the fewest accounts were searched. Accounts are searched in the order
 * of their ids, and all returned rows have the same last searched account. Returns none if all
 * accounts were searched for each row.
 */
async function findLeastSearchedRows(
  environment: Environment,
  resource: SearchedResource,
  lastAccountId: string,
): Promise<UnassignedRow[]> {
  const { table, since, by } = accountSearchSpecs[resource]
  const db = await getDatabase()
  const unassignedRows = await db
    .select({
      id: table.id,
      asked: table.accountAsked,
      since: sql<string | null>`${since}::text`,
      by: sql<string | null>`${by}::text`,
    })
    .from(table)
    .where(
      and(
        eq(table.environment, environment),
        isNull(table.accountId),
        eq(table.platformOwned, false),
        sql`(${table.accountAsked} is null or ${table.accountAsked} < ${lastAccountId})`,
      ),
    )
    .orderBy(sql`${table.accountAsked} nulls first`, sql`${since} nulls first`)
    .limit(maxRowsPerCall)
  return unassignedRows.filter(({ asked }) => asked === unassignedRows[0]?.asked)
}

const parseTime = (text: unknown): number =>
  typeof text === 'string' ? Date.parse(text) : Number.NaN

/**
 * Returns the rows that the page would contain if they belonged to the account. The page starts at
 * the time of the first row, so it decides nothing about rows that are later than its last object.
 */
function findFullySearchedRows(
  rows: readonly UnassignedRow[],
  { objects, isLast }: SyncPage,
  sortField: string,
): UnassignedRow[] {
  const lastSortTime = parseTime(objects.at(-1)?.[sortField])
  return isLast ? [...rows] : rows.filter((row, at) => at === 0 || parseTime(row.by) < lastSortTime)
}

/**
 * Searches the rows in one page of the account, and records on them that the account was searched.
 */
async function searchRowsInAccount(
  pass: SyncPass,
  plan: SyncPlan,
  rows: readonly UnassignedRow[],
  account: string,
): Promise<void> {
  const { table } = accountSearchSpecs[plan.resource as SearchedResource]
  const changeFilter = plan.changes.at(-1)
  const firstUnassignedRow = rows[0]
  if (!changeFilter || !firstUnassignedRow) return
  const sinceTime = parseTime(firstUnassignedRow.since)
  const fromFilter = Number.isNaN(sinceTime)
    ? {}
    : {
        [changeFilter.from]:
          changeFilter.by === 'transfer_date'
            ? firstUnassignedRow.since
            : new Date(sinceTime).toISOString(),
      }
  const listFilter = { sort_by: changeFilter.by, sort_order: 'asc', ...fromFilter }
  const page = await readPage(pass, plan, account, listFilter, 1).catch(
    skipForbiddenAccount(plan, account),
  )
  const fullySearchedIds = findFullySearchedRows(rows, page, changeFilter.by).map(({ id }) => id)
  await storePage(pass, plan, account, page, async (db: Db) => {
    const stillUnassignedCondition = and(
      eq(table.environment, pass.environment),
      inArray(table.id, fullySearchedIds),
      isNull(table.accountId),
    )
    await db.update(table).set({ accountAsked: account }).where(stillUnassignedCondition)
  })
}

/**
 * Time of the next search after a failed one (milliseconds since 1970), by environment and
 * resource.
 */
const searchRetryTimes = new Map<string, number>()
const retryDelayMs = 10 * 60_000

/**
 * Makes at most `calls` calls and returns the number left. After an error of the service, searches
 * this list again after `retryDelayMs`.
 */
async function searchRowsInAccounts(
  pass: SyncPass,
  resource: SearchedResource,
  accounts: readonly string[],
  calls: number,
): Promise<number> {
  const plan = listSyncPlans(pass.environment).find((each) => each.resource === resource)
  const retryKey = `${pass.environment} ${resource}`
  const lastAccount = accounts.at(-1)
  if (!plan || lastAccount === undefined || (searchRetryTimes.get(retryKey) ?? 0) > Date.now())
    return calls
  for (let callsLeft = calls; callsLeft > 0; callsLeft -= 1) {
    const rows = await findLeastSearchedRows(pass.environment, resource, lastAccount)
    const nextAccount = accounts.find((id) => id > (rows[0]?.asked ?? ''))
    if (rows.length === 0 || nextAccount === undefined) return callsLeft
    const searchError = await searchRowsInAccount(pass, plan, rows, nextAccount).catch(
      rethrowUnlessAppError,
    )
    if (!searchError) continue
    searchRetryTimes.set(retryKey, Date.now() + retryDelayMs)
    return callsLeft - 1
  }
  return 0
}

function rethrowUnlessAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  throw error
}

/**
 * Takes the account from related rows, otherwise searches each account once per row. If that finds
 * none, the next full read sets the account. Skips resources before their first import is complete,
 * because an import reads account by account anyway. Throws `OutOfTimeError` and database errors.
 */
export async function findUnassignedRowAccounts(
  pass: SyncPass,
  importedResources: readonly string[],
  accountIds: readonly string[],
): Promise<void> {
  const integration = getIntegration(pass.environment)
  const resources = resourceSearchOrder.filter(
    (resource) =>
      importedResources.includes(resource) && getOwnerRule(resource, integration) === 'account',
  )
  await assignRelatedAccounts(pass.environment, resources)
  let callsLeft = maxSearchCalls
  for (const resource of resources) {
    const callsLeftBefore = callsLeft
    callsLeft = await searchRowsInAccounts(pass, resource, accountIds, callsLeftBefore)
    if (callsLeft < callsLeftBefore) await assignRelatedAccounts(pass.environment, resources)
  }
}

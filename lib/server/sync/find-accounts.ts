import 'server-only'
import { type AnyColumn, and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { noticesOfRows } from '@/lib/server/store/notices'
import { mirrorCustomers as customers } from '@/lib/server/store/schema/mirror'
import {
  mirrorFundingEvents as events,
  mirrorPaykeys as paykeys,
  mirrorPayments as payments,
} from '@/lib/server/store/schema/mirror-payments'
import { type Db, database } from '@/lib/server/store/store'
import { type Page, type Pass, readPage } from './call'
import { keepPage } from './keep-page'
import { type Plan, plans } from './plans'
import { orNothing } from './walk'

/** Maximum calls per pass that search for accounts of rows. */
const mostCalls = 50
/** Maximum rows updated per statement. During a statement, the embedded store blocks every request. */
const atOnce = 200
/** Maximum rows that one call searches for. */
const mostRows = 500

type Resource = Extract<Plan['resource'], 'customers' | 'paykeys' | 'payments' | 'funding_events'>

/**
 * The columns and subqueries that find the account of a resource's rows. `since` is the column that the list's time filter compares, `by`
 * the column by which it is sorted. `relations` find the account in other rows of the same customer or paykey.
 */
type Searched = {
  table: typeof customers | typeof paykeys | typeof payments | typeof events
  since: AnyColumn
  by: AnyColumn
  relations: readonly SQL[]
}

type Related = typeof customers | typeof paykeys | typeof payments

const accountIn = (table: Related, column: AnyColumn, value: SQL): SQL =>
  sql`(select o.account_id from ${table} o where o.environment = t.environment and o.${sql.identifier(column.name)} = ${value} and o.account_id is not null limit 1)`

/** Customers come first, because their accounts are used for the other resources. */
const searched: { readonly [R in Resource]: Searched } = {
  customers: {
    ...{ table: customers, since: customers.createdAt, by: customers.createdAt },
    relations: [accountIn(paykeys, paykeys.customerId, sql`t.id`), accountIn(payments, payments.customerId, sql`t.id`)],
  },
  paykeys: {
    ...{ table: paykeys, since: paykeys.createdAt, by: paykeys.createdAt },
    relations: [
      accountIn(customers, customers.id, sql`t.customer_id`),
      accountIn(payments, payments.paykeyId, sql`t.id`),
      accountIn(payments, payments.customerId, sql`t.customer_id`),
    ],
  },
  payments: {
    ...{ table: payments, since: payments.createdAt, by: payments.createdAt },
    relations: [
      accountIn(customers, customers.id, sql`t.customer_id`),
      accountIn(paykeys, paykeys.id, sql`t.paykey_id`),
      accountIn(paykeys, paykeys.customerId, sql`t.customer_id`),
      accountIn(payments, payments.customerId, sql`t.customer_id`),
    ],
  },
  funding_events: { table: events, since: events.createdOn, by: events.transferDate, relations: [] },
}
const inOrder = Object.keys(searched) as Resource[]

/** Sets the account of a batch of rows to that of related rows. Returns the number of changed rows. */
async function deriveSome(environment: Environment, resource: Resource): Promise<number> {
  const { table, relations } = searched[resource]
  const db = await database()
  const { rows } = (await db.execute(sql`
    with related as materialized (
      select t.id, coalesce(${sql.join([...relations], sql`, `)}) as account from ${table} t where t.environment = ${environment} and t.account_id is null),
    changed as (
      update ${table} r set account_id = related.account from (select * from related where account is not null order by id limit ${atOnce}) related
      where r.environment = ${environment} and r.id = related.id and r.account_id is null returning r.id, r.account_id as account),
    told as materialized (${noticesOfRows({ environment, resource }, sql`changed`)})
    select (select count(*) from changed)::int as changed from (select count(*) from told) told`)) as unknown as {
    rows: [{ changed: number }]
  }
  return rows[0].changed
}

/** Sets the account of all rows whose related rows have one. Repeats per resource, because an update can add accounts for other rows. */
async function derive(environment: Environment, resources: readonly Resource[]): Promise<void> {
  for (const resource of resources) {
    if (searched[resource].relations.length > 0) while ((await deriveSome(environment, resource)) === atOnce);
  }
}

type Row = { id: string; asked: string | null; since: string | null; by: string | null }

/**
 * Returns the rows that were searched in the fewest accounts, oldest first; all of them were searched up to the same account. Empty if
 * every row was searched in every account up to `last`.
 */
async function leastAsked(environment: Environment, resource: Resource, last: string): Promise<Row[]> {
  const { table, since, by } = searched[resource]
  const db = await database()
  const rows = await db
    .select({ id: table.id, asked: table.accountAsked, since: sql<string | null>`${since}::text`, by: sql<string | null>`${by}::text` })
    .from(table)
    .where(
      and(
        eq(table.environment, environment),
        isNull(table.accountId),
        sql`(${table.accountAsked} is null or ${table.accountAsked} < ${last})`,
      ),
    )
    .orderBy(sql`${table.accountAsked} nulls first`, sql`${since} nulls first`)
    .limit(mostRows)
  return rows.filter(({ asked }) => asked === rows[0]?.asked)
}

const timeOf = (text: unknown): number => (typeof text === 'string' ? Date.parse(text) : Number.NaN)

/**
 * Returns the rows for which this page shows whether they are in the account: if they were, the page would contain them. The page starts at
 * the time of the first row.
 */
function decidedBy(rows: readonly Row[], { objects, isLast }: Page, by: string): Row[] {
  const end = timeOf(objects.at(-1)?.[by])
  return isLast ? [...rows] : rows.filter((row, at) => at === 0 || timeOf(row.by) < end)
}

/** Searches one account for some rows, and records on the rows that the account was searched. */
async function askAccount(pass: Pass, plan: Plan, rows: readonly Row[], account: string): Promise<void> {
  const { table } = searched[plan.resource as Resource]
  const changeFilter = plan.changes.at(-1)
  const first = rows[0]
  if (!changeFilter || !first) return
  const time = timeOf(first.since)
  const from = Number.isNaN(time)
    ? {}
    : { [changeFilter.from]: changeFilter.by === 'transfer_date' ? first.since : new Date(time).toISOString() }
  const filter = { sort_by: changeFilter.by, sort_order: 'asc', ...from }
  const page = await readPage(pass, plan, account, filter, 1).catch(orNothing(plan, account))
  const ids = decidedBy(rows, page, changeFilter.by).map(({ id }) => id)
  await keepPage(pass, plan, account, page, async (db: Db) => {
    const which = and(eq(table.environment, pass.environment), inArray(table.id, ids), isNull(table.accountId))
    await db.update(table).set({ accountAsked: account }).where(which)
  })
}

/** Time before which a list that failed is not read again (milliseconds since 1970), by environment and resource. */
const notBefore = new Map<string, number>()
const rest = 10 * 60_000

/** Searches the accounts one by one for rows without an account, with at most `calls` calls. Returns the number of calls left. */
async function search(pass: Pass, plan: Plan, accounts: readonly string[], calls: number): Promise<number> {
  const last = accounts.at(-1)
  let callsLeft = calls
  for (; callsLeft > 0 && last !== undefined; callsLeft -= 1) {
    const rows = await leastAsked(pass.environment, plan.resource as Resource, last)
    const account = accounts.find((id) => id > (rows[0]?.asked ?? ''))
    if (rows.length === 0 || account === undefined) break
    await askAccount(pass, plan, rows, account)
  }
  return callsLeft
}

/** Runs `search`, unless the list failed recently. Returns the number of calls left. */
async function searchUnlessRefused(pass: Pass, resource: Resource, accounts: readonly string[], calls: number): Promise<number> {
  const plan = plans.find((each) => each.resource === resource)
  const name = `${pass.environment} ${resource}`
  if (!plan || (notBefore.get(name) ?? 0) > Date.now()) return calls
  try {
    return await search(pass, plan, accounts, calls)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    notBefore.set(name, Date.now() + rest)
    return calls
  }
}

/**
 * Finds the account of rows that have none: from related rows, otherwise by searching each account once per row. Rows that stay without an
 * account get one from the next full read. Searches only `imported` resources, because an import reads by account anyway. Throws
 * `OutOfTime` and store errors. After a service error, the resource is searched again later.
 */
export async function findAccounts(pass: Pass, imported: readonly string[], accounts: readonly string[]): Promise<void> {
  const resources = inOrder.filter((resource) => imported.includes(resource))
  await derive(pass.environment, resources)
  let callsLeft = mostCalls
  for (const resource of resources) {
    const before = callsLeft
    callsLeft = await searchUnlessRefused(pass, resource, accounts, before)
    if (callsLeft < before) await derive(pass.environment, resources)
  }
}

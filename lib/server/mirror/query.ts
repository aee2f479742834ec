import 'server-only'
import { isDeepStrictEqual } from 'node:util'
import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { type PageMeta, unreadableIn } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import { mostCounted } from '@/lib/operations/list-count'
import { type Output, schemas, schemasOf } from '@/lib/operations/registry'
import { type MirrorListId, type RecordGetId, resourceOf, serviceOperation } from '@/lib/operations/service-operations'
import type { RecordResource } from '@/lib/routes'
import { accountsGranted } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { readFor } from '@/lib/server/store/read-for'
import { type Conditions, equals } from './conditions'
import { uuids } from './forget'
import { type ListInput, listOf } from './lists'
import { fieldsAlone, tableOf } from './mirrored'

/**
 * A page of a list from the mirror. `accounts` has the account of each row, null if unknown. `seenAt`: of the times at which the service
 * last returned each row, the earliest.
 */
export type MirrorPage<K extends MirrorListId> = {
  data: Output<K>
  meta: PageMeta
  accounts: readonly (string | null)[]
  seenAt: Date | null
}

/** The scope of a read: one account, or all accounts that the person can see (`accountId: null`). */
export type Place = { environment: Environment; accountId: string | null }

export type Viewer = Pick<Actor, 'grants'>

/**
 * Returns the accounts whose rows the person may see; null for every row, including rows with an unknown account. A person with an account
 * limit never sees other accounts, whatever the scope.
 */
function accountsIn(id: MirrorListId, actor: Viewer, { environment, accountId }: Place): readonly string[] | null {
  const granted = accountsGranted(actor.grants, environment)
  // A list of accounts ignores the account scope: it contains every account that the person may see.
  const named = accountId === null || serviceOperation(id).accountFrom === 'answer' ? null : [accountId]
  return granted && named ? named.filter((account) => granted.includes(account)) : (named ?? granted)
}

/** Returns the accounts to which the person is limited, or null. `readFor` applies this limit in the database as well. */
export const limitOf = (actor: Viewer, { environment }: Place): readonly string[] | null => accountsGranted(actor.grants, environment)

/** True if the person sees every row of the resource, including rows with an unknown account. */
export const seesAll = (id: MirrorListId, actor: Viewer, place: Place): boolean => accountsIn(id, actor, place) === null

/** Returns the SQL condition for the rows that the person may see. Every read of the mirror for a person must use it. */
export function visible(id: MirrorListId, actor: Viewer, place: Place): SQL {
  const { table } = listOf(id)
  const accounts = accountsIn(id, actor, place)
  // For one account, use `=`, so that an index can also return the rows in order.
  const accountCondition =
    accounts?.length === 1 ? equals(table.accountId, accounts[0]) : accounts && [sql`${table.accountId} = any(${uuids(accounts)})`]
  return sql.join([sql`${table.environment} = ${place.environment}`, ...(accountCondition ?? [])], sql` and `)
}

/** Returns the SQL condition for the rows that match the input and that the person may see. */
export async function matching<K extends MirrorListId>(
  id: K,
  asked: ListInput<K>,
  actor: Viewer,
  place: Place,
  besides: Conditions = [],
): Promise<SQL> {
  return sql.join([visible(id, actor, place), ...(await listOf(id).where(asked, place.environment)), ...besides], sql` and `)
}

/**
 * Returns the order: by the sort key, then by id, so that equal keys have the same order on each page. `key` and `object` are the SQL of
 * the sort key and of the id.
 */
function orderOf(
  { sort_by, sort_order }: { sort_by: string; sort_order: 'asc' | 'desc' },
  key: AnyColumn | SQL,
  object: AnyColumn | SQL,
): SQL {
  const direction = sort_order === 'asc' ? sql`asc nulls first` : sql`desc nulls last`
  return sort_by === 'id' ? sql`${object} ${sql.raw(sort_order)}` : sql`${key} ${direction}, ${object} ${sql.raw(sort_order)}`
}

const isSearched = (asked: object): boolean =>
  'search_text' in asked && typeof asked.search_text === 'string' && asked.search_text.trim() !== ''

/**
 * Returns CTEs (named subqueries) of which the last, `page`, has the ids of one page in order. A text search first collects up to
 * `mostCounted` + 1 matches and sorts them. If there are more, it scans the list in its order instead, which fills a page after a few rows.
 */
function pageOf<K extends MirrorListId>(id: K, asked: ListInput<K>, where: SQL): SQL {
  const { table, sorts } = listOf(id)
  const key = sorts[asked.sort_by as keyof typeof sorts]
  const pageIn = (from: SQL, order: SQL, object: AnyColumn | SQL) =>
    sql`select ${object} as id, row_number() over (order by ${order}) as place from ${from}
      order by ${order} limit ${asked.page_size} offset ${(asked.page_number - 1) * asked.page_size}`
  const inOrder = (besides: SQL) => pageIn(sql`${table} where ${where}${besides}`, orderOf(asked, key, table.id), table.id)
  if (!isSearched(asked)) return sql`page as materialized (${inOrder(sql``)})`
  const isFew = sql`(select total <= ${mostCounted} from known)`
  return sql`found as materialized (select ${table.id} as id, ${key} as key from ${table} where ${where} limit ${mostCounted + 1}),
    known as materialized (select count(*) as total from found),
    page as materialized ((${pageIn(sql`found where ${isFew}`, orderOf(asked, sql`found.key`, sql`found.id`), sql`found.id`)})
      union all (${inOrder(sql` and not ${isFew}`)}))`
}

/** The count of a list's rows: all of them (`whole`), at most `mostCounted` + 1 (`short`), or 0 without counting (`none`). */
export type Counting = 'whole' | 'short' | 'none'

/** Returns the SQL that counts the matching rows, at most `most` if it is not null. */
const countOf = (table: PgTable, where: SQL, most: number | null): SQL =>
  most === null
    ? sql`select count(*) from ${table} where ${where}`
    : sql`select count(*) from (select from ${table} where ${where} limit ${most}) counted`

const countedAs = (count: Counting, table: PgTable, where: SQL): SQL =>
  count === 'none' ? sql`select 0` : countOf(table, where, count === 'short' ? mostCounted + 1 : null)

type Search<K extends MirrorListId> = { asked: ListInput<K>; place: Place }

/** Maximum rows that match the words of a search and are scanned to count all its tabs at once. */
const mostLookedAt = 5 * mostCounted

/**
 * Counts several searches for the same words in one scan. Returns null for each count that the scanned rows do not decide. The searches
 * have the same scope and differ only in some fields.
 */
async function countTogether<K extends MirrorListId>(actor: Viewer, id: K, searches: readonly Search<K>[]): Promise<(number | null)[]> {
  const [first] = searches
  if (!first || !isSearched(first.asked)) return searches.map(() => null)
  const { table, where } = listOf(id)
  const { environment } = first.place
  const isShared = ([field, value]: [string, unknown]) =>
    searches.every(({ asked }) => isDeepStrictEqual((asked as Readonly<Record<string, unknown>>)[field], value))
  const fieldsOf = (asked: ListInput<K>, shared: boolean) =>
    Object.fromEntries(Object.entries(asked).filter((field) => isShared(field) === shared)) as unknown as ListInput<K>
  const counting = searches.map(async ({ asked }) => {
    const condition = sql.join([sql`true`, ...(await where(fieldsOf(asked, false), environment))], sql` and `)
    return sql`count(*) filter (where ${condition})`
  })
  const having = await matching(id, fieldsOf(first.asked, true), actor, first.place)
  const rows = await readFor<{ looked: number; counts: number[] }>(
    limitOf(actor, first.place),
    sql`
    select count(*)::int as looked, array[${sql.join(await Promise.all(counting), sql`, `)}]::int[] as counts
    from (select * from ${table} where ${having} limit ${mostLookedAt + 1}) as ${table}`,
  )
  const [{ looked, counts }] = rows as [{ looked: number; counts: number[] }]
  return counts.map((count) => (count > mostCounted ? mostCounted + 1 : looked > mostLookedAt ? null : count))
}

/**
 * Returns the number of matches of several searches of a list in one scope, each at most `mostCounted` + 1. Uses one statement, or two if
 * many rows match the words. Inputs must be parsed by the operation's schema. Throws store errors.
 */
export async function countMirror<K extends MirrorListId>(actor: Viewer, id: K, searches: readonly Search<K>[]): Promise<number[]> {
  const { table } = listOf(id)
  const sharedCounts = await countTogether(actor, id, searches)
  const uncountedSearches = searches.filter((_, at) => sharedCounts[at] === null)
  const [first] = uncountedSearches
  if (!first) return sharedCounts.map((count) => count ?? 0)
  const counting = uncountedSearches.map(
    async ({ asked, place }) => sql`(${countOf(table, await matching(id, asked, actor, place), mostCounted + 1)})::int`,
  )
  const together = sql`select array[${sql.join(await Promise.all(counting), sql`, `)}] as counts`
  const [row] = await readFor<{ counts: number[] }>(limitOf(actor, first.place), together)
  const counts = (row?.counts ?? []).values()
  return sharedCounts.map((count) => count ?? counts.next().value ?? 0)
}

type Found = { total: number; object: Record<string, unknown> | null; account: string | null; seen: string | null }

/** Returns the object with empty metadata unless metadata was requested, like the service. */
function asAsked(id: MirrorListId, asked: object, object: Record<string, unknown>): Record<string, unknown> {
  if (!('include_metadata' in schemasOf(id).input.shape)) return object
  const shouldInclude = 'include_metadata' in asked && asked.include_metadata === true
  return { ...object, metadata: shouldInclude ? (object.metadata ?? {}) : {} }
}

/**
 * Returns a page of a list from the mirror, in the service's response format. Uses one statement, or two for a text search of payments.
 * `asked` must be parsed by the operation's schema. `besides` are further conditions. Throws store errors.
 */
export async function readMirror<K extends MirrorListId>(
  actor: Viewer,
  id: K,
  asked: ListInput<K>,
  place: Place,
  count: Counting = 'whole',
  besides?: Conditions,
): Promise<MirrorPage<K>> {
  const { table } = listOf(id)
  const where = await matching(id, asked, actor, place, besides)
  const { page_number, page_size, sort_by, sort_order } = asked
  const isFound = isSearched(asked) && count === 'short'
  const counted = isFound ? sql`select total from known` : countedAs(count, table, where)
  const rows = (await readFor<Found>(
    limitOf(actor, place),
    sql`
    with ${pageOf(id, asked, where)}
    select counted.total::int as total, shown.object, shown.account_id as account, shown.seen_at as seen
    from (${counted}) counted (total) left join page on true
    left join ${table} shown on shown.environment = ${place.environment} and shown.id = page.id order by page.place`,
  )) as [Found, ...Found[]]
  const found = rows.filter((row): row is Found & { object: Record<string, unknown> } => row.object !== null)
  const seenTimes = found.map((row) => new Date(row.seen ?? 0).getTime())
  return {
    data: found.map((row) => asAsked(id, asked, row.object)) as unknown as Output<K>,
    meta: { page_number, page_size, total_items: rows[0].total, sort_by, sort_order },
    accounts: found.map((row) => row.account),
    seenAt: seenTimes.length > 0 ? new Date(Math.min(...seenTimes)) : null,
  }
}

/**
 * A mirrored object in list form, with `record` from its last single read. `isNew` is true if the record is as new as the row. `account` is
 * null if unknown. `seen` is when the service last returned the object.
 */
export type MirrorRow<K extends MirrorListId> = {
  id: string
  object: Output<K>[number]
  record: unknown
  isNew: boolean | null
  account: string | null
  seen: string
}

/** Returns those of the objects that are mirrored and that the person can see, in one statement. Throws store errors. */
export async function readRows<K extends MirrorListId>(
  actor: Viewer,
  id: K,
  ids: readonly string[],
  place: Place,
): Promise<MirrorRow<K>[]> {
  if (ids.length === 0) return []
  const { table } = listOf(id)
  const { record, recordSeenAt } = table as Partial<Record<'record' | 'recordSeenAt', AnyColumn>>
  const isNew = sql`${recordSeenAt} = ${table.seenAt} or ${record} ->> 'updated_at' = ${table.object} ->> 'updated_at'`
  return readFor<MirrorRow<K>>(
    limitOf(actor, place),
    sql`
    select ${table.id} as id, ${table.object} as object, ${table.accountId} as account, ${table.seenAt} as seen,
      ${record ? sql`${record} as record, (${isNew}) as "isNew"` : sql`null as record, false as "isNew"`}
    from ${table} where ${visible(id, actor, place)} and ${table.id} = any(${uuids(ids)})`,
  )
}

type Shown = Readonly<Record<string, unknown>> & { id: string }

/** Returns an object of a list in the form of a single read. Fields that a list lacks are marked as unreadable. */
function listedIn(id: RecordGetId, object: Shown): Shown {
  const { all, unlisted } = fieldsAlone(id)
  if (unlisted.length === 0) return object
  const nothing = schemas[id].output.parse({ id: object.id })
  const listed = Object.fromEntries(Object.entries(object).filter(([field]) => all.includes(field)))
  return { ...nothing, ...listed, id: object.id, unreadable: [...unreadableIn(object), ...unlisted.map((field) => ({ field, raw: '' }))] }
}

/**
 * Returns one object from the mirror; null if it is not mirrored or the person may not see it. Returns the last single read if it is as new
 * as the row, otherwise the list form. Throws store errors.
 */
export async function readMirrored<K extends RecordGetId>(
  actor: Viewer,
  id: K,
  object: string,
  { environment, accountId }: Place,
): Promise<{ data: Output<K>; account: string | null; seenAt: string } | null> {
  const resource = resourceOf(id) as RecordResource
  const list = (tableOf(resource) === 'payments' ? 'payments.search' : `${resource}.list`) as MirrorListId
  // Operations without an account header ignore the account scope. The person's own account limit still applies.
  const scope = { environment, accountId: serviceOperation(id).scope === 'forbidden' ? null : accountId }
  const [row] = await readRows(actor, list, [object], scope)
  if (!row || ('payment_type' in row.object && `${row.object.payment_type}s` !== resource)) return null
  const data = row.record && row.isNew ? row.record : listedIn(id, row.object as Shown)
  return { data: data as Output<K>, account: row.account, seenAt: new Date(row.seen).toISOString() }
}

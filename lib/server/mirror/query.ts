import 'server-only'
import { isDeepStrictEqual } from 'node:util'
import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { getUnreadableFields, type PageMeta } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import { maxCountedRows } from '@/lib/operations/list-count'
import { getSchemas, type Output, schemasByOperation } from '@/lib/operations/registry'
import {
  getServiceOperation,
  type MirrorListId,
  type RecordGetId,
  toServiceResource,
} from '@/lib/operations/service-operations'
import type { RecordResource } from '@/lib/routes'
import { getGrantedAccounts } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { readRowsForAccounts } from '@/lib/server/store/read-for-accounts'
import { type Conditions, equals } from './conditions'
import { toUuidArray } from './forget'
import { findMirrorList, type ListInput } from './lists'
import { getRecordFieldNames, toTableResource } from './mirrored'

/**
 * `accounts` has the account of each row, null if unknown. `seenAt` is the earliest of the times at
 * which the service last returned a row.
 */
export type MirrorPage<K extends MirrorListId> = {
  data: Output<K>
  meta: PageMeta
  accounts: readonly (string | null)[]
  seenAt: Date | null
}

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

/** Null if there is no limit. `readRowsForAccounts` enforces this limit in the database as well. */
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
      : accounts && [sql`${table.accountId} = any(${toUuidArray(accounts)})`]
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

/** The id makes the order of rows with equal keys the same on every page. */
function toOrderBy(
  { sort_by, sort_order }: { sort_by: string; sort_order: 'asc' | 'desc' },
  key: AnyColumn | SQL,
  idColumn: AnyColumn | SQL,
): SQL {
  const direction = sort_order === 'asc' ? sql`asc nulls first` : sql`desc nulls last`
  return sort_by === 'id'
    ? sql`${idColumn} ${sql.raw(sort_order)}`
    : sql`${key} ${direction}, ${idColumn} ${sql.raw(sort_order)}`
}

const hasSearchText = (input: object): boolean =>
  'search_text' in input && typeof input.search_text === 'string' && input.search_text.trim() !== ''

/**
 * A text search first collects up to `maxCountedRows` + 1 matches and sorts them. If there are more
 * than `maxCountedRows`, it scans the list in its order instead, which fills a page after a few rows.
 */
function buildPageCtes<K extends MirrorListId>(id: K, input: ListInput<K>, where: SQL): SQL {
  const { table, sorts } = findMirrorList(id)
  const sortColumn = sorts[input.sort_by as keyof typeof sorts]
  const selectPage = (from: SQL, order: SQL, idColumn: AnyColumn | SQL) =>
    sql`select ${idColumn} as id, row_number() over (order by ${order}) as place from ${from}
      order by ${order} limit ${input.page_size} offset ${(input.page_number - 1) * input.page_size}`
  const selectInOrder = (extraCondition: SQL) =>
    selectPage(
      sql`${table} where ${where}${extraCondition}`,
      toOrderBy(input, sortColumn, table.id),
      table.id,
    )
  if (!hasSearchText(input)) return sql`page as materialized (${selectInOrder(sql``)})`
  const hasFewMatches = sql`(select total <= ${maxCountedRows} from known)`
  return sql`found as materialized (select ${table.id} as id, ${sortColumn} as key from ${table} where ${where} limit ${maxCountedRows + 1}),
    known as materialized (select count(*) as total from found),
    page as materialized ((${selectPage(sql`found where ${hasFewMatches}`, toOrderBy(input, sql`found.key`, sql`found.id`), sql`found.id`)})
      union all (${selectInOrder(sql` and not ${hasFewMatches}`)}))`
}

/** `whole` counts all rows, `short` at most `maxCountedRows` + 1, and `none` returns 0. */
export type CountMode = 'whole' | 'short' | 'none'

const toCountQuery = (table: PgTable, where: SQL, maxCount: number | null): SQL =>
  maxCount === null
    ? sql`select count(*) from ${table} where ${where}`
    : sql`select count(*) from (select from ${table} where ${where} limit ${maxCount}) counted`

const toCountQueryByMode = (mode: CountMode, table: PgTable, where: SQL): SQL =>
  mode === 'none'
    ? sql`select 0`
    : toCountQuery(table, where, mode === 'short' ? maxCountedRows + 1 : null)

type ListSearch<K extends MirrorListId> = { asked: ListInput<K>; place: ListScope }

/** Maximum number of rows that one scan reads to count several searches for the same words. */
const maxScannedRows = 5 * maxCountedRows

/** The searches share scope and words. A count is null if the scan reached its row limit first. */
async function countInOneScan<K extends MirrorListId>(
  actor: Viewer,
  id: K,
  searches: readonly ListSearch<K>[],
): Promise<(number | null)[]> {
  const [first] = searches
  if (!first || !hasSearchText(first.asked)) return searches.map(() => null)
  const { table, where } = findMirrorList(id)
  const { environment } = first.place
  const isShared = ([field, value]: [string, unknown]) =>
    searches.every(({ asked }) =>
      isDeepStrictEqual((asked as Readonly<Record<string, unknown>>)[field], value),
    )
  const pickFields = (input: ListInput<K>, shouldBeShared: boolean) =>
    Object.fromEntries(
      Object.entries(input).filter((field) => isShared(field) === shouldBeShared),
    ) as unknown as ListInput<K>
  const countExpressions = searches.map(async ({ asked }) => {
    const condition = sql.join(
      [sql`true`, ...(await where(pickFields(asked, false), environment))],
      sql` and `,
    )
    return sql`count(*) filter (where ${condition})`
  })
  const sharedCondition = await toMatchingRowsCondition(
    id,
    pickFields(first.asked, true),
    actor,
    first.place,
  )
  const rows = await readRowsForAccounts<{ looked: number; counts: number[] }>(
    findGrantedAccountIds(actor, first.place),
    sql`
    select count(*)::int as looked, array[${sql.join(await Promise.all(countExpressions), sql`, `)}]::int[] as counts
    from (select * from ${table} where ${sharedCondition} limit ${maxScannedRows + 1}) as ${table}`,
  )
  const [{ looked, counts }] = rows as [{ looked: number; counts: number[] }]
  return counts.map((count) =>
    count > maxCountedRows ? maxCountedRows + 1 : looked > maxScannedRows ? null : count,
  )
}

/**
 * Returns the number of rows of each search, at most `maxCountedRows` + 1. All searches are in the same
 * environment and account. Their inputs must have passed the list's schema.
 */
export async function countMirrorRows<K extends MirrorListId>(
  actor: Viewer,
  id: K,
  searches: readonly ListSearch<K>[],
): Promise<number[]> {
  const { table } = findMirrorList(id)
  const sharedCounts = await countInOneScan(actor, id, searches)
  const uncountedSearches = searches.filter((_, at) => sharedCounts[at] === null)
  const [first] = uncountedSearches
  if (!first) return sharedCounts.map((count) => count ?? 0)
  const countQueries = uncountedSearches.map(
    async ({ asked, place }) =>
      sql`(${toCountQuery(table, await toMatchingRowsCondition(id, asked, actor, place), maxCountedRows + 1)})::int`,
  )
  const countsQuery = sql`select array[${sql.join(await Promise.all(countQueries), sql`, `)}] as counts`
  const [row] = await readRowsForAccounts<{ counts: number[] }>(
    findGrantedAccountIds(actor, first.place),
    countsQuery,
  )
  const counts = (row?.counts ?? []).values()
  return sharedCounts.map((count) => count ?? counts.next().value ?? 0)
}

type PageRow = {
  total: number
  object: Record<string, unknown> | null
  account: string | null
  seen: string | null
}

/** The service also returns empty metadata if the request did not ask for it. */
function omitUnrequestedMetadata(
  id: MirrorListId,
  input: object,
  object: Record<string, unknown>,
): Record<string, unknown> {
  if (!('include_metadata' in getSchemas(id).input.shape)) return object
  const shouldInclude = 'include_metadata' in input && input.include_metadata === true
  return { ...object, metadata: shouldInclude ? (object.metadata ?? {}) : {} }
}

/** Uses the response format of the service. `input` must be parsed by the operation's schema. */
export async function readMirrorPage<K extends MirrorListId>(
  actor: Viewer,
  id: K,
  input: ListInput<K>,
  listScope: ListScope,
  countMode: CountMode = 'whole',
  extraConditions?: Conditions,
): Promise<MirrorPage<K>> {
  const { table } = findMirrorList(id)
  const where = await toMatchingRowsCondition(id, input, actor, listScope, extraConditions)
  const { page_number, page_size, sort_by, sort_order } = input
  const usesSearchCount = hasSearchText(input) && countMode === 'short'
  const totalQuery = usesSearchCount
    ? sql`select total from known`
    : toCountQueryByMode(countMode, table, where)
  const rows = (await readRowsForAccounts<PageRow>(
    findGrantedAccountIds(actor, listScope),
    sql`
    with ${buildPageCtes(id, input, where)}
    select counted.total::int as total, shown.object, shown.account_id as account, shown.seen_at as seen
    from (${totalQuery}) counted (total) left join page on true
    left join ${table} shown on shown.environment = ${listScope.environment} and shown.id = page.id order by page.place`,
  )) as [PageRow, ...PageRow[]]
  const foundRows = rows.filter(
    (row): row is PageRow & { object: Record<string, unknown> } => row.object !== null,
  )
  const seenTimes = foundRows.map((row) => new Date(row.seen ?? 0).getTime())
  return {
    data: foundRows.map((row) =>
      omitUnrequestedMetadata(id, input, row.object),
    ) as unknown as Output<K>,
    meta: { page_number, page_size, total_items: rows[0].total, sort_by, sort_order },
    accounts: foundRows.map((row) => row.account),
    seenAt: seenTimes.length > 0 ? new Date(Math.min(...seenTimes)) : null,
  }
}

/**
 * `record` is the object from its last single read, which has more fields. `isNew` is true if
 * `record` is as new as the row. `seen` is when the service last returned the object.
 */
export type MirrorRow<K extends MirrorListId> = {
  id: string
  object: Output<K>[number]
  record: unknown
  isNew: boolean | null
  account: string | null
  seen: string
}

/** Omits objects that are not mirrored or that the person cannot see. */
export async function readMirrorRows<K extends MirrorListId>(
  actor: Viewer,
  id: K,
  ids: readonly string[],
  listScope: ListScope,
): Promise<MirrorRow<K>[]> {
  if (ids.length === 0) return []
  const { table } = findMirrorList(id)
  const { record, recordSeenAt } = table as Partial<Record<'record' | 'recordSeenAt', AnyColumn>>
  const isRecordCurrent = sql`${recordSeenAt} = ${table.seenAt} or ${record} ->> 'updated_at' = ${table.object} ->> 'updated_at'`
  return readRowsForAccounts<MirrorRow<K>>(
    findGrantedAccountIds(actor, listScope),
    sql`
    select ${table.id} as id, ${table.object} as object, ${table.accountId} as account, ${table.seenAt} as seen,
      ${record ? sql`${record} as record, (${isRecordCurrent}) as "isNew"` : sql`null as record, false as "isNew"`}
    from ${table} where ${toVisibleRowsCondition(id, actor, listScope)} and ${table.id} = any(${toUuidArray(ids)})`,
  )
}

type ListObject = Readonly<Record<string, unknown>> & { id: string }

/** Marks the fields that lists lack as unreadable. */
function toRecordObject(id: RecordGetId, object: ListObject): ListObject {
  const { all, unlisted } = getRecordFieldNames(id)
  if (unlisted.length === 0) return object
  const emptyRecord = schemasByOperation[id].output.parse({ id: object.id })
  const listedFields = Object.fromEntries(
    Object.entries(object).filter(([field]) => all.includes(field)),
  )
  return {
    ...emptyRecord,
    ...listedFields,
    id: object.id,
    unreadable: [...getUnreadableFields(object), ...unlisted.map((field) => ({ field, raw: '' }))],
  }
}

/** Returns the last single read if it is as new as the row, else the list form. */
export async function readMirrorObject<K extends RecordGetId>(
  actor: Viewer,
  id: K,
  objectId: string,
  { environment, accountId }: ListScope,
): Promise<{ data: Output<K>; account: string | null; seenAt: string } | null> {
  const resource = toServiceResource(id) as RecordResource
  const mirrorListId = (
    toTableResource(resource) === 'payments' ? 'payments.search' : `${resource}.list`
  ) as MirrorListId
  // Operations without an account header ignore the scope; the person's own limit still applies.
  const scope = {
    environment,
    accountId: getServiceOperation(id).scope === 'forbidden' ? null : accountId,
  }
  const [row] = await readMirrorRows(actor, mirrorListId, [objectId], scope)
  if (!row || ('payment_type' in row.object && `${row.object.payment_type}s` !== resource))
    return null
  const data = row.record && row.isNew ? row.record : toRecordObject(id, row.object as ListObject)
  return { data: data as Output<K>, account: row.account, seenAt: new Date(row.seen).toISOString() }
}

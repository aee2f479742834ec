import 'server-only'
import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { getUnreadableFields, type PageMeta } from '@/lib/operations/answer'
import { maxCountedRows } from '@/lib/operations/list-count'
import { getSchemas, type Output, schemasByOperation } from '@/lib/operations/registry'
import {
  getAccountHeaderRule,
  type MirrorListId,
  type RecordGetId,
  toServiceResource,
} from '@/lib/operations/service-operations'
import type { RecordResource } from '@/lib/routes'
import { getIntegration } from '@/lib/server/config/integration'
import { readRowsForAccounts } from '@/lib/server/store/read-for-accounts'
import type { Conditions } from './conditions'
import { type CountMode, hasSearchText, toCountQueryByMode } from './counts'
import { toUuidArraySql } from './forget'
import { findMirrorList, type ListInput } from './lists'
import { getRecordFieldNames, toMirrorTableResource } from './mirrored'
import {
  findGrantedAccountIds,
  type ListScope,
  toMatchingRowsCondition,
  toVisibleRowsCondition,
  type Viewer,
} from './row-visibility'

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

/**
 * A text search first collects up to `maxCountedRows` + 1 matches and sorts them. If there are more
 * than `maxCountedRows`, it scans the list in its order instead, which fills a page after a few
 * rows.
 */
function buildPageCtes<K extends MirrorListId>(id: K, input: ListInput<K>, where: SQL): SQL {
  const { table, sorts } = findMirrorList(id)
  const sortColumn = sorts[input.sort_by as keyof typeof sorts]
  const buildPageSql = (from: SQL, order: SQL, idColumn: AnyColumn | SQL) =>
    sql`select ${idColumn} as id, row_number() over (order by ${order}) as place from ${from}
      order by ${order} limit ${input.page_size} offset ${(input.page_number - 1) * input.page_size}`
  const buildOrderedPageSql = (extraCondition: SQL) =>
    buildPageSql(
      sql`${table} where ${where}${extraCondition}`,
      toOrderBy(input, sortColumn, table.id),
      table.id,
    )
  if (!hasSearchText(input)) return sql`page as materialized (${buildOrderedPageSql(sql``)})`
  const hasFewMatches = sql`(select total <= ${maxCountedRows} from known)`
  return sql`found as materialized (select ${table.id} as id, ${sortColumn} as key from ${table} where ${where} limit ${maxCountedRows + 1}),
    known as materialized (select count(*) as total from found),
    page as materialized ((${buildPageSql(sql`found where ${hasFewMatches}`, toOrderBy(input, sql`found.key`, sql`found.id`), sql`found.id`)})
      union all (${buildOrderedPageSql(sql` and not ${hasFewMatches}`)}))`
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
  const rowsWithObject = rows.filter(
    (row): row is PageRow & { object: Record<string, unknown> } => row.object !== null,
  )
  const seenTimes = rowsWithObject.map((row) => new Date(row.seen ?? 0).getTime())
  return {
    data: rowsWithObject.map((row) =>
      omitUnrequestedMetadata(id, input, row.object),
    ) as unknown as Output<K>,
    meta: { page_number, page_size, total_items: rows[0].total, sort_by, sort_order },
    accounts: rowsWithObject.map((row) => row.account),
    seenAt: seenTimes.length > 0 ? new Date(Math.min(...seenTimes)) : null,
  }
}

/** Returns the ids of all matching rows, in the order of the list. */
export async function readMirrorIds<K extends MirrorListId>(
  actor: Viewer,
  id: K,
  input: ListInput<K>,
  listScope: ListScope,
): Promise<string[]> {
  const { table, sorts } = findMirrorList(id)
  const sortColumn = sorts[input.sort_by as keyof typeof sorts]
  const where = await toMatchingRowsCondition(id, input, actor, listScope)
  const rows = await readRowsForAccounts<{ id: string }>(
    findGrantedAccountIds(actor, listScope),
    sql`select ${table.id} as id from ${table} where ${where} order by ${toOrderBy(input, sortColumn, table.id)}`,
  )
  return rows.map((row) => row.id)
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
    from ${table} where ${toVisibleRowsCondition(id, actor, listScope)} and ${table.id} = any(${toUuidArraySql(ids)})`,
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
    toMirrorTableResource(resource) === 'payments' ? 'payments.search' : `${resource}.list`
  ) as MirrorListId
  // Operations without an account header ignore the scope; the person's own limit still applies.
  const scope = {
    environment,
    accountId:
      getAccountHeaderRule(id, getIntegration(environment)) === 'forbidden' ? null : accountId,
  }
  const [row] = await readMirrorRows(actor, mirrorListId, [objectId], scope)
  if (!row || ('payment_type' in row.object && `${row.object.payment_type}s` !== resource))
    return null
  const recordObject =
    row.record && row.isNew ? row.record : toRecordObject(id, row.object as ListObject)
  return {
    data: recordObject as Output<K>,
    account: row.account,
    seenAt: new Date(row.seen).toISOString(),
  }
}

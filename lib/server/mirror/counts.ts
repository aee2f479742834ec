import 'server-only'
import { isDeepStrictEqual } from 'node:util'
import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { maxCountedRows } from '@/lib/operations/list-count'
import type { MirrorListId } from '@/lib/operations/service-operations'
import { readRowsForAccounts } from '@/lib/server/store/read-for-accounts'
import { findMirrorList, type ListInput } from './lists'
import {
  findGrantedAccountIds,
  type ListScope,
  toMatchingRowsCondition,
  type Viewer,
} from './row-visibility'

export const hasSearchText = (input: object): boolean =>
  'search_text' in input && typeof input.search_text === 'string' && input.search_text.trim() !== ''

/** `whole` counts all rows, `short` at most `maxCountedRows` + 1, and `none` returns 0. */
export type CountMode = 'whole' | 'short' | 'none'

const toCountQuery = (table: PgTable, where: SQL, maxCount: number | null): SQL =>
  maxCount === null
    ? sql`select count(*) from ${table} where ${where}`
    : sql`select count(*) from (select from ${table} where ${where} limit ${maxCount}) counted`

export const toCountQueryByMode = (mode: CountMode, table: PgTable, where: SQL): SQL =>
  mode === 'none'
    ? sql`select 0`
    : toCountQuery(table, where, mode === 'short' ? maxCountedRows + 1 : null)

type ListSearch<K extends MirrorListId> = { asked: ListInput<K>; place: ListScope }

/** Maximum number of rows that one scan reads to count several searches for the same words. */
const maxScannedRows = 5 * maxCountedRows

/**
 * Counts all searches, which share scope and words, in one scan. A count is null if the scan
 * reached its row limit first.
 */
async function countInOneScan<K extends MirrorListId>(
  actor: Viewer,
  id: K,
  searches: readonly ListSearch<K>[],
): Promise<(number | null)[]> {
  const [first] = searches
  if (!first || !hasSearchText(first.asked)) return searches.map(() => null)
  const { table, where } = findMirrorList(id)
  const { environment } = first.place
  const isSharedField = ([field, value]: [string, unknown]) =>
    searches.every(({ asked }) =>
      isDeepStrictEqual((asked as Readonly<Record<string, unknown>>)[field], value),
    )
  const pickFields = (input: ListInput<K>, shouldBeShared: boolean) =>
    Object.fromEntries(
      Object.entries(input).filter((field) => isSharedField(field) === shouldBeShared),
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
 * Returns the number of rows of each search, at most `maxCountedRows` + 1. All searches are in the
 * same environment and account. Their inputs must have passed the list's schema.
 */
export async function countMirrorRows<K extends MirrorListId>(
  actor: Viewer,
  id: K,
  searches: readonly ListSearch<K>[],
): Promise<number[]> {
  const { table } = findMirrorList(id)
  const oneScanCounts = await countInOneScan(actor, id, searches)
  const uncountedSearches = searches.filter((_, at) => oneScanCounts[at] === null)
  const [first] = uncountedSearches
  if (!first) return oneScanCounts.map((count) => count ?? 0)
  const countQueries = uncountedSearches.map(
    async ({ asked, place }) =>
      sql`(${toCountQuery(table, await toMatchingRowsCondition(id, asked, actor, place), maxCountedRows + 1)})::int`,
  )
  const countsQuery = sql`select array[${sql.join(await Promise.all(countQueries), sql`, `)}] as counts`
  const [row] = await readRowsForAccounts<{ counts: number[] }>(
    findGrantedAccountIds(actor, first.place),
    countsQuery,
  )
  const remainingCounts = (row?.counts ?? []).values()
  return oneScanCounts.map((count) => count ?? remainingCounts.next().value ?? 0)
}

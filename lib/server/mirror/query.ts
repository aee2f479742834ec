import 'server-only'
import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { PageMeta } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import { mostCounted } from '@/lib/operations/list-count'
import { type Output, schemasOf } from '@/lib/operations/registry'
import { type MirrorListId, serviceOperation } from '@/lib/operations/service-operations'
import { accountsGranted, type ScopedAccount } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { database } from '@/lib/server/store/store'
import { equals } from './conditions'
import { uuids } from './forget'
import { type ListInput, listOf } from './lists'

/** A page of a list as the mirror has it. `accounts` are those of its rows, null where nobody knows; `seenAt` is when the row was seen that is longest ago. */
export type MirrorPage<K extends MirrorListId> = {
  data: Output<K>
  meta: PageMeta
  accounts: readonly (string | null)[]
  seenAt: Date | null
}

/**
 * The accounts whose rows somebody may see in a scope; null is every row, also those whose account nobody knows. Whoever is limited to some accounts
 * sees no others, whatever the scope.
 */
function accountsIn(id: MirrorListId, actor: Pick<Actor, 'grants'>, { environment, accountId }: ScopedAccount): readonly string[] | null {
  const granted = accountsGranted(actor.grants, environment)
  // Where each row is an account, the scope is none of them: people see all of theirs.
  const named = accountId === null || serviceOperation(id).accountFrom === 'answer' ? null : [accountId]
  return granted && named ? named.filter((account) => granted.includes(account)) : (named ?? granted)
}

type Place = { environment: Environment; accounts: readonly string[] | null }

async function whereOf<K extends MirrorListId>(id: K, asked: ListInput<K>, { environment, accounts }: Place): Promise<SQL> {
  const { table, where } = listOf(id)
  // One account is compared as such: only then is what is found in the order of an index.
  const own =
    accounts?.length === 1 ? equals(table.accountId, accounts[0]) : accounts && [sql`${table.accountId} = any(${uuids(accounts)})`]
  return sql.join([sql`${table.environment} = ${environment}`, ...(own ?? []), ...(await where(asked, environment))], sql` and `)
}

/** By what was asked for, then by id: what is equal keeps its place from page to page. */
function orderOf<K extends MirrorListId>(id: K, { sort_by, sort_order }: Pick<ListInput<K>, 'sort_by' | 'sort_order'>): SQL {
  const { table, sorts } = listOf(id)
  const key = sorts[sort_by as keyof typeof sorts]
  const way = sort_order === 'asc' ? sql`asc nulls first` : sql`desc nulls last`
  return sort_by === 'id' ? sql`${table.id} ${sql.raw(sort_order)}` : sql`${key} ${way}, ${table.id} ${sql.raw(sort_order)}`
}

/** `short` counts what matches no further than one beyond `mostCounted`. */
export type Counting = 'whole' | 'short'

/** The rows that match, counted as far as `most`; all of them where there is none. */
const countOf = (table: PgTable, where: SQL, most: number | null): SQL =>
  most === null
    ? sql`select count(*) from ${table} where ${where}`
    : sql`select count(*) from (select from ${table} where ${where} limit ${most}) counted`

/**
 * How many rows match each of some searches of a list, in one statement; no further than one beyond `mostCounted`. They were parsed by the operation's schema.
 * Throws what the store throws.
 */
export async function countMirror<K extends MirrorListId>(
  actor: Pick<Actor, 'grants'>,
  id: K,
  searches: readonly { asked: ListInput<K>; scope: ScopedAccount }[],
): Promise<number[]> {
  const { table } = listOf(id)
  const counting = searches.map(async ({ asked, scope }) => {
    const where = await whereOf(id, asked, { environment: scope.environment, accounts: accountsIn(id, actor, scope) })
    return sql`(${countOf(table, where, mostCounted + 1)})::int`
  })
  const db = await database()
  const { rows } = (await db.execute(sql`select array[${sql.join(await Promise.all(counting), sql`, `)}] as counts`)) as unknown as {
    rows: [{ counts: number[] }]
  }
  return rows[0].counts
}

type Found = { total: number; object: Record<string, unknown> | null; account: string | null; seen: string | null }

/** Whoever does not ask for metadata gets none, as from the service. */
function asAsked(id: MirrorListId, asked: object, object: Record<string, unknown>): Record<string, unknown> {
  if (!('include_metadata' in schemasOf(id).input.shape)) return object
  const wanted = 'include_metadata' in asked && asked.include_metadata === true
  return { ...object, metadata: wanted ? (object.metadata ?? {}) : {} }
}

/**
 * A list as the service would answer it, from the mirror, in one statement or, where it searches payments for words, in two; `asked` was parsed by the operation's
 * schema. Throws what the store throws.
 */
export async function readMirror<K extends MirrorListId>(
  actor: Pick<Actor, 'grants'>,
  id: K,
  asked: ListInput<K>,
  scope: ScopedAccount,
  count: Counting = 'whole',
): Promise<MirrorPage<K>> {
  const { table } = listOf(id)
  const where = await whereOf(id, asked, { environment: scope.environment, accounts: accountsIn(id, actor, scope) })
  const order = orderOf(id, asked)
  const { page_number, page_size, sort_by, sort_order } = asked
  const db = await database()
  const { rows } = (await db.execute(sql`
    with page as materialized (
      select ${table.id} as id, row_number() over (order by ${order}) as place
      from ${table} where ${where} order by ${order} limit ${page_size} offset ${(page_number - 1) * page_size})
    select matching.total::int as total, shown.object, shown.account_id as account, shown.seen_at as seen
    from (${countOf(table, where, count === 'short' ? mostCounted + 1 : null)}) matching (total) left join page on true
    left join ${table} shown on shown.environment = ${scope.environment} and shown.id = page.id order by page.place`)) as unknown as {
    rows: [Found, ...Found[]]
  }
  const found = rows.filter((row): row is Found & { object: Record<string, unknown> } => row.object !== null)
  const seen = found.map((row) => new Date(row.seen ?? 0).getTime())
  return {
    data: found.map((row) => asAsked(id, asked, row.object)) as unknown as Output<K>,
    meta: { page_number, page_size, total_items: rows[0].total, sort_by, sort_order },
    accounts: found.map((row) => row.account),
    seenAt: seen.length > 0 ? new Date(Math.min(...seen)) : null,
  }
}

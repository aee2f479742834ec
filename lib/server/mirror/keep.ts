import 'server-only'
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Environment } from '@/lib/operations/define'
import { noticesOfRows } from '@/lib/server/store/notices'
import type { SeenBy } from '@/lib/server/store/schema/columns'
import { mirrorCustomers, mirrorForgotten } from '@/lib/server/store/schema/mirror'
import { mirrorPayments } from '@/lib/server/store/schema/mirror-payments'
import { type Db, database } from '@/lib/server/store/store'
import { timeIn } from './columns'
import { nameless, uuids } from './forget'
import { type Given, type MirroredResource, mirrored, tableOf } from './mirrored'
import { isLetGo, keptSince } from './retention'

export type Seeing<K extends MirroredResource> = {
  environment: Environment
  resource: K
  /** The account to which the objects certainly belong; null if unknown. Ignored for objects that contain their account. */
  account: string | null
  /** Objects that the operation's output schema parsed, never the raw response. */
  objects: readonly Given[K][]
  seenBy: SeenBy
  /** When the request was sent, or when the webhook arrived. */
  seenAt: Date
  /** The request that returned the objects. The page that sent it is not notified of the change. */
  shownBy?: string
}

/** A row that is new, or whose object changed. */
type Change = { id: string; account: string | null; isNew: boolean }

type Stated = { updated_at?: string | undefined; status_details?: { changed_at?: string | undefined } | undefined }
type Line = { id: string; version_at: string | null; changed_at: string | null } & Readonly<Record<string, unknown>>

/** Accepted difference between the service's clock and ours (milliseconds). */
const clockTolerance = 5 * 60_000

/** Limits a time of change to shortly after the object was seen: a row with a time in the far future would never be replaced. */
const noLater = (time: string | null, seenAt: Date): string | null => {
  const last = new Date(seenAt.getTime() + clockTolerance).toISOString()
  return time !== null && time > last ? last : time
}

function lineOf<K extends MirroredResource>({ resource, account, seenAt }: Seeing<K>, given: Given[K]): Line {
  const { object, record, columns, account: own } = mirrored[resource].row(given)
  const { updated_at, status_details } = object as Stated
  const changedAt = noLater(timeIn(status_details?.changed_at), seenAt)
  return {
    ...columns,
    ...{ object, record, id: object.id, account_id: own === undefined ? account : own },
    ...{ version_at: noLater(timeIn(updated_at), seenAt) ?? changedAt, changed_at: changedAt },
  }
}

const isOlder = (one: Line, other: Line): boolean =>
  [one.version_at ?? '', one.changed_at ?? ''].join() < [other.version_at ?? '', other.changed_at ?? ''].join()

/**
 * Returns one row to write per object, its newest version, because a statement can update a row only once. They are sorted by id, so that
 * parallel writers cannot deadlock.
 */
function linesOf<K extends MirroredResource>(seeing: Seeing<K>): Line[] {
  const lines = new Map<string, Line>()
  for (const line of seeing.objects.map((object) => lineOf(seeing, object))) {
    const before = lines.get(line.id)
    if (!before || !isOlder(line, before)) lines.set(line.id, line)
  }
  return [...lines.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
}

const listOf = (parts: readonly SQL[]): SQL => sql.join([...parts], sql`, `)
/** Returns the columns that are written from an object, with their SQL types. */
const namesOf = (table: PgTable): Map<string, string> =>
  new Map(
    Object.values(getTableColumns(table)).flatMap((column) =>
      column.name === 'account_asked' ? [] : [[column.name, column.getSQLType()]],
    ),
  )

/** Columns with the same value in all rows of a statement, so they are not in `Line`. */
const ofAll = new Set(['environment', 'seen_at', 'seen_by', 'record_seen_at'])

/** Returns the rows to write as an SQL table. */
function recordset(names: ReadonlyMap<string, string>, lines: readonly Line[]): SQL {
  const read = [...names].filter(([name]) => !ofAll.has(name))
  const typed = read.map(([name, type]) => sql`${sql.identifier(name)} ${sql.raw(type === 'tsvector' ? 'text[]' : type)}`)
  return sql`jsonb_to_recordset(${JSON.stringify(lines)}::text::jsonb) as g(${listOf(typed)})`
}

/** Returns the columns that are computed and not copied from `Line`. Alias `f` is the deletion record of the customer, `c` the customer. */
function valuesOf(table: PgTable, { environment, seenBy, seenAt }: Seeing<MirroredResource>): Readonly<Record<string, SQL>> {
  const at = sql`${seenAt.toISOString()}::timestamptz`
  const namelessIfForgotten = (object: SQL) => sql`case when f.id is null then ${object} else ${nameless(object, sql`g.customer_id`)} end`
  return {
    environment: sql`${environment}::text`,
    ...(hasCustomer(table) ? { account_id: sql`coalesce(g.account_id, c.account_id)` } : {}),
    seen_by: sql`${seenBy}::text`,
    seen_at: at,
    record_seen_at: sql`case when g.record is not null then ${at} end`,
    words: sql`array_to_tsvector(g.words)`,
    ...(table === mirrorPayments ? { object: namelessIfForgotten(sql`g.object`), record: namelessIfForgotten(sql`g.record`) } : {}),
  }
}

const hasCustomer = (table: PgTable): boolean => namesOf(table).has('customer_id')

/** Returns the condition that omits payments past retention, unless they are already stored. */
function unlessLetGo(environment: Environment): SQL {
  const since = keptSince()
  if (!since) return sql``
  const isStored = sql`exists (select from ${mirrorPayments} k where k.environment = ${environment} and k.id = g.id)`
  return sql` where not ${isLetGo(sql`g`, since)} or ${isStored}`
}

function joins(table: PgTable, environment: Environment): SQL {
  const customer = sql` left join ${mirrorCustomers} c on c.environment = ${environment} and c.id = g.customer_id`
  const forgotten = (id: SQL) => sql` left join ${mirrorForgotten} f on f.environment = ${environment} and f.id = ${id}`
  if (table === mirrorCustomers) return sql`${forgotten(sql`g.id`)} where f.id is null`
  if (table === mirrorPayments) return sql`${customer}${forgotten(sql`g.customer_id`)}${unlessLetGo(environment)}`
  if (hasCustomer(table)) return sql`${customer}${forgotten(sql`g.customer_id`)} where f.id is null`
  return sql``
}

/**
 * SQL condition: the new object is not older than the row. Compares the version, then the time of the state change, then the time at which
 * each was seen. A value that only one of them has is not compared. A later response of the service always replaces the object of a
 * webhook.
 */
const isNewer = sql`((t.seen_by = 'webhook' and excluded.seen_by <> 'webhook' and excluded.seen_at > t.seen_at) or (coalesce(excluded.version_at, t.version_at, '-infinity'), coalesce(excluded.changed_at, t.changed_at, '-infinity'), excluded.seen_at)
  >= (coalesce(t.version_at, excluded.version_at, '-infinity'), coalesce(t.changed_at, excluded.changed_at, '-infinity'), t.seen_at))`

/** Returns the value of a column when a newer object replaces the row. */
function replacing(name: string, table: PgTable): SQL {
  const [fresh, known] = [sql`excluded.${sql.identifier(name)}`, sql`t.${sql.identifier(name)}`]
  // A list has fewer fields than a single read, so it does not replace `record`.
  if (name === 'record' || name === 'record_seen_at') return sql`coalesce(${fresh}, ${known})`
  if (name !== 'object' || table !== mirrorPayments) return fresh
  return sql`case when ${fresh} ? 'metadata' then ${fresh} else ${fresh} || jsonb_build_object('metadata', coalesce(${known} -> 'metadata', '{}')) end`
}

function changesOf(names: ReadonlyMap<string, string>, table: PgTable): SQL {
  const rest = [...names.keys()].filter((name) => !['environment', 'id', 'account_id'].includes(name))
  const sets = rest.map(
    (name) => sql`${sql.identifier(name)} = case when ${isNewer} then ${replacing(name, table)} else t.${sql.identifier(name)} end`,
  )
  const account = sql`account_id = case when excluded.seen_by = 'webhook' then coalesce(t.account_id, excluded.account_id) else coalesce(excluded.account_id, t.account_id) end`
  return listOf([account, ...sets])
}

/** Commits without waiting for the disk. A power failure loses the newest rows with the sync position, so the sync reads them again. */
const unforced = sql`(select set_config('synchronous_commit', 'off', true)) unforced`

/**
 * Inserts or updates objects in one statement and notifies all instances. Returns the changed rows.
 * `object` is the list form. `record` is the last single read, which a list does not change. A row is replaced only by a newer version, or
 * by the same version seen later. A known account is kept if the new object has none. `within` is the transaction to use.
 */
export async function keepObjects<K extends MirroredResource>(seeing: Seeing<K>, within?: Db): Promise<Change[]> {
  const { table } = mirrored[seeing.resource]
  const lines = linesOf(seeing)
  if (lines.length === 0) return []
  const names = namesOf(table)
  const into = listOf([...names.keys()].map((name) => sql`${sql.identifier(name)}`))
  const columnValues = valuesOf(table, seeing)
  const values = listOf([...names.keys()].map((name) => columnValues[name] ?? sql`g.${sql.identifier(name)}`))
  const db = within ?? (await database())
  const { rows } = (await db.execute(sql`
    with before as materialized (select id, account_id, object from ${table} where environment = ${seeing.environment} and id = any(${uuids(lines.map(({ id }) => id))})),
    kept as (
      insert into ${table} as t (${into}) select ${values} from ${recordset(names, lines)} cross join ${unforced} ${joins(table, seeing.environment)} order by g.id
      on conflict (environment, id) do update set ${changesOf(names, table)}
      where ${isNewer} or (t.account_id is null and excluded.account_id is not null)
      returning id, account_id, object),
    changed as materialized (
      select kept.id, kept.account_id as account, before.id is null as "isNew", before.object is distinct from kept.object as "isOther"
      from kept left join before on before.id = kept.id
      where before.object is distinct from kept.object or before.account_id is distinct from kept.account_id),
    told as materialized (${noticesOfRows({ environment: seeing.environment, resource: tableOf(seeing.resource) }, sql`changed`, seeing.shownBy)})
    select id, account, "isNew" from changed where "isOther" and (select count(*) from told) > 0`)) as unknown as { rows: Change[] }
  return rows
}

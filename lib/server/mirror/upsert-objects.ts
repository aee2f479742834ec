import 'server-only'
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Environment } from '@/lib/operations/define'
import { buildNotifyRowsSql } from '@/lib/server/store/notifications'
import type { SeenBy } from '@/lib/server/store/schema/columns'
import { mirrorCustomers, mirrorForgotten } from '@/lib/server/store/schema/mirror'
import { mirrorPayments } from '@/lib/server/store/schema/mirror-payments'
import { type Db, database } from '@/lib/server/store/store'
import { toIsoTime } from './columns'
import { anonymizePayment, toUuidArray } from './forget'
import { type MirroredObjects, type MirroredResource, mirrorTables, toTableResource } from './mirrored'
import { getRetentionStart, isPastRetention } from './retention'

export type MirrorWrite<K extends MirroredResource> = {
  environment: Environment
  resource: K
  /** The account to which the objects certainly belong; null if unknown. Ignored for objects that contain their account. */
  account: string | null
  /** Objects that the operation's output schema parsed, never the raw response. */
  objects: readonly MirroredObjects[K][]
  seenBy: SeenBy
  /** When the request was sent, or when the webhook arrived. */
  seenAt: Date
  /** The request that returned the objects. The page that sent it is not notified of the change. */
  shownBy?: string
}

/** A row that is new, or whose object changed. */
type ChangedRow = { id: string; account: string | null; isNew: boolean }

type VersionedObject = { updated_at?: string | undefined; status_details?: { changed_at?: string | undefined } | undefined }
type NewRow = { id: string; version_at: string | null; changed_at: string | null } & Readonly<Record<string, unknown>>

/** Accepted difference between the service's clock and ours (milliseconds). */
const clockToleranceMs = 5 * 60_000

/** Limits a time of change to shortly after the object was seen: a row with a time in the far future would never be replaced. */
const capTime = (time: string | null, seenAt: Date): string | null => {
  const latestTime = new Date(seenAt.getTime() + clockToleranceMs).toISOString()
  return time !== null && time > latestTime ? latestTime : time
}

function toNewRow<K extends MirroredResource>({ resource, account, seenAt }: MirrorWrite<K>, given: MirroredObjects[K]): NewRow {
  const { object, record, columns, account: objectAccount } = mirrorTables[resource].row(given)
  const { updated_at, status_details } = object as VersionedObject
  const changedAt = capTime(toIsoTime(status_details?.changed_at), seenAt)
  return {
    ...columns,
    ...{ object, record, id: object.id, account_id: objectAccount === undefined ? account : objectAccount },
    ...{ version_at: capTime(toIsoTime(updated_at), seenAt) ?? changedAt, changed_at: changedAt },
  }
}

const isOlder = (one: NewRow, other: NewRow): boolean =>
  [one.version_at ?? '', one.changed_at ?? ''].join() < [other.version_at ?? '', other.changed_at ?? ''].join()

/**
 * Returns one row to write per object, its newest version, because a statement can update a row only once. They are sorted by id, so that
 * parallel writers cannot deadlock.
 */
function toNewRows<K extends MirroredResource>(mirrorWrite: MirrorWrite<K>): NewRow[] {
  const newRows = new Map<string, NewRow>()
  for (const line of mirrorWrite.objects.map((object) => toNewRow(mirrorWrite, object))) {
    const earlierRow = newRows.get(line.id)
    if (!earlierRow || !isOlder(line, earlierRow)) newRows.set(line.id, line)
  }
  return [...newRows.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
}

const joinWithCommas = (parts: readonly SQL[]): SQL => sql.join([...parts], sql`, `)
/** Returns the columns that are written from an object, with their SQL types. */
const readColumnTypes = (table: PgTable): Map<string, string> =>
  new Map(
    Object.values(getTableColumns(table)).flatMap((column) =>
      column.name === 'account_asked' ? [] : [[column.name, column.getSQLType()]],
    ),
  )

/** Columns with the same value in all rows of a statement, so they are not in `NewRow`. */
const statementColumns = new Set(['environment', 'seen_at', 'seen_by', 'record_seen_at'])

/** Returns the rows to write as an SQL table. */
function toRecordset(columnTypes: ReadonlyMap<string, string>, lines: readonly NewRow[]): SQL {
  const rowColumns = [...columnTypes].filter(([name]) => !statementColumns.has(name))
  const typedColumns = rowColumns.map(([name, type]) => sql`${sql.identifier(name)} ${sql.raw(type === 'tsvector' ? 'text[]' : type)}`)
  return sql`jsonb_to_recordset(${JSON.stringify(lines)}::text::jsonb) as g(${joinWithCommas(typedColumns)})`
}

/** Returns the columns that are computed and not copied from `NewRow`. Alias `f` is the deletion record of the customer, `c` the customer. */
function computeColumns(table: PgTable, { environment, seenBy, seenAt }: MirrorWrite<MirroredResource>): Readonly<Record<string, SQL>> {
  const seenAtValue = sql`${seenAt.toISOString()}::timestamptz`
  const anonymizeIfForgotten = (object: SQL) =>
    sql`case when f.id is null then ${object} else ${anonymizePayment(object, sql`g.customer_id`)} end`
  return {
    environment: sql`${environment}::text`,
    ...(hasCustomer(table) ? { account_id: sql`coalesce(g.account_id, c.account_id)` } : {}),
    seen_by: sql`${seenBy}::text`,
    seen_at: seenAtValue,
    record_seen_at: sql`case when g.record is not null then ${seenAtValue} end`,
    words: sql`array_to_tsvector(g.words)`,
    ...(table === mirrorPayments ? { object: anonymizeIfForgotten(sql`g.object`), record: anonymizeIfForgotten(sql`g.record`) } : {}),
  }
}

const hasCustomer = (table: PgTable): boolean => readColumnTypes(table).has('customer_id')

/** Returns the condition that omits payments past retention, unless they are already stored. */
function omitPastRetention(environment: Environment): SQL {
  const since = getRetentionStart()
  if (!since) return sql``
  const isStored = sql`exists (select from ${mirrorPayments} k where k.environment = ${environment} and k.id = g.id)`
  return sql` where not ${isPastRetention(sql`g`, since)} or ${isStored}`
}

function buildJoins(table: PgTable, environment: Environment): SQL {
  const customer = sql` left join ${mirrorCustomers} c on c.environment = ${environment} and c.id = g.customer_id`
  const joinForgotten = (id: SQL) => sql` left join ${mirrorForgotten} f on f.environment = ${environment} and f.id = ${id}`
  if (table === mirrorCustomers) return sql`${joinForgotten(sql`g.id`)} where f.id is null`
  if (table === mirrorPayments) return sql`${customer}${joinForgotten(sql`g.customer_id`)}${omitPastRetention(environment)}`
  if (hasCustomer(table)) return sql`${customer}${joinForgotten(sql`g.customer_id`)} where f.id is null`
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
function toReplacementValue(name: string, table: PgTable): SQL {
  const [newValue, storedValue] = [sql`excluded.${sql.identifier(name)}`, sql`t.${sql.identifier(name)}`]
  // A list has fewer fields than a single read, so it does not replace `record`.
  if (name === 'record' || name === 'record_seen_at') return sql`coalesce(${newValue}, ${storedValue})`
  if (name !== 'object' || table !== mirrorPayments) return newValue
  return sql`case when ${newValue} ? 'metadata' then ${newValue} else ${newValue} || jsonb_build_object('metadata', coalesce(${storedValue} -> 'metadata', '{}')) end`
}

function toAssignments(columnTypes: ReadonlyMap<string, string>, table: PgTable): SQL {
  const updatedColumns = [...columnTypes.keys()].filter((name) => !['environment', 'id', 'account_id'].includes(name))
  const assignments = updatedColumns.map(
    (name) =>
      sql`${sql.identifier(name)} = case when ${isNewer} then ${toReplacementValue(name, table)} else t.${sql.identifier(name)} end`,
  )
  const account = sql`account_id = case when excluded.seen_by = 'webhook' then coalesce(t.account_id, excluded.account_id) else coalesce(excluded.account_id, t.account_id) end`
  return joinWithCommas([account, ...assignments])
}

/** Commits without waiting for the disk. A power failure loses the newest rows with the sync position, so the sync reads them again. */
const asyncCommit = sql`(select set_config('synchronous_commit', 'off', true)) unforced`

/**
 * Inserts or updates objects in one statement and notifies all instances. Returns the changed rows.
 * `object` is the list form. `record` is the last single read, which a list does not change. A row is replaced only by a newer version, or
 * by the same version seen later. A known account is kept if the new object has none. `transaction` is the transaction to use.
 */
export async function upsertObjects<K extends MirroredResource>(mirrorWrite: MirrorWrite<K>, transaction?: Db): Promise<ChangedRow[]> {
  const { table } = mirrorTables[mirrorWrite.resource]
  const lines = toNewRows(mirrorWrite)
  if (lines.length === 0) return []
  const columnTypes = readColumnTypes(table)
  const columnList = joinWithCommas([...columnTypes.keys()].map((name) => sql`${sql.identifier(name)}`))
  const columnValues = computeColumns(table, mirrorWrite)
  const values = joinWithCommas([...columnTypes.keys()].map((name) => columnValues[name] ?? sql`g.${sql.identifier(name)}`))
  const db = transaction ?? (await database())
  const { rows } = (await db.execute(sql`
    with before as materialized (select id, account_id, object from ${table} where environment = ${mirrorWrite.environment} and id = any(${toUuidArray(lines.map(({ id }) => id))})),
    kept as (
      insert into ${table} as t (${columnList}) select ${values} from ${toRecordset(columnTypes, lines)} cross join ${asyncCommit} ${buildJoins(table, mirrorWrite.environment)} order by g.id
      on conflict (environment, id) do update set ${toAssignments(columnTypes, table)}
      where ${isNewer} or (t.account_id is null and excluded.account_id is not null)
      returning id, account_id, object),
    changed as materialized (
      select kept.id, kept.account_id as account, before.id is null as "isNew", before.object is distinct from kept.object as "isOther"
      from kept left join before on before.id = kept.id
      where before.object is distinct from kept.object or before.account_id is distinct from kept.account_id),
    told as materialized (${buildNotifyRowsSql({ environment: mirrorWrite.environment, resource: toTableResource(mirrorWrite.resource) }, sql`changed`, mirrorWrite.shownBy)})
    select id, account, "isNew" from changed where "isOther" and (select count(*) from told) > 0`)) as unknown as { rows: ChangedRow[] }
  return rows
}

import 'server-only'
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Environment } from '@/lib/operations/define'
import { getOwnerRule } from '@/lib/operations/ownership'
import { getIntegration } from '@/lib/server/config/integration'
import { buildPgNotifySql } from '@/lib/server/store/notifications'
import type { SeenBy } from '@/lib/server/store/schema/columns'
import { mirrorCustomers, mirrorDeletedCustomers } from '@/lib/server/store/schema/mirror'
import { mirrorPayments } from '@/lib/server/store/schema/mirror-payments'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { toIsoTime } from './columns'
import { buildAnonymizedPaymentSql, toUuidArraySql } from './forget'
import {
  type MirroredObjects,
  type MirroredResource,
  mirrorTables,
  toMirrorTableResource,
} from './mirrored'
import { buildPastRetentionSql, getRetentionStart } from './retention'

export type MirrorWrite<K extends MirroredResource> = {
  environment: Environment
  resource: K
  /**
   * Account to which the objects certainly belong. Ignored if they contain their own account, or if
   * objects of this resource belong to the platform.
   */
  account: string | null
  /** Objects that the operation's output schema parsed, never the raw response. */
  objects: readonly MirroredObjects[K][]
  seenBy: SeenBy
  /** When the request was sent, or when the webhook arrived. */
  seenAt: Date
  /** Id of the request that returned the objects. Its page is not notified of the change. */
  shownBy?: string
}

type ChangedRow = { id: string; account: string | null; isNew: boolean }

type VersionedObject = {
  updated_at?: string | undefined
  status_details?: { changed_at?: string | undefined } | undefined
}
type NewMirrorRow = { id: string; version_at: string | null; changed_at: string | null } & Readonly<
  Record<string, unknown>
>

/** Accepted difference between the clock of the service and ours (milliseconds). */
const clockToleranceMs = 5 * 60_000

/** Without this cap, a row with a time in the far future would never be replaced. */
const capFutureTime = (time: string | null, seenAt: Date): string | null => {
  const latestAcceptedTime = new Date(seenAt.getTime() + clockToleranceMs).toISOString()
  return time !== null && time > latestAcceptedTime ? latestAcceptedTime : time
}

type RowOwner = { account_id: string | null; platform_owned: boolean }

/** `stated` is the account that the object itself names, null for the platform. */
function toRowOwner(
  { environment, resource, account }: MirrorWrite<MirroredResource>,
  stated: string | null | undefined,
): RowOwner {
  if (stated !== undefined) return { account_id: stated, platform_owned: stated === null }
  return getOwnerRule(resource, getIntegration(environment)) === 'platform'
    ? { account_id: null, platform_owned: true }
    : { account_id: account, platform_owned: false }
}

function toNewRow<K extends MirroredResource>(
  mirrorWrite: MirrorWrite<K>,
  mirroredObject: MirroredObjects[K],
): NewMirrorRow {
  const {
    object,
    record,
    columns,
    account: objectAccount,
  } = mirrorTables[mirrorWrite.resource].row(mirroredObject)
  const { seenAt } = mirrorWrite
  const { updated_at, status_details } = object as VersionedObject
  const changedAt = capFutureTime(toIsoTime(status_details?.changed_at), seenAt)
  return {
    ...columns,
    ...{ object, record, id: object.id, ...toRowOwner(mirrorWrite, objectAccount) },
    ...{
      version_at: capFutureTime(toIsoTime(updated_at), seenAt) ?? changedAt,
      changed_at: changedAt,
    },
  }
}

const isOlder = (one: NewMirrorRow, other: NewMirrorRow): boolean =>
  [one.version_at ?? '', one.changed_at ?? ''].join() <
  [other.version_at ?? '', other.changed_at ?? ''].join()

/**
 * Returns only the newest version of each object, because a statement can update a row only once.
 * The rows are sorted by id, so that parallel statements cannot deadlock.
 */
function toNewRows<K extends MirroredResource>(mirrorWrite: MirrorWrite<K>): NewMirrorRow[] {
  const newRowById = new Map<string, NewMirrorRow>()
  for (const newRow of mirrorWrite.objects.map((object) => toNewRow(mirrorWrite, object))) {
    const earlierRow = newRowById.get(newRow.id)
    if (!earlierRow || !isOlder(newRow, earlierRow)) newRowById.set(newRow.id, newRow)
  }
  return [...newRowById.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
}

const joinWithCommas = (parts: readonly SQL[]): SQL => sql.join([...parts], sql`, `)
const readColumnTypes = (table: PgTable): Map<string, string> =>
  new Map(
    Object.values(getTableColumns(table)).flatMap((column) =>
      column.name === 'account_asked' ? [] : [[column.name, column.getSQLType()]],
    ),
  )

/** Columns with the same value in all rows of a statement. `NewMirrorRow` does not contain them. */
const perStatementColumns = new Set(['environment', 'seen_at', 'seen_by', 'record_seen_at'])

/** Returns SQL for a table `g` with the rows to write. */
function buildRecordsetSql(
  columnTypes: ReadonlyMap<string, string>,
  rowsToUpsert: readonly NewMirrorRow[],
): SQL {
  const rowColumns = [...columnTypes].filter(([name]) => !perStatementColumns.has(name))
  const typedColumns = rowColumns.map(
    ([name, type]) =>
      sql`${sql.identifier(name)} ${sql.raw(type === 'tsvector' ? 'text[]' : type)}`,
  )
  return sql`jsonb_to_recordset(${JSON.stringify(rowsToUpsert)}::text::jsonb) as g(${joinWithCommas(typedColumns)})`
}

/** SQL aliases: `g` new row, `c` its customer, `f` the record that this customer was deleted. */
function buildColumnExpressions(
  table: PgTable,
  { environment, seenBy, seenAt }: MirrorWrite<MirroredResource>,
): Readonly<Record<string, SQL>> {
  const seenAtValue = sql`${seenAt.toISOString()}::timestamptz`
  const anonymizeIfForgottenSql = (object: SQL) =>
    sql`case when f.id is null then ${object} else ${buildAnonymizedPaymentSql(object, sql`g.customer_id`)} end`
  return {
    environment: sql`${environment}::text`,
    ...(hasCustomerColumn(table) && getIntegration(environment) === 'saas'
      ? { account_id: sql`coalesce(g.account_id, c.account_id)` }
      : {}),
    seen_by: sql`${seenBy}::text`,
    seen_at: seenAtValue,
    record_seen_at: sql`case when g.record is not null then ${seenAtValue} end`,
    words: sql`array_to_tsvector(g.words)`,
    ...(table === mirrorPayments
      ? {
          object: anonymizeIfForgottenSql(sql`g.object`),
          record: anonymizeIfForgottenSql(sql`g.record`),
        }
      : {}),
  }
}

const hasCustomerColumn = (table: PgTable): boolean => readColumnTypes(table).has('customer_id')

/** Skips payments that are older than the retention period, unless they are stored already. */
function buildRetentionFilter(environment: Environment): SQL {
  const retentionStart = getRetentionStart()
  if (!retentionStart) return sql``
  const isStored = sql`exists (select from ${mirrorPayments} k where k.environment = ${environment} and k.id = g.id)`
  return sql` where not ${buildPastRetentionSql(sql`g`, retentionStart)} or ${isStored}`
}

function buildJoins(table: PgTable, environment: Environment): SQL {
  const customerJoin = sql` left join ${mirrorCustomers} c on c.environment = ${environment} and c.id = g.customer_id`
  const buildForgottenCustomerJoin = (id: SQL) =>
    sql` left join ${mirrorDeletedCustomers} f on f.environment = ${environment} and f.id = ${id}`
  if (table === mirrorCustomers)
    return sql`${buildForgottenCustomerJoin(sql`g.id`)} where f.id is null`
  if (table === mirrorPayments)
    return sql`${customerJoin}${buildForgottenCustomerJoin(sql`g.customer_id`)}${buildRetentionFilter(environment)}`
  if (hasCustomerColumn(table))
    return sql`${customerJoin}${buildForgottenCustomerJoin(sql`g.customer_id`)} where f.id is null`
  return sql``
}

/**
 * Compares the version, then the time of the status change, then the time of the read. Skips a
 * value that only one of the two has. A response of the service always replaces the object of an
 * earlier webhook.
 */
const isNewerCondition = sql`((t.seen_by = 'webhook' and excluded.seen_by <> 'webhook' and excluded.seen_at > t.seen_at) or (coalesce(excluded.version_at, t.version_at, '-infinity'), coalesce(excluded.changed_at, t.changed_at, '-infinity'), excluded.seen_at)
  >= (coalesce(t.version_at, excluded.version_at, '-infinity'), coalesce(t.changed_at, excluded.changed_at, '-infinity'), t.seen_at))`

function toReplacementValue(columnName: string, table: PgTable): SQL {
  const [newValue, storedValue] = [
    sql`excluded.${sql.identifier(columnName)}`,
    sql`t.${sql.identifier(columnName)}`,
  ]
  // Objects from a list have fewer fields, so they do not replace `record` (a single read).
  if (columnName === 'record' || columnName === 'record_seen_at')
    return sql`coalesce(${newValue}, ${storedValue})`
  if (columnName !== 'object' || table !== mirrorPayments) return newValue
  return sql`case when ${newValue} ? 'metadata' then ${newValue} else ${newValue} || jsonb_build_object('metadata', coalesce(${storedValue} -> 'metadata', '{}')) end`
}

function toAssignments(columnTypes: ReadonlyMap<string, string>, table: PgTable): SQL {
  const updatedColumns = [...columnTypes.keys()].filter(
    (name) => !['environment', 'id', 'account_id', 'platform_owned'].includes(name),
  )
  const assignments = updatedColumns.map(
    (name) =>
      sql`${sql.identifier(name)} = case when ${isNewerCondition} then ${toReplacementValue(name, table)} else t.${sql.identifier(name)} end`,
  )
  const accountAssignment = sql`account_id = case when excluded.platform_owned then null when excluded.seen_by = 'webhook' then coalesce(t.account_id, excluded.account_id) else coalesce(excluded.account_id, t.account_id) end`
  const platformAssignment = sql`platform_owned = excluded.platform_owned or (t.platform_owned and excluded.account_id is null)`
  return joinWithCommas([accountAssignment, platformAssignment, ...assignments])
}

/**
 * Makes the commit faster: it does not wait for the disk. A power failure that loses the rows also
 * loses the later sync position, so they are read again.
 */
const asyncCommitSql = sql`(select set_config('synchronous_commit', 'off', true)) unforced`

/**
 * `object` has the list form, `record` the last single read. A row is replaced only by a newer
 * version, or by the same version that was read later. If the owner of the new object is unknown,
 * the stored owner is kept.
 */
export async function upsertObjects<K extends MirroredResource>(
  mirrorWrite: MirrorWrite<K>,
  transaction?: Db,
): Promise<ChangedRow[]> {
  const { table } = mirrorTables[mirrorWrite.resource]
  const rowsToUpsert = toNewRows(mirrorWrite)
  if (rowsToUpsert.length === 0) return []
  const columnTypes = readColumnTypes(table)
  const columnList = joinWithCommas(
    [...columnTypes.keys()].map((name) => sql`${sql.identifier(name)}`),
  )
  const columnExpressions = buildColumnExpressions(table, mirrorWrite)
  const valueList = joinWithCommas(
    [...columnTypes.keys()].map(
      (name) => columnExpressions[name] ?? sql`g.${sql.identifier(name)}`,
    ),
  )
  const db = transaction ?? (await getDatabase())
  const { rows } = (await db.execute(sql`
    with before as materialized (select id, account_id, object from ${table} where environment = ${mirrorWrite.environment} and id = any(${toUuidArraySql(rowsToUpsert.map(({ id }) => id))})),
    kept as (
      insert into ${table} as t (${columnList}) select ${valueList} from ${buildRecordsetSql(columnTypes, rowsToUpsert)} cross join ${asyncCommitSql} ${buildJoins(table, mirrorWrite.environment)} order by g.id
      on conflict (environment, id) do update set ${toAssignments(columnTypes, table)}
      where ${isNewerCondition} or (t.account_id is null and excluded.account_id is not null) or (excluded.platform_owned and not t.platform_owned)
      returning id, account_id, object),
    changed as materialized (
      select kept.id, kept.account_id as account, before.id is null as "isNew", before.object is distinct from kept.object as "isOther"
      from kept left join before on before.id = kept.id
      where before.object is distinct from kept.object or before.account_id is distinct from kept.account_id),
    told as materialized (${buildPgNotifySql({ environment: mirrorWrite.environment, resource: toMirrorTableResource(mirrorWrite.resource) }, sql`changed`, mirrorWrite.shownBy)})
    select id, account, "isNew" from changed where "isOther" and (select count(*) from told) > 0`)) as unknown as {
    rows: ChangedRow[]
  }
  return rows
}

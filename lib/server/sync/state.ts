import 'server-only'
import { and, eq, ne, sql } from 'drizzle-orm'
import { cache } from 'react'
import type { ErrorCode } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import {
  type SyncPhase,
  syncState as table,
  type UnreadableListRow,
} from '@/lib/server/store/schema/mirror'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { listSyncPlans, type SyncPlan } from './plans'

export type SyncProgress = typeof table.$inferSelect
type SyncResource = SyncPlan['resource']

/** Another process advanced the cursor first. */
export class CursorConflictError extends Error {}

const toProgressCondition = ({
  environment,
  resource,
  phase,
}: Pick<SyncProgress, 'environment' | 'resource' | 'phase'>) =>
  and(eq(table.environment, environment), eq(table.resource, resource), eq(table.phase, phase))

export async function listProgress(environment: Environment): Promise<SyncProgress[]> {
  return (await getDatabase()).select().from(table).where(eq(table.environment, environment))
}

export async function ensureProgress(
  environment: Environment,
  resource: SyncResource,
  phase: SyncPhase,
): Promise<SyncProgress> {
  const db = await getDatabase()
  const progressKey = { environment, resource, phase }
  await db.insert(table).values(progressKey).onConflictDoNothing()
  const [row] = await db.select().from(table).where(toProgressCondition(progressKey))
  if (!row) throw new Error('the state of the sync was not written')
  return row
}

type TimeColumn = 'startedAt' | 'finishedAt' | 'checkedAt'

/**
 * Throws `CursorConflictError` if the stored cursor is not that of `row`: another process committed
 * the page first, so this transaction must roll back.
 */
export async function advanceCursor(
  db: Db,
  row: SyncProgress,
  change: Partial<SyncProgress>,
  ...stamps: TimeColumn[]
): Promise<SyncProgress> {
  const timeValues = Object.fromEntries(stamps.map((name) => [name, sql`now()`]))
  const isSameCursor = sql`${table.cursor} is not distinct from ${row.cursor === null ? null : JSON.stringify(row.cursor)}::jsonb`
  const [nextRow] = await db
    .update(table)
    .set({
      ...change,
      ...timeValues,
      pausedReason: null,
      pausedSince: null,
      retryAt: null,
      failures: 0,
    })
    .where(and(toProgressCondition(row), isSameCursor))
    .returning()
  if (!nextRow) throw new CursorConflictError()
  return nextRow
}

const firstRetrySeconds = 30
const maxRetrySeconds = 600

/**
 * Pauses one resource, or the whole environment if reads of the other resources would fail too.
 * Each further failure doubles the wait, from 30 seconds to 10 minutes. `seconds` is the minimum
 * wait, which the service requested.
 */
export async function pauseSync(
  target: SyncProgress | Environment,
  reason: ErrorCode,
  seconds = 0,
): Promise<void> {
  const db = await getDatabase()
  const waitSeconds = sql`greatest(${seconds}::int, least(${maxRetrySeconds}, ${firstRetrySeconds} * power(2, least(${table.failures}, 10))))`
  await db
    .update(table)
    .set({
      pausedReason: reason,
      pausedSince: sql`coalesce(${table.pausedSince}, now())`,
      retryAt: sql`now() + make_interval(secs => ${waitSeconds})`,
      failures: sql`${table.failures} + 1`,
    })
    .where(typeof target === 'string' ? eq(table.environment, target) : toProgressCondition(target))
}

/** Resources that the service refuses stay paused. */
export async function resumeSync(environment: Environment): Promise<void> {
  const db = await getDatabase()
  await db
    .update(table)
    .set({ pausedReason: null, pausedSince: null, retryAt: null, failures: 0 })
    .where(
      and(
        eq(table.environment, environment),
        sql`${table.pausedReason} not in ('service_forbidden', 'service_refused', 'service_not_found')`,
      ),
    )
}

/** The sync state of an environment. A time is null until its event happened. */
export type SyncState = {
  /** Rows read in the first import. `total` is the total that the service reports. */
  done: number
  total: number
  startedAt: Date | null
  importedAt: Date | null
  /** Time of the last check for changes of the resource that was checked least recently. */
  checkedAt: Date | null
  paused: { reason: ErrorCode; since: Date } | null
  resources: {
    resource: SyncResource
    done: number
    total: number | null
    imported: boolean
    checkedAt: Date | null
    paused: ErrorCode | null
  }[]
}

const findEarliest = (times: readonly (Date | null)[]): Date | null =>
  times.reduce((least, time) => (time && (!least || time < least) ? time : least), null)

const findLatest = (times: readonly (Date | null)[]): Date | null =>
  times.reduce((most, time) => (time && (!most || time > most) ? time : most), null)

export async function readSyncState(environment: Environment): Promise<SyncState> {
  const rows = await listProgress(environment)
  const findProgressRow = (resource: SyncResource, phase: SyncPhase) =>
    rows.find((row) => row.resource === resource && row.phase === phase)
  const resourceStates = listSyncPlans(environment).map(({ resource }) => {
    const importRow = findProgressRow(resource, 'import')
    const resourceRows = rows.filter((row) => row.resource === resource)
    return {
      resource,
      done: importRow?.done ?? 0,
      total: importRow?.total ?? null,
      imported: Boolean(importRow?.finishedAt),
      checkedAt: findLatest(
        resourceRows.filter(({ phase }) => phase !== 'waiting').map(({ checkedAt }) => checkedAt),
      ),
      paused: resourceRows.find(({ pausedReason }) => pausedReason)?.pausedReason ?? null,
    }
  })
  const firstPausedRow = rows
    .filter(({ pausedSince }) => pausedSince)
    .sort((one, other) => Number(one.pausedSince) - Number(other.pausedSince))[0]
  const isFullyImported = resourceStates.every(({ imported }) => imported)
  return {
    done: resourceStates.reduce((sum, { done }) => sum + done, 0),
    total: resourceStates.reduce((sum, { done, total }) => sum + Math.max(total ?? 0, done), 0),
    startedAt: findEarliest(rows.map(({ startedAt }) => startedAt)),
    importedAt: isFullyImported
      ? findLatest(
          rows.filter(({ phase }) => phase === 'import').map(({ finishedAt }) => finishedAt),
        )
      : null,
    checkedAt: isFullyImported
      ? findEarliest(resourceStates.map(({ checkedAt }) => checkedAt))
      : null,
    paused:
      firstPausedRow?.pausedReason && firstPausedRow.pausedSince
        ? { reason: firstPausedRow.pausedReason, since: firstPausedRow.pausedSince }
        : null,
    resources: resourceStates,
  }
}

/** Cached per request for all lists of a page. */
const readLastCheckRows = cache(async (environment: Environment) => {
  const { resource, finishedAt, checkedAt, unreadable } = table
  return (await getDatabase())
    .select({ resource, finishedAt, checkedAt, unreadable })
    .from(table)
    .where(and(eq(table.environment, environment), ne(table.phase, 'waiting')))
})

/** `checkedAt` is null before the first full read of the resource. */
export async function readLastCheck(
  environment: Environment,
  resource: string,
): Promise<{ checkedAt: Date | null; unreadable: readonly UnreadableListRow[] }> {
  const rows = (await readLastCheckRows(environment)).filter((row) => row.resource === resource)
  const finishedRow = rows
    .filter(({ finishedAt }) => finishedAt)
    .sort((one, other) => Number(other.finishedAt) - Number(one.finishedAt))[0]
  return {
    checkedAt: findLatest(rows.map((row) => row.checkedAt)),
    unreadable: finishedRow?.unreadable ?? [],
  }
}

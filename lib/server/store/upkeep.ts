import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import type { PGlite } from '@electric-sql/pglite'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'

const pruneIntervalMs = 10 * 60_000
/**
 * Rows per delete. It is small, because every request waits while the embedded database deletes.
 */
export const pruneBatchSize = 200
const prunePauseMs = 50

/** Deletes at most `pruneBatchSize` expired rows. */
type PruneStep = () => Promise<number>

async function pruneRows(steps: readonly PruneStep[], { signal }: AbortController): Promise<void> {
  for (const step of steps)
    while (!signal.aborted && (await step()) === pruneBatchSize) await pause(prunePauseMs)
}

/**
 * Runs the steps at once and then every ten minutes. `prunedTable` only names the table in the log.
 */
export function startPruning(
  prunedTable:
    | 'claims'
    | 'mirror_payments'
    | 'request_log'
    | 'sign_in_failures'
    | 'step_ups'
    | 'webhook_events',
  steps: readonly PruneStep[],
): { stop: () => void } {
  const stopController = new AbortController()
  const pruneInBackground = () =>
    void pruneRows(steps, stopController).catch((error: unknown) =>
      log.warn({ event: `${prunedTable}.not_pruned`, code: getErrorCode(error) }),
    )
  pruneInBackground()
  const timer = setInterval(pruneInBackground, pruneIntervalMs)
  timer.unref()
  return {
    stop: () => {
      stopController.abort()
      clearInterval(timer)
    },
  }
}

const upkeepIntervalMs = 10_000

/** Dead or new rows that trigger a vacuum, and share of changed rows for new statistics. */
const minRowsForVacuum = 2000
const changedShareForAnalyze = 0.1
/**
 * Share of dead rows from which a vacuum also cleans the indexes. Cleaning indexes takes longest by
 * far, and requests wait for it.
 */
const indexCleanupDeadShare = 0.2

type TableStats = { table: string; live: number; died: number; vacuum: boolean; analyze: boolean }

const tableStatsQuery = `
  select relid::regclass::text as table, n_live_tup::int as live, (n_tup_del + n_tup_upd)::int as died,
    greatest(n_dead_tup, n_ins_since_vacuum) > ${minRowsForVacuum} as vacuum,
    n_mod_since_analyze > 50 + n_live_tup * ${changedShareForAnalyze} as analyze
  from pg_stat_user_tables where schemaname in ('public', 'pgboss')
  order by greatest(n_dead_tup, n_ins_since_vacuum, n_mod_since_analyze) desc`

/** Runs before requests are served, because it takes seconds if there is much to clean. */
export async function vacuumAllTables(pglite: PGlite): Promise<void> {
  await pglite.exec('VACUUM ANALYZE')
}

/**
 * For each table, the number of rows that had died (were deleted or updated) when its indexes were
 * last cleaned.
 */
type CleanedTables = Map<string, number>

/**
 * Returns the statement that it ran; null if nothing is due. Every request waits during a step, so
 * it handles only one table, and its indexes only after 20 % of its rows died.
 */
export async function runUpkeepStep(
  pglite: PGlite,
  cleaned: CleanedTables,
): Promise<string | null> {
  const { rows } = await pglite.query<TableStats>(tableStatsQuery)
  const dueTable = rows.find(({ vacuum, analyze }) => vacuum || analyze)
  if (!dueTable) return null
  const { table, live, died } = dueTable
  const shouldCleanIndexes =
    died - (cleaned.get(table) ?? 0) > Math.max(minRowsForVacuum, live * indexCleanupDeadShare)
  if (shouldCleanIndexes) cleaned.set(table, died)
  const vacuumStatement = `VACUUM (INDEX_CLEANUP ${shouldCleanIndexes ? 'ON' : 'OFF'}, TRUNCATE OFF) ${table}`
  const statement = dueTable.vacuum ? vacuumStatement : `ANALYZE ${table}`
  await pglite.exec(statement)
  return statement
}

/**
 * The embedded database has no autovacuum. Without statistics, a small list takes a hundred times
 * as long. Without VACUUM, the space of deleted rows is never used again.
 */
export function startUpkeep(pglite: PGlite): { stop: () => void } {
  const cleanedTables: CleanedTables = new Map()
  const timer = setInterval(
    () =>
      void runUpkeepStep(pglite, cleanedTables).catch((error: unknown) =>
        log.warn({ event: 'store.upkeep_failed', code: getErrorCode(error) }),
      ),
    upkeepIntervalMs,
  )
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

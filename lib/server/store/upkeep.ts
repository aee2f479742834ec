import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import type { PGlite } from '@electric-sql/pglite'
import { errorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'

const pruneEvery = 10 * 60_000
/** Rows deleted per statement, and the pause between statements (milliseconds). On the embedded store, every request waits for a delete. */
export const prunedAtOnce = 200
const prunePauseMs = 50

/** Deletes at most `prunedAtOnce` expired rows. Returns their number. */
type PruneStep = () => Promise<number>

async function prune(steps: readonly PruneStep[], { signal }: AbortController): Promise<void> {
  for (const step of steps) while (!signal.aborted && (await step()) === prunedAtOnce) await pause(prunePauseMs)
}

/** Starts deleting expired rows at once and then every ten minutes, until `stop`. `what` names the rows in the log after a failure. */
export function startPruning(
  what: 'claims' | 'mirror_payments' | 'request_log' | 'sign_in_failures' | 'step_ups' | 'webhook_events',
  steps: readonly PruneStep[],
): { stop: () => void } {
  const stopping = new AbortController()
  const run = () => void prune(steps, stopping).catch((error: unknown) => log.warn({ event: `${what}.not_pruned`, code: errorCode(error) }))
  run()
  const timer = setInterval(run, pruneEvery)
  timer.unref()
  return {
    stop: () => {
      stopping.abort()
      clearInterval(timer)
    },
  }
}

const every = 10_000

/** Number of dead or new rows after which a table is vacuumed, and share of changed rows after which its statistics are updated. */
const changedRows = 2000
const changedShare = 0.1
/** Share of dead rows after which a table's indexes are cleaned too. Cleaning indexes takes longest by far, and requests wait for it. */
const diedShare = 0.2

type Change = { table: string; live: number; died: number; vacuum: boolean; analyze: boolean }

const changes = `
  select relid::regclass::text as table, n_live_tup::int as live, (n_tup_del + n_tup_upd)::int as died,
    greatest(n_dead_tup, n_ins_since_vacuum) > ${changedRows} as vacuum,
    n_mod_since_analyze > 50 + n_live_tup * ${changedShare} as analyze
  from pg_stat_user_tables where schemaname in ('public', 'pgboss')
  order by greatest(n_dead_tup, n_ins_since_vacuum, n_mod_since_analyze) desc`

/** Vacuums all tables before requests are served. This takes seconds if there is much to clean. */
export async function cleanUp(pglite: PGlite): Promise<void> {
  await pglite.exec('VACUUM ANALYZE')
}

/** Dead rows of each table when its indexes were last cleaned. */
type Cleaned = Map<string, number>

/**
 * Does the work of autovacuum for one table. Returns the statement, or null if nothing is due. Every request waits while it runs. A step
 * therefore handles only one table and its changed pages, and its indexes only after 20 % of its rows died.
 */
export async function upkeepStep(pglite: PGlite, cleaned: Cleaned): Promise<string | null> {
  const { rows } = await pglite.query<Change>(changes)
  const due = rows.find(({ vacuum, analyze }) => vacuum || analyze)
  if (!due) return null
  const { table, live, died } = due
  const indexes = died - (cleaned.get(table) ?? 0) > Math.max(changedRows, live * diedShare)
  if (indexes) cleaned.set(table, died)
  const vacuum = `VACUUM (INDEX_CLEANUP ${indexes ? 'ON' : 'OFF'}, TRUNCATE OFF) ${table}`
  const step = due.vacuum ? vacuum : `ANALYZE ${table}`
  await pglite.exec(step)
  return step
}

/**
 * Starts the upkeep of the embedded store, which has no autovacuum, until `stop`. Without statistics, a small list takes a hundred times as
 * long. Without VACUUM, the space of deleted rows is never used again.
 */
export function startUpkeep(pglite: PGlite): { stop: () => void } {
  const cleaned: Cleaned = new Map()
  const timer = setInterval(
    () => void upkeepStep(pglite, cleaned).catch((error: unknown) => log.warn({ event: 'store.upkeep_failed', code: errorCode(error) })),
    every,
  )
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

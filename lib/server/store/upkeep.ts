import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import type { PGlite } from '@electric-sql/pglite'
import { errorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'

const pruneEvery = 10 * 60_000
/** Rows that go at a time, and the pause after them (milliseconds): on the embedded store every request waits while they do. */
export const prunedAtOnce = 200
const prunePauseMs = 50

/** Deletes at most `prunedAtOnce` rows whose time is over; gives how many. */
type PruneStep = () => Promise<number>

async function prune(steps: readonly PruneStep[], { signal }: AbortController): Promise<void> {
  for (const step of steps) while (!signal.aborted && (await step()) === prunedAtOnce) await pause(prunePauseMs)
}

/** Begins to let go of rows whose time is over, now and every ten minutes. `what` names them in the log where that fails. */
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

/** Rows that died or came before a table is gone over, and the share of its rows that are new before statistics are taken again. */
const changedRows = 2000
const changedShare = 0.1
/** The share of its rows that may have died before a table's indexes are cleaned while people wait, which takes longest by far. */
const diedShare = 0.2

type Change = { table: string; live: number; died: number; vacuum: boolean; analyze: boolean }

const changes = `
  select relid::regclass::text as table, n_live_tup::int as live, (n_tup_del + n_tup_upd)::int as died,
    greatest(n_dead_tup, n_ins_since_vacuum) > ${changedRows} as vacuum,
    n_mod_since_analyze > 50 + n_live_tup * ${changedShare} as analyze
  from pg_stat_user_tables where schemaname in ('public', 'pgboss')
  order by greatest(n_dead_tup, n_ins_since_vacuum, n_mod_since_analyze) desc`

/** Cleans up all tables, which takes seconds where there is much to clean: before anybody is served. */
export async function cleanUp(pglite: PGlite): Promise<void> {
  await pglite.exec('VACUUM ANALYZE')
}

/** Rows that had died of each table when its indexes were cleaned last. */
type Cleaned = Map<string, number>

/**
 * Does for one table what autovacuum would; gives what, or null where nothing is to be done. While a statement runs every request waits, so a step
 * touches one table, only the pages that changed, and its indexes only when a fifth of its rows has died.
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
 * The embedded engine has no autovacuum: without statistics a small list takes a hundred times as long, and without a VACUUM the room of what was
 * deleted is never used again.
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

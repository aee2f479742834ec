import 'server-only'
import { randomUUID } from 'node:crypto'
import { lt, sql } from 'drizzle-orm'
import { log } from './log'
import { requestLog } from './store/desk-schema'
import { database } from './store/store'

/** One call through the proxy as it is kept: ids, words and figures; never a body, never a query. Kept for 90 days. */
export type Call = Omit<typeof requestLog.$inferInsert, 'id' | 'at'>

type Row = typeof requestLog.$inferInsert

/** Rows wait at most this long (milliseconds), or until there are so many of them, and then go in one insert. */
const waitAtMost = 500
const atOnce = 50
const pruneEvery = 60 * 60_000

/** The proxy and the start of the process are compiled apart; what waits must be the same for both. */
type Shared = typeof globalThis & {
  paydeskCalls?: { rows: Row[]; timer: NodeJS.Timeout | undefined; writing: Promise<void>; broken: boolean }
}
const shared = globalThis as Shared
shared.paydeskCalls ??= { rows: [], timer: undefined, writing: Promise.resolve(), broken: false }
const calls = shared.paydeskCalls

async function write(rows: Row[]): Promise<void> {
  try {
    await (await database()).insert(requestLog).values(rows)
    calls.broken = false
  } catch {
    // The rows are lost: holding them until the store is back could fill the memory. Said once, not for each handful.
    if (!calls.broken) log.error({ event: 'request_log.not_written' })
    calls.broken = true
  }
}

/** Writes what waits, and waits for what is being written; for a clean stop. Never throws. */
export async function flushRequestLog(): Promise<void> {
  clearTimeout(calls.timer)
  calls.timer = undefined
  const rows = calls.rows.splice(0)
  if (rows.length > 0) calls.writing = calls.writing.then(() => write(rows))
  await calls.writing
}

/** Notes a call. It is written later and together with others; whoever asked does not wait for it, and nothing of it can fail them. */
export function noteCall(call: Call): void {
  calls.rows.push({ ...call, id: randomUUID(), at: new Date() })
  if (calls.rows.length >= atOnce) void flushRequestLog()
  else calls.timer ??= setTimeout(() => void flushRequestLog(), waitAtMost)
}

async function prune(): Promise<void> {
  const db = await database()
  await db.delete(requestLog).where(lt(requestLog.at, sql`now() - interval '90 days'`))
}

/** Begins to let go of rows older than 90 days, now and once an hour. `stop` writes what still waits. */
export function startRequestLog(): { stop: () => Promise<void> } {
  const run = () => void prune().catch(() => log.warn({ event: 'request_log.not_pruned' }))
  run()
  const timer = setInterval(run, pruneEvery)
  timer.unref()
  return {
    stop: () => {
      clearInterval(timer)
      return flushRequestLog()
    },
  }
}

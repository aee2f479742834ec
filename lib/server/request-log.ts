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

/** Rows that go together. `written` is settled when they stand in the store, or never will. */
type Batch = { rows: Row[]; written: Promise<void>; close: () => void }

/** The proxy and the start of the process are compiled apart; what waits must be the same for both. */
type Shared = typeof globalThis & { paydeskCalls?: { open: Batch | undefined; broken: boolean } }
const shared = globalThis as Shared
shared.paydeskCalls ??= { open: undefined, broken: false }
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

function openBatch(): Batch {
  const rows: Row[] = []
  let go = () => {}
  const due = new Promise<void>((resolve) => {
    go = resolve
  })
  const batch: Batch = {
    rows,
    written: due.then(() => write(rows)),
    close: () => {
      clearTimeout(late)
      if (calls.open === batch) calls.open = undefined
      go()
    },
  }
  const late = setTimeout(batch.close, waitAtMost)
  calls.open = batch
  return batch
}

/**
 * Notes a call. It is written later and together with others: an answer must not wait for what this gives, which is only for whoever stops the
 * process. It never rejects.
 */
export function noteCall(call: Call): Promise<void> {
  const batch = calls.open ?? openBatch()
  batch.rows.push({ ...call, id: randomUUID(), at: new Date() })
  if (batch.rows.length >= atOnce) batch.close()
  return batch.written
}

async function prune(): Promise<void> {
  const db = await database()
  await db.delete(requestLog).where(lt(requestLog.at, sql`now() - interval '90 days'`))
}

/** Begins to let go of rows older than 90 days, now and once an hour. `stop` sends what still waits on its way. */
export function startRequestLog(): { stop: () => void } {
  const run = () => void prune().catch(() => log.warn({ event: 'request_log.not_pruned' }))
  run()
  const timer = setInterval(run, pruneEvery)
  timer.unref()
  return {
    stop: () => {
      clearInterval(timer)
      calls.open?.close()
    },
  }
}

import 'server-only'
import { randomUUID } from 'node:crypto'
import { and, asc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Answer } from '@/lib/operations/answer'
import { type Environment, environments } from '@/lib/operations/define'
import { type OperationId, operation } from '@/lib/operations/operations'
import type { Asking } from '@/lib/server/audit/refusals'
import { accountNamed, type ScopedAccount } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { errorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { shared } from '@/lib/server/shared'
import { requestLog } from '@/lib/server/store/desk-schema'
import { database } from '@/lib/server/store/store'
import { prunedAtOnce, startPruning } from '@/lib/server/store/upkeep'
import { answerIn } from './respond'

const values: readonly [RegExp, string][] = [
  [/(["'`“‘])[^"'`”’]{1,200}["'`”’]/g, '…'],
  [/\S+@\S+/g, '…'],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '…'],
  [/\S*\d\S*/g, '…'],
]

/**
 * The words of a refusal without the values in it: what is quoted, e-mail addresses, ids, everything with a digit. Equal refusals of different
 * objects read the same, which is what groups them.
 */
export const plainWords = (text: string): string =>
  values
    .reduce((clean, [pattern, put]) => clean.replace(pattern, put), text)
    .replace(/…(?:[\s,;]*…)+/g, '…')
    .slice(0, 200)

/** One call through the proxy as it is kept: ids, words and figures; never a body, never a query. Kept for 90 days. */
type Call = Omit<typeof requestLog.$inferInsert, 'id' | 'at'>

type Row = typeof requestLog.$inferInsert

/** Rows wait at most this long (milliseconds), or until there are so many of them, and then go in one insert. */
const waitAtMost = 500
const atOnce = 50

/** Rows that go together. `written` is settled when they are in the store, or never will. */
type Batch = { rows: Row[]; written: Promise<void>; close: () => void }

type Calls = { open: Batch | undefined; broken: boolean }
const calls = shared<Calls>('calls', () => ({ open: undefined, broken: false }))

async function write(rows: Row[]): Promise<void> {
  try {
    await (await database()).insert(requestLog).values(rows)
    calls.broken = false
  } catch (error) {
    // The rows are lost: holding them until the store is back could fill the memory. Said once, not for each handful.
    if (!calls.broken) log.error({ event: 'request_log.not_written', code: errorCode(error) })
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
function noteCall(call: Call): Promise<void> {
  const batch = calls.open ?? openBatch()
  batch.rows.push({ ...call, id: randomUUID(), at: new Date() })
  if (batch.rows.length >= atOnce) batch.close()
  return batch.written
}

/** Lets go of a few rows older than 90 days, the oldest first; gives how many. Two processes never wait for each other's. */
async function pruneStep(environment: Environment): Promise<number> {
  const db = await database()
  const oldest = db
    .select({ id: requestLog.id })
    .from(requestLog)
    .where(and(eq(requestLog.environment, environment), lt(requestLog.at, sql`now() - interval '90 days'`)))
    .orderBy(asc(requestLog.at))
    .limit(prunedAtOnce)
    .for('update', { skipLocked: true })
  const gone = await db.delete(requestLog).where(inArray(requestLog.id, oldest)).returning({ id: requestLog.id })
  return gone.length
}

/** Begins to let go of rows older than 90 days. `stop` sends what still waits on its way. */
export function startRequestLog(): { stop: () => void } {
  const pruning = startPruning(
    'request_log',
    environments.map((environment) => () => pruneStep(environment)),
  )
  return {
    stop: () => {
      pruning.stop()
      calls.open?.close()
    },
  }
}

/** What has become known of a call on its way: who asked for what, and once it was permitted, in which scope. */
export type Known = {
  /** By the clock of `performance`, in milliseconds. */
  startedAt: number
  asked?: { environment: Environment; operation: OperationId; account: string | null; target: string | null; ofService: boolean }
  actor?: Actor
  scope?: ScopedAccount | null
  /** What one of Paydesk's own operations turned out to be about. */
  about?: Pick<Asking, 'account' | 'target'>
}

/** The account of a call: the one it was permitted for, else the one that was named. */
const accountOf = ({ asked, scope }: Known): string | null => scope?.accountId ?? accountNamed(asked?.account)

/** What is known of a call, for the record of its refusal; null as long as it is no operation of ours. */
export const askingOf = (known: Known): Asking | null =>
  known.asked
    ? {
        name: known.asked.operation,
        actor: known.actor ?? null,
        environment: known.asked.environment,
        account: accountOf(known),
        target: known.asked.target,
        ...known.about,
      }
    : null

/** The action this call was about. The one that blocks it is another's. */
const actionIn = ({ action, error }: Answer<unknown>) => (error?.code === 'action_open' ? undefined : action)

/** How often bytes went to the service: as the action says, and for a read, if it came so far, once, or as its answer says. */
function attemptsIn(id: OperationId, answer: Answer<unknown>): number {
  if (operation(id).effect !== 'read') return actionIn(answer)?.attempts.length ?? 0
  const { meta, error } = answer
  return meta.read_at || error?.code.startsWith('service_') ? (meta.attempts ?? 1) : 0
}

/** The service's own words, without what somebody typed; our words can be told from the code. */
const detailIn = ({ error }: Answer<unknown>): string | null => (error?.code.startsWith('service_') ? plainWords(error.detail) : null)

/**
 * Leaves a row of a call for the service in the request log, if a person was behind it. What it gives is settled when the row is written; the answer does not
 * wait for that.
 */
export function keepCall(known: Known, response: Response): Promise<void> | null {
  const { startedAt, asked, actor } = known
  const answer = answerIn(response)
  if (!asked?.ofService || !actor || !answer) return null
  const { environment, operation: id, target } = asked
  const call: Call = {
    environment,
    operation: id,
    accountId: accountOf(known),
    target: target ?? actionIn(answer)?.target ?? null,
    actorId: actor.id,
    requestId: answer.meta.request_id,
    apiRequestId: answer.meta.api_request_id ?? null,
    actionId: actionIn(answer)?.id ?? null,
    status: response.status,
    tookMs: Math.round(performance.now() - startedAt),
    attempts: attemptsIn(id, answer),
    replayed: response.headers.has('idempotent-replayed'),
    errorCode: answer.error?.code ?? null,
    errorDetail: detailIn(answer),
  }
  return noteCall(call)
}

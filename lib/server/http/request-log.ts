import 'server-only'
import { randomUUID } from 'node:crypto'
import { and, asc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Answer } from '@/lib/operations/answer'
import { type Environment, environments } from '@/lib/operations/define'
import { getOperation, type OperationId } from '@/lib/operations/operations'
import type { RefusalContext } from '@/lib/server/audit/refusals'
import { type ScopedAccount, tryParseAccountId } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { getSharedValue } from '@/lib/server/shared'
import { requestLog } from '@/lib/server/store/schema/audit'
import { getDatabase } from '@/lib/server/store/store'
import { pruneBatchSize, startPruning } from '@/lib/server/store/upkeep'
import { findAnswer } from './respond'

const valuePatterns: readonly [RegExp, string][] = [
  [/(["'`“‘])[^"'`”’]{1,200}["'`”’]/g, '…'],
  [/\S+@\S+/g, '…'],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '…'],
  [/\S*\d\S*/g, '…'],
]

/**
 * Returns the text of a refusal without values: without quoted text, email addresses, ids, and
 * words that contain a digit. Refusals with the same reason then have the same text, so they can be
 * grouped.
 */
export const removeValues = (text: string): string =>
  valuePatterns
    .reduce((clean, [pattern, put]) => clean.replace(pattern, put), text)
    .replace(/…(?:[\s,;]*…)+/g, '…')
    .slice(0, 200)

/**
 * One logged call to the service: only ids, codes and numbers, never a body or a query. Rows are
 * stored for 90 days.
 */
type LoggedCall = Omit<typeof requestLog.$inferInsert, 'id' | 'at'>

type RequestLogRow = typeof requestLog.$inferInsert

/** Milliseconds after which, and number of rows at which, a batch is written in one insert. */
const maxBatchMs = 500
const maxBatchRows = 50

/**
 * Rows of one insert. `written` resolves when they are stored or lost. `close` ends the batch and
 * starts the insert.
 */
type Batch = { rows: RequestLogRow[]; written: Promise<void>; close: () => void }

type CallLog = { open: Batch | undefined; broken: boolean }
const callLog = getSharedValue<CallLog>('calls', () => ({ open: undefined, broken: false }))

async function writeRows(rows: RequestLogRow[]): Promise<void> {
  try {
    await (await getDatabase()).insert(requestLog).values(rows)
    callLog.broken = false
  } catch (error) {
    // The rows are lost, because keeping them until the store is back could fill the memory. The
    // error is logged once, not for each batch.
    if (!callLog.broken) log.error({ event: 'request_log.not_written', code: getErrorCode(error) })
    callLog.broken = true
  }
}

function openBatch(): Batch {
  const rows: RequestLogRow[] = []
  let markBatchClosed = () => {}
  const batchClosed = new Promise<void>((resolve) => {
    markBatchClosed = resolve
  })
  const batch: Batch = {
    rows,
    written: batchClosed.then(() => writeRows(rows)),
    close: () => {
      clearTimeout(timer)
      if (callLog.open === batch) callLog.open = undefined
      markBatchClosed()
    },
  }
  const timer = setTimeout(batch.close, maxBatchMs)
  callLog.open = batch
  return batch
}

/**
 * Adds a call to the current batch. Returns a promise that resolves when the row is written or
 * lost. It never rejects. Only a shutdown must wait for it, not a response.
 */
function addToBatch(call: LoggedCall): Promise<void> {
  const batch = callLog.open ?? openBatch()
  batch.rows.push({ ...call, id: randomUUID(), at: new Date() })
  if (batch.rows.length >= maxBatchRows) batch.close()
  return batch.written
}

/**
 * Deletes a batch of rows older than 90 days. Returns their number. Skips locked rows, so that two
 * processes never wait for each other.
 */
async function pruneOldRows(environment: Environment): Promise<number> {
  const db = await getDatabase()
  const oldestRows = db
    .select({ id: requestLog.id })
    .from(requestLog)
    .where(
      and(
        eq(requestLog.environment, environment),
        lt(requestLog.at, sql`now() - interval '90 days'`),
      ),
    )
    .orderBy(asc(requestLog.at))
    .limit(pruneBatchSize)
    .for('update', { skipLocked: true })
  const deletedRows = await db
    .delete(requestLog)
    .where(inArray(requestLog.id, oldestRows))
    .returning({ id: requestLog.id })
  return deletedRows.length
}

/** Starts deleting rows older than 90 days. `stop` also writes the pending batch. */
export function startRequestLog(): { stop: () => void } {
  const pruning = startPruning(
    'request_log',
    environments.map((environment) => () => pruneOldRows(environment)),
  )
  return {
    stop: () => {
      pruning.stop()
      callLog.open?.close()
    },
  }
}

/**
 * Facts that are collected while a request is served: the request, its person and, after the
 * permission check, its scope.
 */
export type RequestContext = {
  /** Start of the request, as `performance.now()`. */
  startedAt: number
  asked?: {
    environment: Environment
    operation: OperationId
    account: string | null
    target: string | null
    ofService: boolean
  }
  actor?: Actor
  scope?: ScopedAccount | null
  about?: Pick<RefusalContext, 'account' | 'target'>
}

const findCallAccount = ({ asked, scope }: RequestContext): string | null =>
  scope?.accountId ?? tryParseAccountId(asked?.account)

/** Returns the facts about a refused request that are audited; null if no operation matched. */
export const toRefusalContext = (requestContext: RequestContext): RefusalContext | null =>
  requestContext.asked
    ? {
        name: requestContext.asked.operation,
        actor: requestContext.actor ?? null,
        environment: requestContext.asked.environment,
        account: findCallAccount(requestContext),
        target: requestContext.asked.target,
        ...requestContext.about,
      }
    : null

/**
 * Returns the action of this request. An `action_open` response contains another action, the one
 * that blocks this request, so the result is then undefined.
 */
const findOwnAction = ({ action, error }: Answer<unknown>) =>
  error?.code === 'action_open' ? undefined : action

/**
 * Returns how often the request was sent to the service. For a write, these are the attempts of its
 * action. For a read that reached the service, they are the attempts in the response, or 1 if
 * missing.
 */
function countAttempts(id: OperationId, answer: Answer<unknown>): number {
  if (getOperation(id).effect !== 'read') return findOwnAction(answer)?.attempts.length ?? 0
  const { meta, error } = answer
  return meta.read_at || error?.code.startsWith('service_') ? (meta.attempts ?? 1) : 0
}

/**
 * Returns the error text of the service without the values in it. Null for Paydesk's own errors,
 * because their code says enough.
 */
const toErrorDetail = ({ error }: Answer<unknown>): string | null =>
  error?.code.startsWith('service_') ? removeValues(error.detail) : null

/**
 * Logs a person's request for a service operation. Returns null if there is nothing to log.
 * Otherwise, returns a promise that resolves when the row is written; the response does not wait
 * for it.
 */
export function logCall(requestContext: RequestContext, response: Response): Promise<void> | null {
  const { startedAt, asked, actor } = requestContext
  const answer = findAnswer(response)
  if (!asked?.ofService || !actor || !answer) return null
  const { environment, operation: id, target } = asked
  const call: LoggedCall = {
    environment,
    operation: id,
    accountId: findCallAccount(requestContext),
    target: target ?? findOwnAction(answer)?.target ?? null,
    actorId: actor.id,
    requestId: answer.meta.request_id,
    apiRequestId: answer.meta.api_request_id ?? null,
    actionId: findOwnAction(answer)?.id ?? null,
    status: response.status,
    tookMs: Math.round(performance.now() - startedAt),
    attempts: countAttempts(id, answer),
    replayed: response.headers.has('idempotent-replayed'),
    errorCode: answer.error?.code ?? null,
    errorDetail: toErrorDetail(answer),
  }
  return addToBatch(call)
}

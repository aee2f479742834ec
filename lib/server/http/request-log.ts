import 'server-only'
import { randomUUID } from 'node:crypto'
import { and, asc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { ApiAnswer } from '@/lib/operations/answer'
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
import { findApiAnswer } from './respond'

const redactedValuePatterns: readonly [RegExp, string][] = [
  [/(["'`“‘])[^"'`”’]{1,200}["'`”’]/g, '…'],
  [/\S+@\S+/g, '…'],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '…'],
  [/\S*\d\S*/g, '…'],
]

/** Removes quoted text, emails, ids and words with a digit. Refusals can then be grouped. */
export const redactValues = (text: string): string =>
  redactedValuePatterns
    .reduce((clean, [pattern, put]) => clean.replace(pattern, put), text)
    .replace(/…(?:[\s,;]*…)+/g, '…')
    .slice(0, 200)

/** Contains only ids, codes and numbers, never a body or a query. */
type LoggedCall = Omit<typeof requestLog.$inferInsert, 'id' | 'at'>

type RequestLogRow = typeof requestLog.$inferInsert

const maxBatchMs = 500
const maxBatchRows = 50

/** `written` resolves when the rows are stored or lost. `close` ends the batch and inserts it. */
type LogRowBatch = { rows: RequestLogRow[]; written: Promise<void>; close: () => void }

type CallLogState = { open: LogRowBatch | undefined; broken: boolean }
const callLogState = getSharedValue<CallLogState>('calls', () => ({
  open: undefined,
  broken: false,
}))

async function insertLogRows(rows: RequestLogRow[]): Promise<void> {
  try {
    await (await getDatabase()).insert(requestLog).values(rows)
    callLogState.broken = false
  } catch (error) {
    // The rows are lost, because keeping them until the store is back could fill the memory. The
    // error is logged once, not for each batch.
    if (!callLogState.broken)
      log.error({ event: 'request_log.not_written', code: getErrorCode(error) })
    callLogState.broken = true
  }
}

function openBatch(): LogRowBatch {
  const rows: RequestLogRow[] = []
  let markBatchClosed = () => {}
  const batchClosed = new Promise<void>((resolve) => {
    markBatchClosed = resolve
  })
  const batch: LogRowBatch = {
    rows,
    written: batchClosed.then(() => insertLogRows(rows)),
    close: () => {
      clearTimeout(timer)
      if (callLogState.open === batch) callLogState.open = undefined
      markBatchClosed()
    },
  }
  const timer = setTimeout(batch.close, maxBatchMs)
  callLogState.open = batch
  return batch
}

/** The promise never rejects. Only a shutdown must wait for it, not a response. */
function addToBatch(call: LoggedCall): Promise<void> {
  const batch = callLogState.open ?? openBatch()
  batch.rows.push({ ...call, id: randomUUID(), at: new Date() })
  if (batch.rows.length >= maxBatchRows) batch.close()
  return batch.written
}

/** Skips locked rows, so that two processes never wait for each other. */
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

/** `stop` also writes the pending batch. */
export function startRequestLog(): { stop: () => void } {
  const pruning = startPruning(
    'request_log',
    environments.map((environment) => () => pruneOldRows(environment)),
  )
  return {
    stop: () => {
      pruning.stop()
      callLogState.open?.close()
    },
  }
}

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

/** The action in an `action_open` response is another one, which blocks this request. */
const findActionOfRequest = ({ action, error }: ApiAnswer<unknown>) =>
  error?.code === 'action_open' ? undefined : action

/** Counts the attempts of a write's action, or of a read that reached the service (default 1). */
function countAttempts(id: OperationId, answer: ApiAnswer<unknown>): number {
  if (getOperation(id).effect !== 'read') return findActionOfRequest(answer)?.attempts.length ?? 0
  const { meta, error } = answer
  return meta.read_at || error?.code.startsWith('service_') ? (meta.attempts ?? 1) : 0
}

/** Null for Paydesk's own errors, because their code says enough. */
const toErrorDetail = ({ error }: ApiAnswer<unknown>): string | null =>
  error?.code.startsWith('service_') ? redactValues(error.detail) : null

/** Null if there is nothing to log. The response does not wait for the promise. */
export function logCall(requestContext: RequestContext, response: Response): Promise<void> | null {
  const { startedAt, asked, actor } = requestContext
  const apiAnswer = findApiAnswer(response)
  if (!asked?.ofService || !actor || !apiAnswer) return null
  const { environment, operation: id, target } = asked
  const call: LoggedCall = {
    environment,
    operation: id,
    accountId: findCallAccount(requestContext),
    target: target ?? findActionOfRequest(apiAnswer)?.target ?? null,
    actorId: actor.id,
    requestId: apiAnswer.meta.request_id,
    apiRequestId: apiAnswer.meta.api_request_id ?? null,
    actionId: findActionOfRequest(apiAnswer)?.id ?? null,
    status: response.status,
    tookMs: Math.round(performance.now() - startedAt),
    attempts: countAttempts(id, apiAnswer),
    replayed: response.headers.has('idempotent-replayed'),
    errorCode: apiAnswer.error?.code ?? null,
    errorDetail: toErrorDetail(apiAnswer),
  }
  return addToBatch(call)
}

import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import type { OperationId } from '@/lib/operations/rows'
import { learnAccounts } from '@/lib/server/account-index'
import { decrypt } from '@/lib/server/encryption'
import { log } from '@/lib/server/log'
import { bookedScope } from '@/lib/server/scoped-account'
import { isReplayed, jsonOf, parseRefusal } from '@/lib/server/service/answer'
import { type Sending, type Sent, send } from '@/lib/server/service/client'
import { neverSent } from '@/lib/server/service/faults'
import { payloads } from '@/lib/server/store/schema'
import { database } from '@/lib/server/store/store'
import type { Action } from './book'
import { createdBy } from './created'
import { withoutFill } from './fill'
import { judge, notSent, type Outcome } from './judge'
import { bodyPlace } from './mentions'
import { multipartBody, type Payload, requireReadable } from './payloads'
import { type Attempt, attemptsOf, beginAttempt, type Ending, endAttempt, LeaseLost, settle } from './settle'
import { withoutSecrets } from './without-secrets'

/** Pauses before the two quick replays within a request (milliseconds), and the time after which no further one is begun. */
const quickPauses = [1000, 3000]
const quickBudget = 15_000

/** Faults that prove the attempt changed nothing: no byte left, or the service turned it away before looking. */
const harmless = new Set([...neverSent, 'service_busy'])

/** Whether attempts so far may have reached the service. One that never ended counts: the process died around it. */
export const maybeSent = (earlier: readonly Attempt[]): boolean => earlier.some((attempt) => !harmless.has(attempt.fault ?? 'none'))

async function payloadOf(id: string): Promise<Payload> {
  const db = await database()
  const [row] = await db.select().from(payloads).where(eq(payloads.id, id))
  if (!row?.sha256) throw new Error('the payload of an action is missing')
  await requireReadable(id)
  return { id: row.id, name: row.name, contentType: row.contentType, size: row.size, sha256: row.sha256 }
}

type Bytes = Omit<Sending, 'requestId'>

async function sendingOf(action: Action): Promise<Bytes> {
  const body = action.payloadId
    ? multipartBody(action.id, await payloadOf(action.payloadId))
    : decrypt(action.body ?? Buffer.alloc(0), bodyPlace(action.id))
  return {
    operation: action.operation as OperationId,
    method: action.method,
    path: action.path,
    query: '',
    scope: bookedScope(action.environment, action.accountId),
    correlationId: action.correlationId,
    idempotencyKey: action.idempotencyKey,
    ...(action.contentType ? { contentType: action.contentType } : {}),
    body,
  }
}

function endingOf(sent: Sent, outcome: Outcome): Ending {
  const fault = 'fault' in outcome ? outcome.fault : outcome.state === 'refused' ? outcome.error.code : null
  if (sent.kind === 'fault') return { status: null, fault, apiRequestId: null, replayed: false }
  const apiRequestId = (jsonOf(sent) ? parseRefusal(sent).apiRequestId : null) ?? null
  return { status: sent.status, fault, apiRequestId, replayed: isReplayed(sent) }
}

type Tried = { attempt: Attempt; ending: Ending; outcome: Outcome }

/** One sending: attempt row, bytes, verdict. Writes nothing after the call; the caller decides what to write. */
async function tryOnce(action: Action, sending: Bytes, earlier: readonly Attempt[], admitted: boolean): Promise<Tried> {
  const attempt = await beginAttempt(action, earlier.length + 1)
  const sent = withoutFill(sending, await send({ ...sending, requestId: attempt.requestId, admitted }))
  const before = { operation: action.operation as OperationId, requestId: attempt.requestId, maybeSent: maybeSent(earlier) }
  const outcome = withoutSecrets(judge(sent, before), sending)
  const ending = endingOf(sent, outcome)
  log.info({
    event: 'action.attempt',
    operation: action.operation,
    action_id: action.id,
    request_id: attempt.requestId,
    attempt: attempt.number,
    state: outcome.state,
    ...(ending.status ? { status: ending.status } : {}),
    ...(ending.fault ? { fault: ending.fault } : {}),
  })
  return { attempt, ending, outcome }
}

function pauseBefore(outcome: Outcome, replays: number): number | null {
  const pause = quickPauses[replays]
  if (outcome.state !== 'unknown' || pause === undefined || outcome.again === 'later') return null
  return typeof outcome.again === 'object' ? Math.max(pause, outcome.again.seconds * 1000) : pause
}

type Running = { replays?: number; admitted?: boolean }

/** What running an action came to: its row, and what the service answered where this very run brought it to its end. */
export type Ran = { action: Action; data?: unknown }

/**
 * Sends an action this process holds until its outcome is known or the quick replays are used up, and writes what came of it. `replays: 0`
 * sends once, as the resolver does; `admitted`: the first sending has leave of the rate limit. Always the same key and bytes. Throws what the store
 * throws; the row then stays open for the resolver.
 */
export async function runAction(action: Action, { replays = quickPauses.length, admitted = false }: Running = {}): Promise<Ran> {
  const started = performance.now()
  const db = await database()
  const sending = await sendingOf(action)
  const earlier = await attemptsOf(db, action.id)
  for (let replay = 0; ; replay += 1) {
    const tried = await tryOnce(action, sending, earlier, admitted && replay === 0)
    const pause = replay < replays ? pauseBefore(tried.outcome, replay) : null
    earlier.push({ ...tried.attempt, ...tried.ending, endedAt: new Date() })
    if (pause === null || performance.now() - started + pause > quickBudget) return conclude(action, tried, earlier)
    await endAttempt(db, tried.attempt, tried.ending)
    await wait(pause)
  }
}

async function conclude(action: Action, tried: Tried, all: readonly Attempt[]): Promise<Ran> {
  const { attempt, ending } = tried
  const nothingLeft = tried.outcome.state === 'unknown' && !maybeSent(all)
  const outcome: Outcome = nothingLeft ? { state: 'refused', error: notSent(ending.fault ?? '', attempt.requestId) } : tried.outcome
  const row = await settle(action, outcome, { attempt, ending })
  if (outcome.state !== 'applied') return { action: row }
  if (row.accountId) {
    const targets = [row.target, createdBy(row, outcome.parsed.data)].filter((target) => target !== null)
    await learnAccounts(row.environment, targets, row.accountId).catch(() => log.warn({ event: 'account.not_learnt' }))
  }
  return { action: row, data: outcome.parsed.data }
}

/**
 * The same, for a person who waits and has leave for the first sending: gives the row as it stands when another process took it over, and throws
 * `outcome_unknown` when the result cannot be written, because "done" may only be said after the commit.
 */
export async function runForPerson(action: Action, current: () => Promise<Action>): Promise<Ran> {
  try {
    return await runAction(action, { admitted: true })
  } catch (error) {
    if (error instanceof LeaseLost) return { action: await current() }
    log.error({ event: 'action.not_settled', action_id: action.id, operation: action.operation })
    throw new AppError('outcome_unknown', 'The answer could not be written down yet. It is being confirmed', { cause: error })
  }
}

import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import { type ServiceOperationId, serviceOperation } from '@/lib/operations/service-operations'
import { recordedScope } from '@/lib/server/auth/scoped-account'
import { times } from '@/lib/server/config/env'
import { errorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { keepAccounts } from '@/lib/server/mirror/account-of'
import { keepAnswer } from '@/lib/server/mirror/keep-answer'
import { isReplayed, jsonOf, parseRefusal } from '@/lib/server/service/answer'
import { type Sending, type Sent, send, withoutKey } from '@/lib/server/service/client'
import { neverSent } from '@/lib/server/service/faults'
import { decrypt } from '@/lib/server/store/encryption'
import { payloads } from '@/lib/server/store/schema/actions'
import { database } from '@/lib/server/store/store'
import type { Action } from './action-log'
import { classifyAnswer, notSent, type Outcome } from './classify-answer'
import { type Attempt, attemptsOf, beginAttempt, completeAction, createdBy, type Ending, endAttempt, LeaseLost } from './complete-action'
import { bodyPlace } from './erase'
import { multipartBody, type Payload, requireReadable } from './payloads'

/** Names of input fields whose values are never shown, and never stored after the body is erased. */
export const secretFields =
  /^(account_number|tan|ssn|ssn_last4|ein|tax_id|dob|email|phone|mobile_number|(accepted_)?ip(_address)?|address[12]|paykey|.*_token)$/

const shortest = 4

function secretsIn(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return secretFields.test(name) && value.length >= shortest ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => secretsIn(inner, Array.isArray(value) ? name : key))
}

/** Masks secret input values in error texts, because the service may quote the field that it refuses, and a refusal is stored. */
function withoutSecrets(outcome: Outcome, { body }: Pick<Sending, 'body'>): Outcome {
  if (!('error' in outcome) || !Buffer.isBuffer(body) || body.length === 0) return outcome
  const secrets = secretsIn(JSON.parse(body.toString('utf8'))).sort((one, other) => other.length - one.length)
  if (secrets.length === 0) return outcome
  const clean = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '•••'), text)
  const { error } = outcome
  const items = error.items.map(({ reference, detail }) => ({ reference, detail: clean(detail) }))
  const { status, requestId, apiRequestId, retryAfter, cause } = error
  return {
    ...outcome,
    error: new AppError(error.code, clean(error.message), { items, status, requestId, apiRequestId, retryAfter, cause }),
  }
}

/** Removes the sent paykey token from the response text, because some services quote a field when they refuse it. */
function withoutFill({ operation, body }: Pick<Sending, 'operation' | 'body'>, sent: Sent): Sent {
  if (serviceOperation(operation).fills !== 'paykey' || sent.kind === 'fault' || !Buffer.isBuffer(body)) return sent
  const { paykey } = JSON.parse(body.toString('utf8')) as { paykey: string }
  return { ...sent, text: withoutKey(sent.text, paykey) }
}

/** Faults that prove that an attempt changed nothing: no byte was sent, or the service refused the request before processing it. */
const harmless = new Set([...neverSent, 'service_busy'])

/** True if an earlier attempt may have reached the service. One without a recorded end counts, because the process died during it. */
const maybeSent = (earlier: readonly Attempt[]): boolean => earlier.some((attempt) => !harmless.has(attempt.fault ?? 'none'))

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
    operation: action.operation as ServiceOperationId,
    method: action.method,
    path: action.path,
    query: '',
    scope: recordedScope(action.environment, action.accountId),
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

/** Sends once: writes the attempt row, sends the bytes, classifies the result. The caller writes the outcome. */
async function tryOnce(action: Action, sending: Bytes, earlier: readonly Attempt[], admitted: boolean): Promise<Tried> {
  const attempt = await beginAttempt(action, earlier.length + 1)
  const sent = withoutFill(sending, await send({ ...sending, requestId: attempt.requestId, admitted }))
  const before = { operation: action.operation as ServiceOperationId, requestId: attempt.requestId, maybeSent: maybeSent(earlier) }
  const outcome = withoutSecrets(classifyAnswer(sent, before), sending)
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
  const pause = times().pauses.replays[replays]
  if (outcome.state !== 'unknown' || pause === undefined || outcome.again === 'later') return null
  return typeof outcome.again === 'object' ? Math.max(pause, outcome.again.seconds * 1000) : pause
}

type Running = { replays?: number; admitted?: boolean }

/** The action's row, and the service's response data if this run applied the action. */
type Ran = { action: Action; data?: unknown }

/**
 * Sends an action whose lease this process holds, until its outcome is known or the quick replays are used up. Then writes the outcome.
 * Every send uses the same key and bytes. `replays` is the maximum of sends after the first; the resolver passes 0. `admitted` means that
 * the rate limit already admitted the first send. Throws store errors; the action then stays open for the resolver.
 */
export async function runAction(action: Action, { replays = times().pauses.replays.length, admitted = false }: Running = {}): Promise<Ran> {
  const started = performance.now()
  const db = await database()
  const sending = await sendingOf(action)
  const earlier = await attemptsOf(db, action.id)
  for (let replay = 0; ; replay += 1) {
    const tried = await tryOnce(action, sending, earlier, admitted && replay === 0)
    const pause = replay < replays ? pauseBefore(tried.outcome, replay) : null
    earlier.push({ ...tried.attempt, ...tried.ending, endedAt: new Date() })
    if (pause === null || performance.now() - started + pause > times().responseHeaders.replays) return conclude(action, tried, earlier)
    await endAttempt(db, tried.attempt, tried.ending)
    await wait(pause)
  }
}

/** Stores the object of the response in the mirror, so that lists show it at once. Skips a replayed response: it may be outdated. */
async function keepWritten({ operation, environment, accountId, replayed }: Action, data: unknown, { startedAt }: Attempt): Promise<void> {
  if (replayed) return
  const answered = { environment, account: accountId, seenBy: 'write', seenAt: startedAt } as const
  await keepAnswer(operation as ServiceOperationId, data, answered).catch((error: unknown) =>
    log.warn({ event: 'mirror.not_kept', operation, code: errorCode(error) }),
  )
}

async function conclude(action: Action, tried: Tried, all: readonly Attempt[]): Promise<Ran> {
  const { attempt, ending } = tried
  const nothingLeft = tried.outcome.state === 'unknown' && !maybeSent(all)
  const outcome: Outcome = nothingLeft ? { state: 'refused', error: notSent(ending.fault ?? '', attempt.requestId) } : tried.outcome
  const row = await completeAction(action, outcome, { attempt, ending })
  if (outcome.state !== 'applied') return { action: row }
  await keepWritten(row, outcome.parsed.data, attempt)
  if (row.accountId) {
    const targets = [row.target, createdBy(row, outcome.parsed.data)].filter((target) => target !== null)
    await keepAccounts(row.environment, targets, row.accountId).catch((error: unknown) =>
      log.warn({ event: 'account.not_learnt', code: errorCode(error) }),
    )
  }
  return { action: row, data: outcome.parsed.data }
}

/**
 * Runs an action while the requester waits. The rate limit has already admitted the first send. Returns the row from `current` if another
 * process took over. Throws `outcome_unknown` if the result cannot be written: success may be shown only after the commit.
 */
export async function runForPerson(action: Action, current: () => Promise<Action>): Promise<Ran> {
  try {
    return await runAction(action, { admitted: true })
  } catch (error) {
    if (error instanceof LeaseLost) return { action: await current() }
    log.error({ event: 'action.not_settled', action_id: action.id, operation: action.operation, code: errorCode(error) })
    throw new AppError('outcome_unknown', 'The answer could not be stored yet. The outcome is being confirmed', { cause: error })
  }
}

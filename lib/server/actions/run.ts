import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import { getServiceOperation, type ServiceOperationId } from '@/lib/operations/service-operations'
import { createRecordedScope } from '@/lib/server/auth/scoped-account'
import { getTimeSettings } from '@/lib/server/config/env'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { storeObjectAccounts } from '@/lib/server/mirror/object-accounts'
import { storeAnswerInMirror } from '@/lib/server/mirror/store-answer'
import { isReplayed, parseErrorAnswer, parseJsonBody } from '@/lib/server/service/answer'
import {
  maskKey,
  type SendResult,
  type ServiceRequest,
  sendRequest,
} from '@/lib/server/service/client'
import { unsentFaults } from '@/lib/server/service/faults'
import { decrypt } from '@/lib/server/store/encryption'
import { filePayloads } from '@/lib/server/store/schema/actions'
import { getDatabase } from '@/lib/server/store/store'
import type { Action } from './action-log'
import { classifyAnswer, createNotSentError, type SendOutcome } from './classify-answer'
import {
  type Attempt,
  type AttemptEnding,
  beginAttempt,
  completeAction,
  endAttempt,
  findCreatedTarget,
  LeaseLostError,
  listAttempts,
} from './complete-action'
import { toBodyAad } from './erase'
import { createMultipartBody, type Payload, requireReadablePayload } from './payloads'

/** Secret input fields: never shown, and not stored once the body is erased. */
export const secretFieldPattern =
  /^(account_number|tan|ssn|ssn_last4|ein|tax_id|dob|email|phone|mobile_number|(accepted_)?ip(_address)?|address[12]|paykey|.*_token)$/

const minSecretLength = 4

function findSecrets(value: unknown, name = ''): string[] {
  if (typeof value === 'string')
    return secretFieldPattern.test(name) && value.length >= minSecretLength ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    findSecrets(inner, Array.isArray(value) ? name : key),
  )
}

/** Masks secrets: the service may quote a field that it refuses, and a refusal is stored. */
function maskSecrets(outcome: SendOutcome, { body }: Pick<ServiceRequest, 'body'>): SendOutcome {
  if (!('error' in outcome) || !Buffer.isBuffer(body) || body.length === 0) return outcome
  const secrets = findSecrets(JSON.parse(body.toString('utf8'))).sort(
    (one, other) => other.length - one.length,
  )
  if (secrets.length === 0) return outcome
  const maskText = (text: string) =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, '•••'), text)
  const { error } = outcome
  const maskedItems = error.items.map(({ reference, detail }) => ({
    reference,
    detail: maskText(detail),
  }))
  const { status, requestId, apiRequestId, retryAfter, cause } = error
  return {
    ...outcome,
    error: new AppError(error.code, maskText(error.message), {
      items: maskedItems,
      status,
      requestId,
      apiRequestId,
      retryAfter,
      cause,
    }),
  }
}

/** Removes the token from the response: some services quote a field when they refuse it. */
function removePaykeyToken(
  { operation, body }: Pick<ServiceRequest, 'operation' | 'body'>,
  sent: SendResult,
): SendResult {
  if (
    getServiceOperation(operation).fills !== 'paykey' ||
    sent.kind === 'fault' ||
    !Buffer.isBuffer(body)
  )
    return sent
  const { paykey } = JSON.parse(body.toString('utf8')) as { paykey: string }
  return { ...sent, text: maskKey(sent.text, paykey) }
}

/** Nothing changed: no byte was sent, or the service refused the request before processing it. */
const faultsWithoutEffect = new Set([...unsentFaults, 'service_busy'])

/** An attempt without a recorded end counts: the process died during it. */
const mayHaveBeenSent = (previousAttempts: readonly Attempt[]): boolean =>
  previousAttempts.some((attempt) => !faultsWithoutEffect.has(attempt.fault ?? 'none'))

async function readPayload(id: string): Promise<Payload> {
  const db = await getDatabase()
  const [row] = await db.select().from(filePayloads).where(eq(filePayloads.id, id))
  if (!row?.sha256) throw new Error('the payload of an action is missing')
  await requireReadablePayload(id)
  return {
    id: row.id,
    name: row.name,
    contentType: row.contentType,
    size: row.size,
    sha256: row.sha256,
  }
}

type PreparedRequest = Omit<ServiceRequest, 'requestId'>

async function prepareRequest(action: Action): Promise<PreparedRequest> {
  const requestBody = action.payloadId
    ? createMultipartBody(action.id, await readPayload(action.payloadId))
    : decrypt(action.body ?? Buffer.alloc(0), toBodyAad(action.id))
  return {
    operation: action.operation as ServiceOperationId,
    method: action.method,
    path: action.path,
    query: '',
    scope: createRecordedScope(action.environment, action.accountId),
    ...(action.integration ? { integration: action.integration } : {}),
    correlationId: action.correlationId,
    idempotencyKey: action.idempotencyKey,
    ...(action.contentType ? { contentType: action.contentType } : {}),
    body: requestBody,
  }
}

function toAttemptEnding(sent: SendResult, outcome: SendOutcome): AttemptEnding {
  const attemptFault =
    'fault' in outcome ? outcome.fault : outcome.state === 'refused' ? outcome.error.code : null
  if (sent.kind === 'fault')
    return { status: null, fault: attemptFault, apiRequestId: null, replayed: false }
  const apiRequestId = (parseJsonBody(sent) ? parseErrorAnswer(sent).apiRequestId : null) ?? null
  return { status: sent.status, fault: attemptFault, apiRequestId, replayed: isReplayed(sent) }
}

type AttemptResult = { attempt: Attempt; ending: AttemptEnding; outcome: SendOutcome }

/** Does not write the outcome; the caller does. */
async function sendActionOnce(
  action: Action,
  preparedRequest: PreparedRequest,
  previousAttempts: readonly Attempt[],
  admitted: boolean,
): Promise<AttemptResult> {
  const attempt = await beginAttempt(action, previousAttempts.length + 1)
  const sendResult = removePaykeyToken(
    preparedRequest,
    await sendRequest({ ...preparedRequest, requestId: attempt.requestId, admitted }),
  )
  const sendContext = {
    operation: action.operation as ServiceOperationId,
    requestId: attempt.requestId,
    maybeSent: mayHaveBeenSent(previousAttempts),
  }
  const maskedOutcome = maskSecrets(classifyAnswer(sendResult, sendContext), preparedRequest)
  const attemptEnding = toAttemptEnding(sendResult, maskedOutcome)
  log.info({
    event: 'action.attempt',
    operation: action.operation,
    action_id: action.id,
    request_id: attempt.requestId,
    attempt: attempt.number,
    state: maskedOutcome.state,
    ...(attemptEnding.status ? { status: attemptEnding.status } : {}),
    ...(attemptEnding.fault ? { fault: attemptEnding.fault } : {}),
  })
  return { attempt, ending: attemptEnding, outcome: maskedOutcome }
}

function getReplayPauseMs(outcome: SendOutcome, replayIndex: number): number | null {
  const replayPauseMs = getTimeSettings().pauses.replays[replayIndex]
  if (outcome.state !== 'unknown' || replayPauseMs === undefined || outcome.again === 'later')
    return null
  return typeof outcome.again === 'object'
    ? Math.max(replayPauseMs, outcome.again.seconds * 1000)
    : replayPauseMs
}

type RunActionOptions = { replays?: number; admitted?: boolean }

/** `data` is the response of the service if this run applied the action. */
type RunActionResult = { action: Action; data?: unknown }

/**
 * Sends an action whose lease this process holds, until its outcome is known or the quick replays
 * are used up. Then writes the outcome. Every send uses the same key and bytes. `replays` is the
 * maximum number of sends after the first one. `admitted`: the rate limit already admitted the
 * first send. After a store error, the action stays open for the resolver.
 */
export async function runAction(
  action: Action,
  { replays = getTimeSettings().pauses.replays.length, admitted = false }: RunActionOptions = {},
): Promise<RunActionResult> {
  const runStartedAt = performance.now()
  const db = await getDatabase()
  const preparedRequest = await prepareRequest(action)
  const earlierAttempts = await listAttempts(db, action.id)
  for (let replay = 0; ; replay += 1) {
    const attemptResult = await sendActionOnce(
      action,
      preparedRequest,
      earlierAttempts,
      admitted && replay === 0,
    )
    const replayPause = replay < replays ? getReplayPauseMs(attemptResult.outcome, replay) : null
    earlierAttempts.push({ ...attemptResult.attempt, ...attemptResult.ending, endedAt: new Date() })
    if (
      replayPause === null ||
      performance.now() - runStartedAt + replayPause > getTimeSettings().responseHeaders.replays
    )
      return finishAction(action, attemptResult, earlierAttempts)
    await endAttempt(db, attemptResult.attempt, attemptResult.ending)
    await wait(replayPause)
  }
}

/** Makes lists show the object at once. Skips a replayed response: it may be outdated. */
async function storeInMirror(
  { operation, environment, accountId, replayed }: Action,
  data: unknown,
  { startedAt }: Attempt,
): Promise<void> {
  if (replayed) return
  const mirrorSource = {
    environment,
    account: accountId,
    seenBy: 'write',
    seenAt: startedAt,
  } as const
  await storeAnswerInMirror(operation as ServiceOperationId, data, mirrorSource).catch(
    (error: unknown) =>
      log.warn({ event: 'mirror.not_kept', operation, code: getErrorCode(error) }),
  )
}

async function finishAction(
  action: Action,
  lastResult: AttemptResult,
  allAttempts: readonly Attempt[],
): Promise<RunActionResult> {
  const { attempt, ending } = lastResult
  const wasNeverSent = lastResult.outcome.state === 'unknown' && !mayHaveBeenSent(allAttempts)
  const finalOutcome: SendOutcome = wasNeverSent
    ? { state: 'refused', error: createNotSentError(ending.fault ?? '', attempt.requestId) }
    : lastResult.outcome
  const completedAction = await completeAction(action, finalOutcome, { attempt, ending })
  if (finalOutcome.state !== 'applied') return { action: completedAction }
  await storeInMirror(completedAction, finalOutcome.parsed.data, attempt)
  if (completedAction.accountId) {
    const targetsToStore = [
      completedAction.target,
      findCreatedTarget(completedAction, finalOutcome.parsed.data),
    ].filter((target) => target !== null)
    await storeObjectAccounts(
      completedAction.environment,
      targetsToStore,
      completedAction.accountId,
    ).catch((error: unknown) =>
      log.warn({ event: 'account.not_learnt', code: getErrorCode(error) }),
    )
  }
  return { action: completedAction, data: finalOutcome.parsed.data }
}

/**
 * If another process took over the action, returns the current row. Throws `outcome_unknown` if the
 * result cannot be written: success may be shown only after the commit.
 */
export async function runActionForPerson(
  action: Action,
  readCurrentAction: () => Promise<Action>,
): Promise<RunActionResult> {
  try {
    return await runAction(action, { admitted: true })
  } catch (error) {
    if (error instanceof LeaseLostError) return { action: await readCurrentAction() }
    log.error({
      event: 'action.not_settled',
      action_id: action.id,
      operation: action.operation,
      code: getErrorCode(error),
    })
    throw new AppError(
      'outcome_unknown',
      'The answer could not be stored yet. The outcome is being confirmed',
      { cause: error },
    )
  }
}

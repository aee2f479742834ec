import 'server-only'
import { randomUUID } from 'node:crypto'
import {
  type LimitedPaymentType,
  type LimitSet,
  limitedPaymentTypes,
  toLimitSet,
} from '@/lib/domain/limit-labels'
import { whyFieldsUnreadable } from '@/lib/domain/unreadable-rules'
import { parseWarning, type Warning } from '@/lib/domain/warnings'
import { AppError, createFieldError, type ErrorItem } from '@/lib/errors'
import { toRequestParts } from '@/lib/operations/http'
import type { RequestParts } from '@/lib/operations/layout'
import {
  type AuthorizationDetails,
  authorizationDetails,
} from '@/lib/operations/payment-input.schema'
import { decisionReasonInput } from '@/lib/operations/reason.schema'
import { getServiceOperation, type ServiceOperationId } from '@/lib/operations/service-operations'
import type { NewAction } from '@/lib/server/actions/action-log'
import { receiveUpload } from '@/lib/server/actions/receive-upload'
import { requireRole, type ScopedAccount } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { env } from '@/lib/server/config/env'
import { toCorrelationId, toServiceRequest } from '@/lib/server/service/request'
import { createNotSentHandler, readService } from '@/lib/server/service/service-read'
import { sha256 } from '@/lib/server/store/hashes'
import { parseFields, parseQueryFields, requireStorableText } from './input'

/** `Action-Proof` has the format of a URL query. Throws `invalid_input` with each field. */
function readAuthorizationDetails(request: Request): AuthorizationDetails {
  return parseFields(
    authorizationDetails,
    parseQueryFields(new URLSearchParams(request.headers.get('action-proof') ?? '')),
  )
}

function decodeReason(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw createFieldError('reason', 'Action-Reason must be percent-encoded UTF-8.')
  }
}

/** Paydesk stores this reason and does not send it to the service. Throws `invalid_input`. */
export function readReasonHeader(request: Request): string {
  const text = decodeReason(request.headers.get('action-reason') ?? '')
  requireStorableText({ reason: text })
  const parsed = decisionReasonInput.safeParse(text)
  if (parsed.success) return parsed.data
  throw createFieldError('reason', parsed.error.issues[0]?.message ?? 'Not a reason.')
}

/** Every form stays below both limits. Their product is the maximum length of the header. */
const warningLimits = { warnings: 24, name: 60 }

/**
 * Names such as `documents_warn` or `limit_single_warn:8700`, separated by commas. Throws
 * `invalid_input` for any other text, because warnings are stored and must not contain free text.
 */
function readConfirmedWarnings(request: Request): Warning[] {
  const header = request.headers.get('action-warnings') ?? ''
  if (header === '') return []
  if (header.length > warningLimits.warnings * warningLimits.name)
    throw createFieldError('warnings', 'Action-Warnings is too long.')
  const warningNames = [...new Set(header.split(',').map((name) => name.trim()))]
  if (warningNames.length > warningLimits.warnings)
    throw createFieldError('warnings', `At most ${warningLimits.warnings} can be confirmed.`)
  return warningNames.map((name) => {
    const warning = parseWarning(name)
    if (!warning)
      throw createFieldError(
        'warnings',
        'Action-Warnings names one that Paydesk does not know. Reload the page.',
      )
    return warning
  })
}

/** A permitted and parsed write. An uploaded file has not been read from `request` yet. */
export type WriteRequest = {
  request: Request
  operation: ServiceOperationId
  input: Record<string, unknown>
  actor: Actor
  scope: ScopedAccount
  /** `<resource>/<id>`, or null if the write creates an object. */
  target: string | null
}

type RequestBytes = Pick<NewAction, 'contentType' | 'body' | 'bodySha256'> & { content: string }

type RequestLayouts = { own: RequestParts; service: RequestParts }

// A deletion has no body, and some gateways refuse one.
const toBodyText = ({ method, body }: RequestParts): string =>
  method === 'DELETE' ? '' : JSON.stringify(body ?? {})

const toPathAndQuery = ({ path, query }: RequestParts): string =>
  query ? `${path}?${query}` : path

/**
 * The exact bytes to send. `content` stands for the browser's body in the fingerprint. For an
 * upload, it is the name and hash of the file, because each multipart form has another boundary.
 */
async function buildRequestBytes(
  write: WriteRequest,
  id: string,
  key: string,
  { own, service }: RequestLayouts,
): Promise<RequestBytes> {
  if (getServiceOperation(write.operation).body === 'file') {
    const { file, bodySha256, contentType } = await receiveUpload({
      request: write.request,
      actionId: id,
      actorId: write.actor.id,
      key,
    })
    return { contentType, body: file, bodySha256, content: `${file.name}\n${file.sha256}` }
  }
  const text = toBodyText(service)
  const body = Buffer.from(text)
  return {
    contentType: text === '' ? '' : 'application/json',
    body,
    bodySha256: sha256(body),
    content: toBodyText(own),
  }
}

/** The header has the reason if only Paydesk stores it, else the input has it. */
function readReason(
  { operation, request }: WriteRequest,
  input: Record<string, unknown>,
): string | null {
  if (getServiceOperation(operation).reason === 'kept') return readReasonHeader(request)
  return typeof input.reason === 'string' ? input.reason : null
}

/**
 * Throws `bad_request`, `invalid_input` or `too_large`. Requests with the same fingerprint count as
 * the same request. It covers all that the browser sent, including the reason and the proof that
 * only Paydesk stores. It omits what can differ in a retry: bytes that the server adds, paths at
 * the service (a setting can change them), and the confirmed warnings.
 */
export async function buildNewAction(write: WriteRequest, key: string): Promise<NewAction> {
  const { operation, input, actor, scope, request, target } = write
  const definition = getServiceOperation(operation)
  const reason = readReason(write, input)
  const proof = definition.proof ? readAuthorizationDetails(request) : null
  const newActionId = randomUUID()
  const requestLayouts = {
    own: toRequestParts(operation, input),
    service: toServiceRequest(operation, input, scope),
  }
  const { content, ...bytes } = await buildRequestBytes(write, newActionId, key, requestLayouts)
  const { method } = requestLayouts.own
  const fingerprintParts = [
    scope.environment,
    scope.accountId,
    actor.id,
    method,
    toPathAndQuery(requestLayouts.own),
    content,
  ]
  if (definition.reason === 'kept') fingerprintParts.push(reason)
  if (proof) fingerprintParts.push(JSON.stringify(proof))
  return {
    id: newActionId,
    operation,
    scope,
    actor,
    target,
    key,
    method,
    path: toPathAndQuery(requestLayouts.service),
    ...bytes,
    proof,
    reason,
    warnings: readConfirmedWarnings(request),
    correlationId: toCorrelationId(request.headers.get('correlation-id')),
    fingerprint: sha256(fingerprintParts.join('\n')),
    snapshotHash: request.headers.get('snapshot-hash')?.slice(0, 64) ?? null,
    comparedAt: null,
    seen: null,
    moved: null,
    rule: null,
    stepUp: null,
  }
}

/** A customer change replaces all these masked fields at the service, so it must contain each. */
const maskedFields = ['email', 'phone', 'device'] as const

function createFieldsRequiredError(missing: readonly string[], requestId?: string): AppError {
  const detail =
    'Enter it again: the current value cannot be read in this account, and every change replaces the value.'
  const items: ErrorItem[] = missing.map((reference) => ({ reference, detail }))
  const context = requestId ? { items, requestId } : { items }
  return new AppError('invalid_input', `${missing.join(', ')}: ${detail} Nothing was sent`, context)
}

/**
 * If the account forbids the read of the customer, the person must enter the fields: throws
 * `invalid_input`. If the service failed, throws `not_sent`.
 */
const createUnreadCustomerHandler =
  (missing: readonly string[]) =>
  (cause: unknown): never => {
    if (!(cause instanceof AppError)) throw cause
    if (cause.code === 'service_forbidden')
      throw createFieldsRequiredError(missing, cause.requestId)
    if (cause.code !== 'service_failed') throw cause
    throw new AppError('not_sent', 'The customer could not be read. Nothing was sent: try again', {
      requestId: cause.requestId,
      cause,
    })
  }

/**
 * Completes a customer change that omits contact data. Only the encrypted request body contains the
 * data, so no person sees it. Throws `invalid_input` with the fields that cannot be read, or
 * `not_sent`. In both cases, no action is recorded.
 */
async function addContactData(newAction: NewAction): Promise<NewAction> {
  if (!Buffer.isBuffer(newAction.body)) return newAction
  const bodyFields = JSON.parse(newAction.body.toString('utf8')) as Record<string, unknown>
  const missingFields = maskedFields.filter((name) => bodyFields[name] === undefined)
  const customerId = newAction.target?.split('/')[1]
  if (missingFields.length === 0 || !customerId) return newAction
  requireRole(newAction.scope, 'customers.unmask')
  const { data } = await readService('customers.unmask', { id: customerId }, newAction.scope).catch(
    createUnreadCustomerHandler(missingFields),
  )
  const currentContactData = {
    email: data.email,
    phone: data.phone,
    device: data.device?.ip_address ? { ip_address: data.device.ip_address } : undefined,
  }
  const unreadFields = missingFields.filter((name) => currentContactData[name] === undefined)
  if (unreadFields.length > 0) throw createFieldsRequiredError(unreadFields)
  const body = Buffer.from(
    JSON.stringify({
      ...bodyFields,
      ...Object.fromEntries(missingFields.map((name) => [name, currentContactData[name]])),
    }),
  )
  return { ...newAction, body, bodySha256: sha256(body) }
}

type RequestedLimits = Partial<Record<LimitedPaymentType, LimitSet>>

/**
 * Adds the current value of each limit that a request omits. The interface document allows such a
 * request, but the contract of the provider requires all four limits (provider facts 1.8). Throws
 * `not_sent` if a current limit cannot be read; then no action is recorded.
 */
async function addCurrentLimits(newAction: NewAction): Promise<NewAction> {
  const { accountId } = newAction.scope
  if (
    !Buffer.isBuffer(newAction.body) ||
    !accountId ||
    !env().capabilityRequestsPath.includes('{account_id}')
  )
    return newAction
  const requestedLimits = JSON.parse(newAction.body.toString('utf8')) as RequestedLimits
  const requestedTypes = limitedPaymentTypes.filter((type) => requestedLimits[type] !== undefined)
  if (requestedTypes.length === 0) return newAction
  const { data: settings } = await readService(
    'account_settings.get',
    { id: accountId },
    newAction.scope,
  ).catch(createNotSentHandler('The limits in force'))
  const unreadableReason = whyFieldsUnreadable('capability_requests.create', settings)
  if (unreadableReason) throw new AppError('not_sent', `${unreadableReason} Nothing was sent`)
  const completeLimits = Object.fromEntries(
    requestedTypes.map((type) => [
      type,
      { ...toLimitSet(settings[type]), ...requestedLimits[type] },
    ]),
  )
  const body = Buffer.from(JSON.stringify({ ...requestedLimits, ...completeLimits }))
  return { ...newAction, body, bodySha256: sha256(body) }
}

function handleUnreadPaykey(cause: unknown): never {
  if (!(cause instanceof AppError) || cause.code !== 'service_not_found')
    return createNotSentHandler('The bank account (paykey)')(cause)
  const items = [{ reference: 'paykey_id', detail: 'Not a paykey of this account.' }]
  throw new AppError(
    'service_not_found',
    'paykey_id: Not a paykey of this account. Nothing was sent',
    {
      items,
      requestId: cause.requestId,
      cause,
    },
  )
}

/**
 * For a payment, reads the token of the paykey (a linked bank account) in the same scope, and puts
 * it into the body instead of `paykey_id`. Only the encrypted body ever contains the token. Throws
 * `not_sent`, or the error of the service. In both cases, no action is recorded.
 */
export async function fillFieldsFromService(newAction: NewAction): Promise<NewAction> {
  const { fills } = getServiceOperation(newAction.operation)
  if (fills === 'customer') return addContactData(newAction)
  if (fills === 'limits') return addCurrentLimits(newAction)
  if (fills !== 'paykey' || !Buffer.isBuffer(newAction.body)) return newAction
  requireRole(newAction.scope, 'paykeys.reveal')
  const { paykey_id: id, ...rest } = JSON.parse(newAction.body.toString('utf8')) as {
    paykey_id: string
  }
  const { data } = await readService('paykeys.reveal', { id }, newAction.scope).catch(
    handleUnreadPaykey,
  )
  const body = Buffer.from(JSON.stringify({ paykey: data.paykey, ...rest }))
  return { ...newAction, body, bodySha256: sha256(body) }
}

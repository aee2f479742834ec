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
import { toRequest } from '@/lib/operations/http'
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

/**
 * Returns the details of an uploaded proof of authorization. The `Action-Proof` header contains
 * them in the format of a URL query. Throws `invalid_input` with each invalid field and how to fix
 * it.
 */
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

/**
 * Returns the reason in the `Action-Reason` header, which Paydesk stores and does not send to the
 * service. If it is invalid, throws `invalid_input` for the field `reason`, with how to fix it.
 */
export function readReasonHeader(request: Request): string {
  const text = decodeReason(request.headers.get('action-reason') ?? '')
  requireStorableText({ reason: text })
  const parsed = decisionReasonInput.safeParse(text)
  if (parsed.success) return parsed.data
  throw createFieldError('reason', parsed.error.issues[0]?.message ?? 'Not a reason.')
}

/**
 * Maximum number of warnings, and maximum length of the name of a warning. Every form stays below
 * both. Their product is the maximum length of the header.
 */
const warningLimits = { warnings: 24, name: 60 }

/**
 * Returns the confirmed warnings in the `Action-Warnings` header: names such as `documents_warn` or
 * `limit_single_warn:8700`, separated by commas. Throws `invalid_input` for any other text, because
 * warnings are stored and must not contain free text.
 */
function readConfirmedWarnings(request: Request): Warning[] {
  const header = request.headers.get('action-warnings') ?? ''
  if (header === '') return []
  if (header.length > warningLimits.warnings * warningLimits.name)
    throw createFieldError('warnings', 'Action-Warnings is too long.')
  const names = [...new Set(header.split(',').map((name) => name.trim()))]
  if (names.length > warningLimits.warnings)
    throw createFieldError('warnings', `At most ${warningLimits.warnings} can be confirmed.`)
  return names.map((name) => {
    const warning = parseWarning(name)
    if (!warning)
      throw createFieldError(
        'warnings',
        'Action-Warnings names one that Paydesk does not know. Reload the page.',
      )
    return warning
  })
}

/**
 * A write request whose operation is known, whose permission is checked and whose input is parsed.
 * An uploaded file has not been read from `request` yet.
 */
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
 * Returns the exact bytes to send to the service. `content` represents the body that the browser
 * sent, for the fingerprint. For an upload, it is the name and hash of the file, because each
 * multipart form has another boundary.
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

/**
 * Returns the person's reason for a write: from the header if only Paydesk stores it, else from the
 * input. Null if there is none.
 */
function readReason(
  { operation, request }: WriteRequest,
  input: Record<string, unknown>,
): string | null {
  if (getServiceOperation(operation).reason === 'kept') return readReasonHeader(request)
  return typeof input.reason === 'string' ? input.reason : null
}

/**
 * Returns the new action of a write. Throws `bad_request`, `invalid_input` or `too_large`, each
 * with how to fix it. Requests with the same fingerprint count as the same request. The fingerprint
 * covers all that the browser sent, including the reason and the proof that only Paydesk stores. It
 * omits what can differ in a retry: bytes that the server adds, paths at the service (a setting can
 * change them), and the confirmed warnings.
 */
export async function buildNewAction(write: WriteRequest, key: string): Promise<NewAction> {
  const { operation, input, actor, scope, request, target } = write
  const definition = getServiceOperation(operation)
  const reason = readReason(write, input)
  const proof = definition.proof ? readAuthorizationDetails(request) : null
  const id = randomUUID()
  const layouts = {
    own: toRequest(operation, input),
    service: toServiceRequest(operation, input, scope),
  }
  const { content, ...bytes } = await buildRequestBytes(write, id, key, layouts)
  const { method } = layouts.own
  const fingerprintParts = [
    scope.environment,
    scope.accountId,
    actor.id,
    method,
    toPathAndQuery(layouts.own),
    content,
  ]
  if (definition.reason === 'kept') fingerprintParts.push(reason)
  if (proof) fingerprintParts.push(JSON.stringify(proof))
  return {
    id,
    operation,
    scope,
    actor,
    target,
    key,
    method,
    path: toPathAndQuery(layouts.service),
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

/**
 * Customer fields that screens show masked. A change of a customer replaces them all at the
 * service, so it must contain each of them.
 */
const maskedFields = ['email', 'phone', 'device'] as const

function createFieldsRequiredError(missing: readonly string[], requestId?: string): AppError {
  const detail =
    'Enter it again: the current value cannot be read in this account, and every change replaces the value.'
  const items: ErrorItem[] = missing.map((reference) => ({ reference, detail }))
  const context = requestId ? { items, requestId } : { items }
  return new AppError('invalid_input', `${missing.join(', ')}: ${detail} Nothing was sent`, context)
}

/**
 * Returns an error handler for a failed read of the customer. If the service failed, the handler
 * throws `not_sent`. If the account forbids the read, it throws `invalid_input`, because the person
 * must then enter the fields.
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
 * Adds the current contact data and device to a customer change that omits them. Only the encrypted
 * request body contains them, so no person sees them. Throws `invalid_input` with the fields that
 * cannot be read, or `not_sent`. In both cases, no action is recorded.
 */
async function addContactData(newAction: NewAction): Promise<NewAction> {
  if (!Buffer.isBuffer(newAction.body)) return newAction
  const bodyFields = JSON.parse(newAction.body.toString('utf8')) as Record<string, unknown>
  const missingFields = maskedFields.filter((name) => bodyFields[name] === undefined)
  const id = newAction.target?.split('/')[1]
  if (missingFields.length === 0 || !id) return newAction
  requireRole(newAction.scope, 'customers.unmask')
  const { data } = await readService('customers.unmask', { id }, newAction.scope).catch(
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
 * Completes a request for new limits: adds the current value of each limit that the request omits.
 * The interface document allows a request with some limits, but the contract of the provider
 * requires all four (provider facts 1.8). Returns the action unchanged if the path of capability
 * requests does not contain the account. Throws `not_sent` if a current limit cannot be read; then
 * no action is recorded.
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
 * Returns the action with the fields that the server must add. For a payment, it reads the token of
 * the paykey (a linked bank account) in the same scope, and puts that into the body instead of
 * `paykey_id`. Only the encrypted body ever contains the token. Throws `not_sent`, or the error of
 * the service if it does not reveal the token. In both cases, no action is recorded.
 */
export async function addServerFields(newAction: NewAction): Promise<NewAction> {
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

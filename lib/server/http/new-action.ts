import 'server-only'
import { randomUUID } from 'node:crypto'
import { parseWarning, type Warning } from '@/lib/domain/warnings'
import { createFieldError } from '@/lib/errors'
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
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { toCorrelationId, toServiceRequest } from '@/lib/server/service/request'
import { sha256 } from '@/lib/server/store/hashes'
import { parseFields, parseQueryFields, requireStorableText } from './input'

/**
 * Reads the details of the customer's authorization from the header `Action-Proof`, which has the
 * format of a URL query. Throws `invalid_input` with each wrong field.
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

/** Paydesk stores this reason and does not send it to the service. Throws `invalid_input`. */
export function readReasonHeader(request: Request): string {
  const reasonText = decodeReason(request.headers.get('action-reason') ?? '')
  requireStorableText({ reason: reasonText })
  const parsedReason = decisionReasonInput.safeParse(reasonText)
  if (parsedReason.success) return parsedReason.data
  throw createFieldError('reason', parsedReason.error.issues[0]?.message ?? 'Not a reason.')
}

/**
 * The most warnings that a request can confirm, and the longest name of one (characters). No form
 * reaches these limits. Their product limits the length of the header.
 */
const warningLimits = { warnings: 24, name: 60 }

/**
 * Names such as `documents_warn` or `limit_single_warn:8700`, separated by commas. Throws
 * `invalid_input` for any other text, because warnings are stored and must not contain free text.
 */
function readConfirmedWarnings(request: Request): Warning[] {
  const warningsHeader = request.headers.get('action-warnings') ?? ''
  if (warningsHeader === '') return []
  if (warningsHeader.length > warningLimits.warnings * warningLimits.name)
    throw createFieldError('warnings', 'Action-Warnings is too long.')
  const warningNames = [...new Set(warningsHeader.split(',').map((name) => name.trim()))]
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

type OwnAndServiceRequests = { own: RequestParts; service: RequestParts }

// A deletion has no body, and some gateways refuse one.
const toBodyText = ({ method, body }: RequestParts): string =>
  method === 'DELETE' ? '' : JSON.stringify(body ?? {})

const toPathAndQuery = ({ path, query }: RequestParts): string =>
  query ? `${path}?${query}` : path

/**
 * Returns the exact bytes to send. `content` stands for the browser's body in the fingerprint. For
 * an upload, it is the name and hash of the file, because each multipart form has another boundary.
 */
async function buildRequestBytes(
  write: WriteRequest,
  id: string,
  key: string,
  { own, service }: OwnAndServiceRequests,
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
  const authorizationProof = definition.proof ? readAuthorizationDetails(request) : null
  const newActionId = randomUUID()
  const ownAndServiceRequests = {
    own: toRequestParts(operation, input),
    service: toServiceRequest(operation, input, scope),
  }
  const { content, ...bytes } = await buildRequestBytes(
    write,
    newActionId,
    key,
    ownAndServiceRequests,
  )
  const { method } = ownAndServiceRequests.own
  const fingerprintParts = [
    scope.environment,
    scope.accountId,
    actor.id,
    method,
    toPathAndQuery(ownAndServiceRequests.own),
    content,
  ]
  if (definition.reason === 'kept') fingerprintParts.push(reason)
  if (authorizationProof) fingerprintParts.push(JSON.stringify(authorizationProof))
  return {
    id: newActionId,
    operation,
    scope,
    actor,
    target,
    key,
    method,
    path: toPathAndQuery(ownAndServiceRequests.service),
    ...bytes,
    proof: authorizationProof,
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

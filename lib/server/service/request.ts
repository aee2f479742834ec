import 'server-only'
import { randomUUID } from 'node:crypto'
import { toRequest } from '@/lib/operations/http'
import type { RequestParts } from '@/lib/operations/layout'
import { getServiceOperation, type ServiceOperationId } from '@/lib/operations/service-operations'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import { env } from '@/lib/server/config/env'

/** Returns a new request id for our log and the service: `req_` and 32 hex digits. */
export const createRequestId = (): string => `req_${randomUUID().replaceAll('-', '')}`

const correlationIdPattern = /^[A-Za-z0-9_.:-]{8,64}$/

/** Returns the browser's correlation id if it has 8 to 64 plain characters, otherwise a new one. */
export const toCorrelationId = (browserCorrelationId: string | null): string =>
  browserCorrelationId && correlationIdPattern.test(browserCorrelationId)
    ? browserCorrelationId
    : `cor_${randomUUID().replaceAll('-', '')}`

/**
 * Returns the seconds to wait that the service requests in its header `Retry-After` (a number of
 * seconds, or a date); at most an hour. Returns undefined if the header is missing or invalid.
 */
export function parseRetryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const text = headers['retry-after']
  if (!text) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 0), 3600) : undefined
}

/** Returns seconds as text for a sentence. 100 seconds or more are shown as minutes, rounded up. */
export function toDurationText(seconds: number): string {
  const [count, unit] = seconds < 100 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/**
 * Headers of every request to the service. Without `accept-encoding: identity`, the service could
 * compress its response (RFC 9110, 12.5.3), which Paydesk does not support.
 */
export const fixedHeaders = {
  accept: 'application/json',
  'accept-encoding': 'identity',
  'user-agent': 'Paydesk',
} as const

function toConfiguredPath({ accountId }: ScopedAccount): string {
  return env().capabilityRequestsPath.replace('{account_id}', (placeholder) => {
    if (accountId === null) throw new Error(`${placeholder} needs the scope of one account`)
    return accountId
  })
}

/**
 * Returns the request body in the form that this service requires. The service's word for a signed
 * consent depends on a setting. Some operations require null instead of a missing field.
 */
function toServiceBody(
  id: ServiceOperationId,
  body: Record<string, unknown>,
): Record<string, unknown> {
  if (body.consent_type === 'signed_agreement')
    return { ...body, consent_type: env().signedConsent }
  const { sendsNull = [] } = getServiceOperation(id)
  return sendsNull.length > 0
    ? { ...Object.fromEntries(sendsNull.map((name) => [name, null])), ...body }
    : body
}

/**
 * Returns the method, path, query and body of a request to the service. Applies the settings in
 * which services differ: paths, list format and values. The path begins with `/v1`. Only some
 * connection checks in `doctor/` build requests without this function. Requests to our own API are
 * built by `toRequest`.
 */
export function toServiceRequest(
  id: ServiceOperationId,
  input: Record<string, unknown>,
  scope: ScopedAccount,
): RequestParts {
  const { method, path, query, body } = toRequest(id, input, env().listStyle)
  return {
    method,
    path: getServiceOperation(id).configuredPath ? toConfiguredPath(scope) : `/v1${path}`,
    query,
    body: body && toServiceBody(id, body),
  }
}

/**
 * The parts of a request that determine its account header. Operations with `scope: 'forbidden'`
 * send no account, although the scope can name one for our own records.
 */
type HeaderScope = {
  operation: ServiceOperationId
  path: string
  scope: Pick<ScopedAccount, 'accountId'>
}

/**
 * Returns the id of the account for the account header. Returns null if there is no account, if the
 * operation does not allow the header, or if the path contains the account, because the service
 * then requires no header. The path is checked instead of the path setting: a replay sends the
 * stored path, and must send the same headers even if the setting has changed.
 */
export function findHeaderAccount({
  operation,
  path,
  scope: { accountId },
}: HeaderScope): string | null {
  const { scope, configuredPath } = getServiceOperation(operation)
  if (accountId === null || scope === 'forbidden') return null
  return configuredPath && path.split('/').includes(accountId) ? null : accountId
}

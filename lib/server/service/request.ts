import 'server-only'
import { randomUUID } from 'node:crypto'
import { toRequest } from '@/lib/operations/http'
import type { RequestLayout } from '@/lib/operations/layout'
import { type ServiceOperationId, serviceOperation } from '@/lib/operations/service-operations'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import { env } from '@/lib/server/config/env'

/** Returns a new request id for our log and the service: `req_` and 32 hex digits. */
export const newRequestId = (): string => `req_${randomUUID().replaceAll('-', '')}`

const correlationPattern = /^[A-Za-z0-9_.:-]{8,64}$/

/** Returns the browser's correlation id if it has 8 to 64 plain characters, otherwise a new one. */
export const toCorrelationId = (given: string | null): string =>
  given && correlationPattern.test(given) ? given : `cor_${randomUUID().replaceAll('-', '')}`

/** Returns the seconds that the service requests to wait, at most an hour, from seconds or a date. Undefined if there are none. */
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

/** Headers of every request to the service. Without `accept-encoding`, the service could compress the body (RFC 9110, 12.5.3). */
export const fixedHeaders = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'Paydesk' } as const

function toConfiguredPath({ accountId }: ScopedAccount): string {
  return env().capabilityRequestsPath.replace('{account_id}', (placeholder) => {
    if (accountId === null) throw new Error(`${placeholder} needs the scope of one account`)
    return accountId
  })
}

/** Returns a body as this service requires it: some use another value for a signed consent, or require null for a missing field. */
function toServiceBody(id: ServiceOperationId, body: Record<string, unknown>): Record<string, unknown> {
  if (body.consent_type === 'signed_agreement') return { ...body, consent_type: env().signedConsent }
  const { sendsNull = [] } = serviceOperation(id)
  return sendsNull.length > 0 ? { ...Object.fromEntries(sendsNull.map((name) => [name, null])), ...body } : body
}

/**
 * Returns the request to the service. Applies the settings in which services differ: paths, list style and values. `path` begins with
 * `/v1`. Every request to the service is built here, except some of `doctor/`. The layout of our own API is `toRequest`.
 */
export function toServiceRequest(id: ServiceOperationId, input: Record<string, unknown>, scope: ScopedAccount): RequestLayout {
  const { method, path, query, body } = toRequest(id, input, env().listStyle)
  return {
    method,
    path: serviceOperation(id).configuredPath ? toConfiguredPath(scope) : `/v1${path}`,
    query,
    body: body && toServiceBody(id, body),
  }
}

/** The parts of a request that determine its account header. Some calls must not send the scope's account, which is only recorded. */
type HeaderScope = { operation: ServiceOperationId; path: string; scope: Pick<ScopedAccount, 'accountId'> }

/**
 * Returns the account for the header. Null if there is none, or if the path contains it, because the service then requires no header. The
 * path decides and not a setting, so that a replay has the same header even after a setting changed.
 */
export function findHeaderAccount({ operation, path, scope: { accountId } }: HeaderScope): string | null {
  const { scope, configuredPath } = serviceOperation(operation)
  if (accountId === null || scope === 'forbidden') return null
  return configuredPath && path.split('/').includes(accountId) ? null : accountId
}

import 'server-only'
import { randomUUID } from 'node:crypto'
import { toRequest } from '@/lib/operations/http'
import type { Layout } from '@/lib/operations/layout'
import { type ServiceOperationId, serviceOperation } from '@/lib/operations/service-operations'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import { env } from '@/lib/server/config/env'

/** Returns a new request id for our log and the service's: `req_` and 32 hex digits. */
export const newRequestId = (): string => `req_${randomUUID().replaceAll('-', '')}`

const correlationPattern = /^[A-Za-z0-9_.:-]{8,64}$/

/** Returns the browser's correlation id if it is plain text of 8 to 64 characters, else a new one. */
export const correlationIdOf = (given: string | null): string =>
  given && correlationPattern.test(given) ? given : `cor_${randomUUID().replaceAll('-', '')}`

/** Returns the seconds that the service asks us to wait, from seconds or a date, at most an hour. Undefined if it sends none. */
export function retryAfterIn(headers: Readonly<Record<string, string>>): number | undefined {
  const text = headers['retry-after']
  if (!text) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 0), 3600) : undefined
}

/** Formats seconds for a sentence. 100 or more become minutes, rounded up. */
export function inWords(seconds: number): string {
  const [count, unit] = seconds < 100 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/**
 * Headers of every request to the service. Without `accept-encoding` the service could choose any coding of the body (RFC 9110, 12.5.3).
 */
export const saidAlways = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'Paydesk' } as const

function configuredPath({ accountId }: ScopedAccount): string {
  return env().capabilityRequestsPath.replace('{account_id}', (placeholder) => {
    if (accountId === null) throw new Error(`${placeholder} needs the scope of one account`)
    return accountId
  })
}

/**
 * Translates a body to the terms of the service. Services differ in the word for a signed consent, and some require a null for a missing
 * field.
 */
function inItsWords(id: ServiceOperationId, body: Record<string, unknown>): Record<string, unknown> {
  if (body.consent_type === 'signed_agreement') return { ...body, consent_type: env().signedConsent }
  const { sendsNull = [] } = serviceOperation(id)
  return sendsNull.length > 0 ? { ...Object.fromEntries(sendsNull.map((name) => [name, null])), ...body } : body
}

/**
 * Builds the request to the service, with the differences between services that are settings: paths, list style and terms. `path` begins
 * with `/v1`. Every request except the checks in `doctor/` is built here; `toRequest` alone is the layout of our own API.
 */
export function toService(id: ServiceOperationId, input: Record<string, unknown>, scope: ScopedAccount): Layout {
  const { method, path, query, body } = toRequest(id, input, env().listStyle)
  return {
    method,
    path: serviceOperation(id).configuredPath ? configuredPath(scope) : `/v1${path}`,
    query,
    body: body && inItsWords(id, body),
  }
}

/**
 * The parts of a request that determine its account. A scope may name an account only for our own record, for a call that must not send it.
 */
type Addressed = { operation: ServiceOperationId; path: string; scope: Pick<ScopedAccount, 'accountId'> }

/**
 * Returns the account for the header. Null if there is none, and if the path names it, because the service then takes no header. The path
 * itself decides, so that a replay equals the first request even if settings have changed.
 */
export function accountInHeader({ operation, path, scope: { accountId } }: Addressed): string | null {
  const { scope, configuredPath } = serviceOperation(operation)
  if (accountId === null || scope === 'forbidden') return null
  return configuredPath && path.split('/').includes(accountId) ? null : accountId
}

import 'server-only'
import { randomUUID } from 'node:crypto'
import { toRequest } from '@/lib/operations/http'
import type { Layout } from '@/lib/operations/layout'
import { type ServiceOperationId, serviceOperation } from '@/lib/operations/service-operations'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import { env } from '@/lib/server/config/env'

/** A new id of one request, ours and the service's log alike: `req_` and 32 hex digits. */
export const newRequestId = (): string => `req_${randomUUID().replaceAll('-', '')}`

const plain = /^[A-Za-z0-9_.:-]{8,64}$/

/** A correlation id the browser gave, if it is plain text of 8 to 64 characters; else a new one. */
export const correlationIdOf = (given: string | null): string =>
  given && plain.test(given) ? given : `cor_${randomUUID().replaceAll('-', '')}`

/** Seconds the service asks us to wait, from seconds or a date; undefined when it does not say. Never more than an hour. */
export function retryAfterIn(headers: Readonly<Record<string, string>>): number | undefined {
  const text = headers['retry-after']
  if (!text) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 0), 3600) : undefined
}

/** Seconds as a sentence says them, rounded up to minutes where they are many. */
export function inWords(seconds: number): string {
  const [count, unit] = seconds < 100 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** What every request to the service says of itself. Without a word on it, a coding of the body would be the service's to choose (RFC 9110, 12.5.3). */
export const saidAlways = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'Paydesk' } as const

/** The path of an operation whose place at the service is a setting. */
function configuredPath({ accountId }: ScopedAccount): string {
  return env().capabilityRequestsPath.replace('{account_id}', (placeholder) => {
    if (accountId === null) throw new Error(`${placeholder} needs the scope of one account`)
    return accountId
  })
}

/**
 * A body in the words of the service. Those of a consent differ from one service to another, and some want a null where nothing was given.
 */
function inItsWords(id: ServiceOperationId, body: Record<string, unknown>): Record<string, unknown> {
  if (body.consent_type === 'signed_agreement') return { ...body, consent_type: env().signedConsent }
  const { sendsNull = [] } = serviceOperation(id)
  return sendsNull.length > 0 ? { ...Object.fromEntries(sendsNull.map((name) => [name, null])), ...body } : body
}

/**
 * Lays an input out as the service takes it, with the differences between services that are settings: where an operation is, how lists travel, and
 * its words. `path` begins with `/v1`. Whatever is sent to the service is laid out here; `toRequest` alone says how our own API has it.
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

/** What says on whose account a call acts. A scope may also name an account for our own record of a call that must not carry it. */
type Addressed = { operation: ServiceOperationId; path: string; scope: Pick<ScopedAccount, 'accountId'> }

/**
 * The account that the header of a call names; null for none, and where the path names it: then the service takes no header. That is told from the
 * path itself, so that a replay is like the first sending whatever is set by then.
 */
export function accountInHeader({ operation, path, scope: { accountId } }: Addressed): string | null {
  const { scope, configuredPath } = serviceOperation(operation)
  if (accountId === null || scope === 'forbidden') return null
  return configuredPath && path.split('/').includes(accountId) ? null : accountId
}

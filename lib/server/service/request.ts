import 'server-only'
import { randomUUID } from 'node:crypto'
import { createFieldError } from '@/lib/errors'
import { toRequestParts } from '@/lib/operations/http'
import type { Integration } from '@/lib/operations/integration'
import type { RequestParts } from '@/lib/operations/layout'
import {
  getAccountHeaderRule,
  getServiceOperation,
  type ServiceOperationId,
} from '@/lib/operations/service-operations'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import { env } from '@/lib/server/config/env'
import { getIntegration } from '@/lib/server/config/integration'

export const createRequestId = (): string => `req_${randomUUID().replaceAll('-', '')}`

const correlationIdPattern = /^[A-Za-z0-9_.:-]{8,64}$/

export const toCorrelationId = (browserCorrelationId: string | null): string =>
  browserCorrelationId && correlationIdPattern.test(browserCorrelationId)
    ? browserCorrelationId
    : `cor_${randomUUID().replaceAll('-', '')}`

/** `Retry-After` is a number of seconds or a date. At most an hour; undefined if invalid. */
export function parseRetryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const text = headers['retry-after']
  if (!text) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 0), 3600) : undefined
}

/** 100 seconds or more are shown as minutes, rounded up. */
export function toDurationText(seconds: number): string {
  const [count, unit] = seconds < 100 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** Paydesk supports no compressed responses: `identity` excludes them (RFC 9110, 12.5.3). */
export const fixedRequestHeaders = {
  accept: 'application/json',
  'accept-encoding': 'identity',
  'user-agent': 'Paydesk',
} as const

function toCapabilityRequestsPath({ accountId }: ScopedAccount): string {
  return env().capabilityRequestsPath.replace('{account_id}', (placeholder) => {
    if (accountId === null) throw new Error(`${placeholder} needs the scope of one account`)
    return accountId
  })
}

/**
 * Replaces our value for signed consent by that of the service, which is a setting. Adds null for
 * missing fields if the operation requires it.
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
 * Applies the settings in which services differ: paths, list format and values. Only some
 * connection checks in `doctor/` build requests without this function.
 */
export function toServiceRequest(
  id: ServiceOperationId,
  input: Record<string, unknown>,
  scope: ScopedAccount,
): RequestParts {
  const { method, path, query, body } = toRequestParts(id, input, env().listStyle)
  return {
    method,
    path: getServiceOperation(id).configuredPath ? toCapabilityRequestsPath(scope) : `/v1${path}`,
    query,
    body: body && toServiceBody(id, body),
  }
}

/** The same text as for a person's request without an account; see `authorize.ts`. */
const missingAccountText = 'Name the account. Without one, this would act for the whole platform.'

type AccountHeaderInput = {
  operation: ServiceOperationId
  path: string
  scope: Pick<ScopedAccount, 'accountId' | 'environment'>
  integration?: Integration | undefined
}

/**
 * Null without an account, if the operation forbids the header, or if the path contains the
 * account: the service then requires no header. A replay sends the stored path and must send the
 * same headers. So it names its kind of integration, and the path is checked and not its setting:
 * both settings may have changed.
 */
export function findHeaderAccount({
  operation,
  path,
  scope: { accountId, environment },
  integration = getIntegration(environment),
}: AccountHeaderInput): string | null {
  const headerRule = getAccountHeaderRule(operation, integration)
  if (headerRule === 'forbidden') return null
  if (accountId === null) return null
  const { configuredPath } = getServiceOperation(operation)
  return configuredPath && path.split('/').includes(accountId) ? null : accountId
}

/** Throws `invalid_input` if the operation requires an account and the scope has none. */
export function requireHeaderAccount({
  operation,
  scope: { accountId, environment },
  integration = getIntegration(environment),
}: Omit<AccountHeaderInput, 'path'>): void {
  const headerRule = getAccountHeaderRule(operation, integration)
  if (accountId === null && headerRule === 'required')
    throw createFieldError('account', missingAccountText)
}

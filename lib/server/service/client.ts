import 'server-only'
import type { Readable } from 'node:stream'
import { Pool } from 'undici'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { type OperationId, rowOf } from '@/lib/operations/rows'
import { configuredEnvironments, env } from '@/lib/server/env'
import { log } from '@/lib/server/log'
import { accountHeaderValue, type ScopedAccount } from '@/lib/server/scoped-account'
import { sha256 } from '@/lib/server/sha256'
import { shrinkBudget } from './budget'
import { type Exchanged, exchange } from './exchange'
import { type Fault, faultOf } from './faults'
import { admit } from './rate-limit'
import { retryAfterIn } from './retry-after'
import { withoutKey } from './without-key'

/** What is to be sent. `path` begins with `/v1` and its parts were parsed by schema; `body` is exact bytes, or a stream with its exact length. */
export type Sending = {
  operation: OperationId
  method: string
  path: string
  query: string
  scope: ScopedAccount
  requestId: string
  correlationId?: string
  idempotencyKey?: string
  contentType?: string
  body?: Buffer | { stream: () => Readable; length: number }
  /** Ends a read early when the reader is gone; never given for a write. */
  signal?: AbortSignal
  /** Leave for this call was asked for already, see `admit`. */
  admitted?: boolean
}

/**
 * What came of it: an answer that was read whole, or a fault. A fault of `neverSent` proves that no byte of the request left; `seconds` is when it
 * is worth another try, where that is known.
 */
export type Sent =
  | { kind: 'answer'; status: number; headers: Record<string, string>; text: string }
  | { kind: 'fault'; fault: Fault; seconds?: number }

/** Deadlines in milliseconds: connect, headers, silence in a body, and the whole of a read, a write, an upload. */
const deadlines = { connect: 3000, headersRead: 10_000, headersWrite: 20_000, body: 5000, read: 15_000, write: 30_000, upload: 60_000 }

type Shared = typeof globalThis & { paydeskPools?: Map<Environment, Pool> }
const shared = globalThis as Shared

function poolOf(environment: Environment): Pool {
  shared.paydeskPools ??= new Map()
  const known = shared.paydeskPools.get(environment)
  if (known) return known
  const pool = new Pool(new URL(serviceOf(environment).url).origin, {
    connections: 64,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    connect: { timeout: deadlines.connect },
  })
  shared.paydeskPools.set(environment, pool)
  return pool
}

function serviceOf(environment: Environment) {
  const service = env().services[environment]
  if (!service) throw new AppError('not_found', `There is no ${environment} environment here`)
  return service
}

/** What stands for the API key of an environment in the action book: a replay under another key could be a second run. */
export const keyFingerprint = (environment: Environment): string => sha256(serviceOf(environment).apiKey).slice(0, 16)

/** A short text of the service without our keys, so that it can be shown and kept. */
export const withoutKeys = (text: string): string =>
  configuredEnvironments().reduce((clean, name) => withoutKey(clean, serviceOf(name).apiKey), text)

/** How long a sending may take in all (milliseconds); a lease over it must be longer. */
export function deadlineOf(sending: Pick<Sending, 'method' | 'body'>): number {
  if (sending.method === 'GET') return deadlines.read
  return sending.body && !Buffer.isBuffer(sending.body) ? deadlines.upload : deadlines.write
}

/** The account a call is scoped to on the wire. A scope may also name an account for our own record of a call that must not carry it. */
const accountOnWire = ({ operation, scope }: Sending): string | null => (rowOf(operation).scope === 'forbidden' ? null : scope.accountId)

/** Every header is set here and none is copied. The account header comes from a checked scope only. */
function headersOf(sending: Sending): Record<string, string> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${serviceOf(sending.scope.environment).apiKey}`,
    accept: 'application/json',
    'request-id': sending.requestId,
  }
  const account = accountOnWire(sending)
  if (account) headers[env().accountHeader.toLowerCase()] = accountHeaderValue(account)
  if (sending.correlationId) headers['correlation-id'] = sending.correlationId
  if (sending.idempotencyKey) headers['idempotency-key'] = sending.idempotencyKey
  if (sending.contentType) headers['content-type'] = sending.contentType
  if (sending.body) headers['content-length'] = String(sending.body.length)
  return headers
}

/** Hears the service say that we ask too much, for all instances. Its answer stands, whether that could be noted or not. */
async function heed({ scope: { environment } }: Sending, answer: Exchanged): Promise<void> {
  if (answer.status !== 429 || env().rateLimits[environment] === null) return
  log.warn({ event: 'service.busy', environment })
  await shrinkBudget(environment, retryAfterIn(answer.headers)).catch(() => log.error({ event: 'budget.not_shrunk', environment }))
}

/**
 * Sends one request to the payments service: the only place that knows the API key, and every call counts: none leaves without leave of the rate
 * limit. It never follows a redirect, never retries, asks for no compression, and reads at most 2 MB. Never throws for what the service or the
 * network does: that is a fault in the result. Throws `not_found` for an environment that is not configured.
 */
export async function send(sending: Sending): Promise<Sent> {
  const refused = sending.admitted ? null : await admit(sending.scope.environment, sending.scope.caller, sending.signal)
  return refused ? { kind: 'fault', ...refused } : transmit(sending)
}

async function transmit(sending: Sending): Promise<Sent> {
  const write = sending.method !== 'GET'
  const base = new URL(serviceOf(sending.scope.environment).url).pathname.replace(/\/$/, '')
  try {
    const request = {
      method: sending.method as 'GET',
      path: `${base}${sending.path}${sending.query ? `?${sending.query}` : ''}`,
      headers: headersOf(sending),
      body: sending.body === undefined ? null : Buffer.isBuffer(sending.body) ? sending.body : sending.body.stream(),
      headersTimeout: write ? deadlines.headersWrite : deadlines.headersRead,
      bodyTimeout: deadlines.body,
    }
    const answer = await exchange(poolOf(sending.scope.environment), request, deadlineOf(sending), sending.signal)
    await heed(sending, answer)
    return { kind: 'answer', ...answer }
  } catch (error) {
    return { kind: 'fault', fault: faultOf(error) }
  }
}

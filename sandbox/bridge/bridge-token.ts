import { createHmac, randomBytes } from 'node:crypto'
import { verify } from 'hono/jwt'
import { z } from 'zod'
import { processingMethods } from '@/sandbox/customers/customer-schema'
import { unauthorized } from '@/sandbox/http/problem'
import { paykeyOutcomes } from '@/sandbox/paykeys/paykey-schema'
import type { Sandbox } from '@/sandbox/sandbox'
import { readSetting, writeSetting } from '@/sandbox/store/store'

/** Lifetime of a token for the hosted page: four hours, as observed at the provider. */
const lifetimeSeconds = 14_400

const settingName = 'bridge_token_secret'

const claims = z.object({
  jti: z.string(),
  customer_id: z.uuid(),
  account_id: z.uuid(),
  environment: z.enum(['sandbox', 'production']),
  sandbox_outcome: z.enum(paykeyOutcomes),
  processing_method: z.enum(processingMethods),
  external_id: z.string().nullable(),
  iat: z.number(),
  exp: z.number(),
})

/** Claims of a token: customer, account and options of the link. Times are seconds on the sandbox's clock. */
export type BridgeClaims = z.infer<typeof claims>

export type BridgeGrant = Omit<BridgeClaims, 'iat' | 'exp' | 'environment'>

/**
 * Returns the signing secret, stored in the data folder's database (readable by its owner only). It survives a reset, and so do the tokens.
 */
function secretOf({ store }: Pick<Sandbox, 'store'>): string {
  const storedSecret = readSetting(store, settingName)
  if (storedSecret !== undefined) return storedSecret
  const newSecret = randomBytes(32).toString('base64url')
  writeSetting(store, settingName, newSecret)
  return newSecret
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

/**
 * Returns a token for the hosted page: a JWT signed with HS256. Built by hand, because operations run in a synchronous transaction and the
 * available JWT libraries are asynchronous; one of them verifies it. Must run inside a transaction.
 */
export function signBridgeToken(sandbox: Pick<Sandbox, 'store' | 'environment'>, grant: BridgeGrant, now: number): string {
  const iat = Math.floor(now / 1000)
  const payload = { ...grant, environment: sandbox.environment, iat, exp: iat + lifetimeSeconds }
  const signed = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(payload)}`
  return `${signed}.${createHmac('sha256', secretOf(sandbox)).update(signed).digest('base64url')}`
}

/**
 * Returns the claims of a token for the hosted page. Throws a 401 if this sandbox did not sign it, if it is for the other environment, or
 * if it is older than four hours on the sandbox's clock. The customer may be deleted or rejected since: linking checks again.
 */
export async function verifyBridgeToken(sandbox: Pick<Sandbox, 'store' | 'clock' | 'environment'>, token: string): Promise<BridgeClaims> {
  const secret = readSetting(sandbox.store, settingName)
  // Both times are on the sandbox's clock, which the library cannot use.
  const options = { alg: 'HS256', exp: false, iat: false } as const
  const payload = secret === undefined ? undefined : await verify(token, secret, options).catch(() => undefined)
  const parsed = claims.safeParse(payload)
  if (!parsed.success) throw unauthorized('The bridge token is invalid.')
  if (parsed.data.environment !== sandbox.environment) throw unauthorized('The bridge token belongs to another environment.')
  if (parsed.data.exp * 1000 <= sandbox.clock.now()) throw unauthorized('The bridge token has expired.')
  return parsed.data
}

/** Any origin on this machine, for an app under development. IPv6 addresses are excluded: CSP cannot name them. */
const loopback = /^https?:\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?$/

type Arrival = { referer: string | undefined; destination: string | undefined }

function originOf(address: string): string {
  try {
    return new URL(address).origin
  } catch {
    return 'null'
  }
}

/**
 * Returns the origin that frames the hosted page: the one in the address, or else the referrer's. Undefined for a page opened on its own:
 * the page that linked to it exchanges no messages.
 */
export function frameOrigin(requested: string | undefined, { referer, destination }: Arrival): string | undefined {
  if (requested !== undefined) return requested
  if (destination === 'document' || referer === undefined || referer === '') return undefined
  return originOf(referer)
}

/** True if an origin may frame the page and receive its messages: a configured one or, without any, one on this machine. */
export const mayFrame = (origin: string, allowed: readonly string[]): boolean =>
  allowed.length === 0 ? loopback.test(origin) : allowed.includes(origin)

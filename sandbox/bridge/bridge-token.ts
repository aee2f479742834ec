import { createHmac, randomBytes } from 'node:crypto'
import { verify } from 'hono/jwt'
import { z } from 'zod'
import { processingMethods } from '@/sandbox/customers/customer-schema'
import { unauthorized } from '@/sandbox/http/problem'
import { paykeyOutcomes } from '@/sandbox/paykeys/paykey-schema'
import type { Sandbox } from '@/sandbox/sandbox'
import { readSetting, writeSetting } from '@/sandbox/store/settings'

/** How long a token for the hosted page lasts: four hours, as seen at the provider. */
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

/** What a token says: for whom a bank account may be linked, and how. Times are seconds on the sandbox's clock. */
export type BridgeClaims = z.infer<typeof claims>

export type BridgeGrant = Omit<BridgeClaims, 'iat' | 'exp' | 'environment'>

/** The signing secret, kept in the data folder's database, which its owner alone may read. It outlives a reset and so do the tokens. */
function secretOf({ store }: Pick<Sandbox, 'store'>): string {
  const known = readSetting(store, settingName)
  if (known !== undefined) return known
  const made = randomBytes(32).toString('base64url')
  writeSetting(store, settingName, made)
  return made
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

/**
 * A token for the hosted page: a JWT signed with HS256. It is put together here because operations run in one synchronous transaction and the
 * JWT libraries at hand are asynchronous; it is read with one of them. Must run inside a transaction.
 */
export function signBridgeToken(sandbox: Pick<Sandbox, 'store' | 'environment'>, grant: BridgeGrant, now: number): string {
  const iat = Math.floor(now / 1000)
  const payload = { ...grant, environment: sandbox.environment, iat, exp: iat + lifetimeSeconds }
  const signed = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(payload)}`
  return `${signed}.${createHmac('sha256', secretOf(sandbox)).update(signed).digest('base64url')}`
}

/**
 * What a token for the hosted page says. Throws the 401 for one that this sandbox did not sign, that belongs to the other environment, or that
 * is older than four hours on the sandbox's clock. The customer may be gone or refused meanwhile: linking looks again.
 */
export async function verifyBridgeToken(sandbox: Pick<Sandbox, 'store' | 'clock' | 'environment'>, token: string): Promise<BridgeClaims> {
  const secret = readSetting(sandbox.store, settingName)
  // Both times go by the sandbox's clock, which the library does not know.
  const options = { alg: 'HS256', exp: false, iat: false } as const
  const payload = secret === undefined ? undefined : await verify(token, secret, options).catch(() => undefined)
  const parsed = claims.safeParse(payload)
  if (!parsed.success) throw unauthorized('The bridge token is invalid.')
  if (parsed.data.environment !== sandbox.environment) throw unauthorized('The bridge token belongs to another environment.')
  if (parsed.data.exp * 1000 <= sandbox.clock.now()) throw unauthorized('The bridge token has expired.')
  return parsed.data
}

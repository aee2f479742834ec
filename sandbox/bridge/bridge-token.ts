import { createHmac, randomBytes } from 'node:crypto'
import { verify } from 'hono/jwt'
import { z } from 'zod'
import { processingMethods } from '@/sandbox/customers/customer-schema'
import { makeUnauthorizedProblem } from '@/sandbox/http/problem'
import { paykeyOutcomes } from '@/sandbox/paykeys/paykey-schema'
import type { Sandbox } from '@/sandbox/sandbox'
import { readSetting, writeSetting } from '@/sandbox/store/store'

/** Four hours, as measured at the provider. */
const tokenLifetimeSeconds = 14_400

const signingSecretSettingName = 'bridge_token_secret'

const bridgeClaimsSchema = z.object({
  jti: z.string(),
  customer_id: z.uuid(),
  /** Null if the platform owns the customer. */
  account_id: z.uuid().nullable(),
  environment: z.enum(['sandbox', 'production']),
  sandbox_outcome: z.enum(paykeyOutcomes),
  processing_method: z.enum(processingMethods),
  external_id: z.string().nullable(),
  iat: z.number(),
  exp: z.number(),
})

/** `iat` and `exp` are in seconds on the sandbox's clock. */
export type BridgeClaims = z.infer<typeof bridgeClaimsSchema>

export type BridgeGrant = Omit<BridgeClaims, 'iat' | 'exp' | 'environment'>

/**
 * The secret is in the database, whose file only its owner can read. A reset of the sandbox keeps
 * the secret, so tokens signed before it still verify.
 */
function getOrCreateSigningSecret({ store }: Pick<Sandbox, 'store'>): string {
  const storedSecret = readSetting(store, signingSecretSettingName)
  if (storedSecret !== undefined) return storedSecret
  const newSecret = randomBytes(32).toString('base64url')
  writeSetting(store, signingSecretSettingName, newSecret)
  return newSecret
}

const encodeTokenPart = (part: object): string =>
  Buffer.from(JSON.stringify(part)).toString('base64url')

/**
 * Signs a JWT (HS256). Must run in a transaction. Transactions are synchronous, but JWT libraries
 * sign asynchronously, so none is used here.
 */
export function signBridgeToken(
  sandbox: Pick<Sandbox, 'store' | 'environment'>,
  grant: BridgeGrant,
  now: number,
): string {
  const iat = Math.floor(now / 1000)
  const payload = {
    ...grant,
    environment: sandbox.environment,
    iat,
    exp: iat + tokenLifetimeSeconds,
  }
  const signingInput = `${encodeTokenPart({ alg: 'HS256', typ: 'JWT' })}.${encodeTokenPart(payload)}`
  return `${signingInput}.${createHmac('sha256', getOrCreateSigningSecret(sandbox)).update(signingInput).digest('base64url')}`
}

/**
 * Returns the claims of a bridge token. Throws a 401 if this sandbox did not sign it, if it belongs
 * to the other environment, or if it expired on the sandbox's clock. Does not check whether the
 * customer was deleted or rejected since; linking checks that.
 */
export async function verifyBridgeToken(
  sandbox: Pick<Sandbox, 'store' | 'clock' | 'environment'>,
  token: string,
): Promise<BridgeClaims> {
  const secret = readSetting(sandbox.store, signingSecretSettingName)
  // The library would compare `iat` and `exp` with the machine's clock, but they are times of the
  // sandbox's clock. `exp` is checked below.
  const jwtVerifyOptions = { alg: 'HS256', exp: false, iat: false } as const
  const verifiedPayload =
    secret === undefined
      ? undefined
      : await verify(token, secret, jwtVerifyOptions).catch(() => undefined)
  const parsed = bridgeClaimsSchema.safeParse(verifiedPayload)
  if (!parsed.success) throw makeUnauthorizedProblem('The bridge token is invalid.')
  if (parsed.data.environment !== sandbox.environment)
    throw makeUnauthorizedProblem('The bridge token belongs to another environment.')
  if (parsed.data.exp * 1000 <= sandbox.clock.now())
    throw makeUnauthorizedProblem('The bridge token has expired.')
  return parsed.data
}

/**
 * Matches any origin on this machine, for apps under development. Excludes IPv6 addresses, because
 * a CSP cannot contain them.
 */
const loopbackOriginPattern = /^https?:\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?$/

type FrameRequestHeaders = { referer: string | undefined; destination: string | undefined }

function toOrigin(address: string): string {
  try {
    return new URL(address).origin
  } catch {
    return 'null'
  }
}

/**
 * Returns the origin that frames the hosted page: the one that the page's URL names, or else that
 * of the Referer header. Returns undefined if the page is in its own window; it then sends no
 * messages.
 */
export function getFrameOrigin(
  requestedOrigin: string | undefined,
  { referer, destination }: FrameRequestHeaders,
): string | undefined {
  if (requestedOrigin !== undefined) return requestedOrigin
  if (destination === 'document' || referer === undefined || referer === '') return undefined
  return toOrigin(referer)
}

/** Without configured origins, any origin on this machine may frame the page. */
export const isAllowedFrameOrigin = (origin: string, allowedOrigins: readonly string[]): boolean =>
  allowedOrigins.length === 0 ? loopbackOriginPattern.test(origin) : allowedOrigins.includes(origin)

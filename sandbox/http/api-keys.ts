import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sign, verify } from 'hono/jwt'
import { z } from 'zod'
import type { Environment } from '@/sandbox/environment'
import type { Integration } from '@/sandbox/integration'
import { readOrCreateFile, writePrivateFile } from '@/sandbox/store/store'
import { makeForbiddenProblem, makeUnauthorizedProblem } from './problem'

type ApiKeyPermission = 'full' | 'read_only'

export type ApiKey = { id: string; permission: ApiKeyPermission }

const keyClaimsSchema = z.object({
  jti: z.string(),
  environment: z.string(),
  permission: z.enum(['full', 'read_only']),
  exp: z.number(),
})
const keyFileSchema = z.object({ full: z.string(), read_only: z.string(), expired: z.string() })

const otherEnvironment: Record<Environment, Environment> = {
  sandbox: 'production',
  production: 'sandbox',
}

const yearInSeconds = 31_536_000

/** Includes a key of the other environment, so that clients can test its rejection. */
async function mintKeys(secret: string, environment: Environment): Promise<Record<string, string>> {
  const now = Math.floor(Date.now() / 1000)
  const mintKey = (permission: ApiKeyPermission, keyEnvironment: Environment, exp: number) =>
    sign(
      {
        jti: randomUUID(),
        sub: 'platform',
        environment: keyEnvironment,
        permission,
        iat: now - 2 * 86_400,
        exp,
      },
      secret,
      'HS256',
    )
  return {
    full: await mintKey('full', environment, now + 20 * yearInSeconds),
    read_only: await mintKey('read_only', environment, now + 20 * yearInSeconds),
    expired: await mintKey('full', environment, now - 86_400),
    [otherEnvironment[environment]]: await mintKey(
      'full',
      otherEnvironment[environment],
      now + 20 * yearInSeconds,
    ),
  }
}

/**
 * Checks API keys, which are JWTs. The first start creates the signing secret and the keys in the
 * data folder, readable by their owner only. Both survive restarts and resets. Keys expire on the
 * machine's clock, not on the sandbox's adjustable clock.
 */
export class ApiKeys {
  readonly #secret: string
  readonly #environment: Environment
  readonly #known = new Map<string, z.infer<typeof keyClaimsSchema>>()

  private constructor(secret: string, environment: Environment) {
    this.#secret = secret
    this.#environment = environment
  }

  static async open(folder: string, environment: Environment): Promise<ApiKeys> {
    const signingSecret = readOrCreateFile(join(folder, 'signing-secret'), () =>
      randomBytes(32).toString('base64url'),
    )
    const apiKeysFile = join(folder, 'api-keys.json')
    if (!existsSync(apiKeysFile))
      writePrivateFile(
        apiKeysFile,
        `${JSON.stringify(await mintKeys(signingSecret, environment), null, 2)}\n`,
      )
    keyFileSchema.parse(JSON.parse(readFileSync(apiKeysFile, 'utf8')))
    return new ApiKeys(signingSecret, environment)
  }

  async check(authorization: string | undefined): Promise<ApiKey> {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
    if (!token)
      throw makeUnauthorizedProblem('No API key was given: send Authorization: Bearer <API_KEY>.')
    const knownKey = this.#known.get(token) ?? (await this.#verify(token))
    if (knownKey.exp * 1000 <= Date.now()) throw makeUnauthorizedProblem('The API key has expired.')
    if (knownKey.environment !== this.#environment)
      throw makeUnauthorizedProblem('The API key belongs to another environment.')
    return { id: knownKey.jti, permission: knownKey.permission }
  }

  async #verify(token: string): Promise<z.infer<typeof keyClaimsSchema>> {
    const verifiedPayload = await verify(token, this.#secret, { alg: 'HS256', exp: false }).catch(
      () => undefined,
    )
    const parsed = keyClaimsSchema.safeParse(verifiedPayload)
    if (!parsed.success) throw makeUnauthorizedProblem('The API key is invalid.')
    // Only keys that this sandbox signed are remembered, so that requests with invented keys cannot
    // fill the map.
    this.#known.set(token, parsed.data)
    return parsed.data
  }
}

export function requireWritePermission(key: ApiKey): void {
  if (key.permission !== 'full')
    throw makeForbiddenProblem('This API key may read but not change anything.')
}

export type AccountHeaderRule = 'required' | 'optional' | 'forbidden'

/**
 * Rule of an operation's account header, by kind of integration. `forbidden` means that the path or
 * the body already names the account. A direct account never sends the header.
 */
export type AccountHeaderPolicy =
  | {
      saas: Exclude<AccountHeaderRule, 'forbidden'>
      marketplace: AccountHeaderRule
    }
  | 'forbidden'

export const getAccountHeaderRule = (
  policy: AccountHeaderPolicy,
  integration: Integration,
): AccountHeaderRule =>
  policy === 'forbidden' || integration === 'account' ? 'forbidden' : policy[integration]

export type AccountHeader = {
  /** Header name as written in documents and error texts. Requests may use any letter case. */
  name: string
  /** Format of a value, as the end of an error text "must be …". */
  form: string
  /** All accepted formats, for the documentation. */
  described: string
  read(value: string): string | undefined
}

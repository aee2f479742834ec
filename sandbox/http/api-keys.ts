import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sign, verify } from 'hono/jwt'
import { z } from 'zod'
import type { Environment } from '@/sandbox/environment'
import { readOrCreateFile, writePrivateFile } from '@/sandbox/store/store'
import { forbidden, unauthorized } from './problem'

type Permission = 'full' | 'read_only'

export type ApiKey = { id: string; permission: Permission }

const claims = z.object({ jti: z.string(), environment: z.string(), permission: z.enum(['full', 'read_only']), exp: z.number() })
const keyFile = z.object({ full: z.string(), read_only: z.string(), expired: z.string() })

const other: Record<Environment, Environment> = { sandbox: 'production', production: 'sandbox' }

const yearInSeconds = 31_536_000

/**
 * Returns new API keys for an environment: `full`, `read_only`, `expired`, and one of the other environment under that environment's name.
 */
async function mintKeys(secret: string, environment: Environment): Promise<Record<string, string>> {
  const now = Math.floor(Date.now() / 1000)
  const mintKey = (permission: Permission, whose: Environment, exp: number) =>
    sign({ jti: randomUUID(), sub: 'platform', environment: whose, permission, iat: now - 2 * 86_400, exp }, secret, 'HS256')
  return {
    full: await mintKey('full', environment, now + 20 * yearInSeconds),
    read_only: await mintKey('read_only', environment, now + 20 * yearInSeconds),
    expired: await mintKey('full', environment, now - 86_400),
    [other[environment]]: await mintKey('full', other[environment], now + 20 * yearInSeconds),
  }
}

/**
 * Checks API keys: JWTs signed with a secret that the first start creates. Secret and keys are in the data folder, readable by their owner
 * only. They survive restarts and resets. They expire on the machine's clock, not on the sandbox's.
 */
export class ApiKeys {
  readonly #secret: string
  readonly #environment: Environment
  readonly #known = new Map<string, z.infer<typeof claims>>()

  private constructor(secret: string, environment: Environment) {
    this.#secret = secret
    this.#environment = environment
  }

  static async open(folder: string, environment: Environment): Promise<ApiKeys> {
    const secret = readOrCreateFile(join(folder, 'signing-secret'), () => randomBytes(32).toString('base64url'))
    const file = join(folder, 'api-keys.json')
    if (!existsSync(file)) writePrivateFile(file, `${JSON.stringify(await mintKeys(secret, environment), null, 2)}\n`)
    keyFile.parse(JSON.parse(readFileSync(file, 'utf8')))
    return new ApiKeys(secret, environment)
  }

  async check(authorization: string | undefined): Promise<ApiKey> {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
    if (!token) throw unauthorized('No API key was given: send Authorization: Bearer <API_KEY>.')
    const knownKey = this.#known.get(token) ?? (await this.#verify(token))
    if (knownKey.exp * 1000 <= Date.now()) throw unauthorized('The API key has expired.')
    if (knownKey.environment !== this.#environment) throw unauthorized('The API key belongs to another environment.')
    return { id: knownKey.jti, permission: knownKey.permission }
  }

  async #verify(token: string): Promise<z.infer<typeof claims>> {
    const payload = await verify(token, this.#secret, { alg: 'HS256', exp: false }).catch(() => undefined)
    const parsed = claims.safeParse(payload)
    if (!parsed.success) throw unauthorized('The API key is invalid.')
    // Cache only keys that this sandbox signed: requests with invented keys then cannot fill the map.
    this.#known.set(token, parsed.data)
    return parsed.data
  }
}

export function requireWrite(key: ApiKey): void {
  if (key.permission !== 'full') throw forbidden('This API key may read but not change anything.')
}

/** Use of the account header. With `forbidden`, the path or the body names the account. */
export type AccountPolicy = 'required' | 'optional' | 'forbidden'

export type AccountHeader = {
  /** Header name in documents and errors. Requests may use any case. */
  name: string
  /** Format of a value, as the end of an error text "must be …". */
  form: string
  /** All accepted formats, for the documentation. */
  described: string
  read(value: string): string | undefined
}

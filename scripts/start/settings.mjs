import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { dialectSettings } from './dialect-settings.mjs'
import { PlainError } from './run-quietly.mjs'

function wholeNumber(env, name, fallback, least, most) {
  const text = env[name] || String(fallback)
  if (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text)
  throw new PlainError(`${name} must be a whole number from ${least} to ${most}`)
}

/** The settings of one service. The first two are required for the others. */
const names = ['URL', 'API_KEY', 'BRIDGE_ORIGIN', 'WEBHOOK_SECRET', 'WEBHOOK_SECRET_PREVIOUS', 'WEBHOOK_UNSIGNED']

/** True if an environment's service is configured. Throws a PlainError that names the missing half of a partial configuration. */
function isConfigured(env, environment) {
  const settings = names.map((name) => `SERVICE_${environment}_${name}`)
  const has = settings.find((name) => env[name])
  const lacks = settings.slice(0, 2).find((name) => !env[name])
  if (has && lacks) throw new PlainError(`${has} is set but ${lacks} is not: set both, or neither to use the embedded sandbox`)
  return has !== undefined
}

/**
 * Throws a PlainError if the shell or a file sets a variable of the embedded sandbox, which only a start may set: with them come demo people
 * whose password is public.
 */
export function refuseOwnNames({ variables, sourceOf }) {
  const name = Object.keys(variables).find((each) => each.startsWith('EMBEDDED_SANDBOX') && variables[each])
  if (!name) return
  throw new PlainError(
    `${name} in ${sourceOf(name)} is set by the start itself: remove it (a service of yours is SERVICE_SANDBOX_URL and SERVICE_SANDBOX_API_KEY)`,
  )
}

/**
 * Reads the start's settings from the environment. The embedded sandbox, with demo people whose password is public, is used only if no
 * payments service is configured. Throws a PlainError with the variable to fix.
 */
export function startSettings(env, cwd) {
  const settings = {
    embedded: ['SANDBOX', 'PRODUCTION'].filter((environment) => isConfigured(env, environment)).length === 0,
    host: '127.0.0.1',
    port: wholeNumber(env, 'PORT', 3000, 1, 65_535),
    sandboxPort: wholeNumber(env, 'SANDBOX_PORT', 4010, 1, 65_535),
    dataDir: resolve(cwd, env.DATA_DIR || 'data'),
    control: env.SANDBOX_CONTROL === '1',
    payments: wholeNumber(env, 'SANDBOX_PAYMENTS', 5000, 24, 5_000_000),
    dialect: env.SANDBOX_DIALECT || 'document',
  }
  const { host, port, embedded, sandboxPort, dialect } = settings
  if (!Object.hasOwn(dialectSettings, dialect))
    throw new PlainError(`SANDBOX_DIALECT must be one of ${Object.keys(dialectSettings).join(', ')}`)
  if (embedded && port === sandboxPort) throw new PlainError('PORT and SANDBOX_PORT must differ')
  return { ...settings, origin: env.APP_ORIGIN || `http://${host}:${port}` }
}

/** The secret that signs sessions: the configured one, or a generated one. */
export const authSecret = (env, dataDir) => secretOf(env.AUTH_SECRET || env.NEXTAUTH_SECRET, dataDir, 'secret')

/** The key that encrypts the store's personal data: the configured one, or a generated one. */
export const encryptionKey = (env, dataDir) => secretOf(env.ENCRYPTION_KEY, dataDir, 'encryption-key')

/**
 * Returns the secret that signs the embedded sandbox's events, and its file. The sandbox receives only the file's path and no other secret.
 */
export function webhookSecret(dataDir) {
  const name = 'webhook-secret'
  const generated = `whsec_${randomBytes(32).toString('base64')}`
  return { secret: secretOf(undefined, dataDir, name, generated), file: join(dataDir, name) }
}

/** Returns the configured secret, or one generated at the first start and stored in the data folder, readable by its owner only. */
function secretOf(configured, dataDir, name, generated = randomBytes(32).toString('base64url')) {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (configured) return configured
  const path = join(dataDir, name)
  try {
    writeFileSync(path, generated, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    // An earlier start, or another one at this moment, has written it.
    if (error.code !== 'EEXIST') throw error
  }
  return readFileSync(path, 'utf8').trim()
}

/** Returns the dashboard's environment. The sandbox's key and secret are passed only here: not on a command line, not in a log. */
export function dashboardEnv(env, settings, { secret, encryption, sandboxKey, webhooks, dev }) {
  const service = settings.embedded && {
    EMBEDDED_SANDBOX_URL: `http://${settings.host}:${settings.sandboxPort}`,
    EMBEDDED_SANDBOX_API_KEY: sandboxKey,
    EMBEDDED_SANDBOX_WEBHOOK_SECRET: webhooks,
    // Replaces settings meant for another service with the sandbox's own.
    ...dialectSettings[settings.dialect],
    // A line per request would hide the address of a desk started in a terminal.
    LOG_LEVEL: env.LOG_LEVEL || 'warn',
  }
  return {
    ...env,
    ...service,
    AUTH_SECRET: secret,
    NEXTAUTH_SECRET: secret,
    ENCRYPTION_KEY: encryption,
    APP_ORIGIN: settings.origin,
    DATA_DIR: settings.dataDir,
    NODE_ENV: dev ? 'development' : 'production',
    NEXT_TELEMETRY_DISABLED: '1',
  }
}

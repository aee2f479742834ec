import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { dialectSettings } from './dialect-settings.mjs'
import { PlainError } from './run-quietly.mjs'

function wholeNumber(env, name, fallback, [least, most]) {
  const text = env[name] || String(fallback)
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= least && number <= most) return number
  throw new PlainError(`${name} must be a whole number from ${least} to ${most}`)
}

const ports = [1, 65_535]

/** The settings of one service. The first two are required for the others. */
const names = ['URL', 'API_KEY', 'BRIDGE_ORIGIN', 'WEBHOOK_SECRET', 'WEBHOOK_SECRET_PREVIOUS', 'WEBHOOK_UNSIGNED']

/** True if an environment's service is configured. Throws a PlainError that names the missing half of a partial configuration. */
function configured(env, environment) {
  const [url, key, ...more] = names.map((name) => `SERVICE_${environment}_${name}`)
  const has = [url, key, ...more].find((name) => env[name])
  const lacks = [url, key].find((name) => !env[name])
  if (has && lacks) throw new PlainError(`${has} is set but ${lacks} is not: set both, or neither to use the embedded sandbox`)
  return has !== undefined
}

function dialect(env) {
  const name = env.SANDBOX_DIALECT || 'document'
  if (Object.hasOwn(dialectSettings, name)) return name
  throw new PlainError(`SANDBOX_DIALECT must be one of ${Object.keys(dialectSettings).join(', ')}`)
}

/** Variables of the embedded sandbox, which only a start may set: with them come demo people whose password is public. */
const reservedPattern = /^EMBEDDED_SANDBOX/

/** Throws a PlainError if the shell or a file sets a variable that only a start may set. */
export function refuseOwnNames({ variables, sourceOf }) {
  const name = Object.keys(variables).find((each) => reservedPattern.test(each) && variables[each])
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
  const services = ['SANDBOX', 'PRODUCTION'].filter((environment) => configured(env, environment))
  const settings = {
    host: '127.0.0.1',
    port: wholeNumber(env, 'PORT', 3000, ports),
    sandboxPort: wholeNumber(env, 'SANDBOX_PORT', 4010, ports),
    dataDir: resolve(cwd, env.DATA_DIR || 'data'),
    embedded: services.length === 0,
    control: env.SANDBOX_CONTROL === '1',
    payments: wholeNumber(env, 'SANDBOX_PAYMENTS', 5000, [24, 5_000_000]),
    dialect: dialect(env),
  }
  if (settings.embedded && settings.port === settings.sandboxPort) throw new PlainError('PORT and SANDBOX_PORT must differ')
  return { ...settings, origin: env.APP_ORIGIN || `http://${settings.host}:${settings.port}` }
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
  const make = () => `whsec_${randomBytes(32).toString('base64')}`
  return { secret: secretOf(undefined, dataDir, name, make), file: join(dataDir, name) }
}

const words = () => randomBytes(32).toString('base64url')

/** Returns the configured secret, or one generated at the first start and stored in the data folder, readable by its owner only. */
function secretOf(configuredSecret, dataDir, name, make = words) {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (configuredSecret) return configuredSecret
  const path = join(dataDir, name)
  try {
    writeFileSync(path, make(), { flag: 'wx', mode: 0o600 })
  } catch (error) {
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

import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { dialectSettings } from './dialect-settings.mjs'
import { PlainError } from './run-quietly.mjs'

function parseWholeNumber(env, name, fallback, least, most) {
  const text = env[name] || String(fallback)
  if (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text)
  throw new PlainError(`${name} must be a whole number from ${least} to ${most}`)
}

/** The settings of a payments service, without their prefix. The first two are required if any is set. */
const names = ['URL', 'API_KEY', 'BRIDGE_ORIGIN', 'WEBHOOK_SECRET', 'WEBHOOK_SECRET_PREVIOUS', 'WEBHOOK_UNSIGNED']

/**
 * True if the payments service of an environment is configured. Throws a PlainError if the URL or the API key is missing beside other
 * settings.
 */
function isConfigured(env, environment) {
  const settings = names.map((name) => `SERVICE_${environment}_${name}`)
  const configuredName = settings.find((name) => env[name])
  const missingName = settings.slice(0, 2).find((name) => !env[name])
  if (configuredName && missingName)
    throw new PlainError(`${configuredName} is set but ${missingName} is not: set both, or neither to use the embedded sandbox`)
  return configuredName !== undefined
}

/**
 * Throws a PlainError if the shell or a file sets a variable of the embedded sandbox. Only a start may set them, because they enable demo
 * people whose password is public.
 */
export function refuseSandboxVariables({ variables, sourceOf }) {
  const name = Object.keys(variables).find((each) => each.startsWith('EMBEDDED_SANDBOX') && variables[each])
  if (!name) return
  throw new PlainError(
    `${name} in ${sourceOf(name)} is set by the start itself: remove it (a service of yours is SERVICE_SANDBOX_URL and SERVICE_SANDBOX_API_KEY)`,
  )
}

/**
 * Returns the settings of the start, from environment variables. The embedded sandbox is used only if no payments service is configured,
 * because its demo people have a public password. Throws a PlainError with the variable to fix.
 */
export function parseStartSettings(env, cwd) {
  const settings = {
    embedded: ['SANDBOX', 'PRODUCTION'].filter((environment) => isConfigured(env, environment)).length === 0,
    host: '127.0.0.1',
    port: parseWholeNumber(env, 'PORT', 3000, 1, 65_535),
    sandboxPort: parseWholeNumber(env, 'SANDBOX_PORT', 4010, 1, 65_535),
    dataDir: resolve(cwd, env.DATA_DIR || 'data'),
    control: env.SANDBOX_CONTROL === '1',
    payments: parseWholeNumber(env, 'SANDBOX_PAYMENTS', 5000, 24, 5_000_000),
    dialect: env.SANDBOX_DIALECT || 'document',
  }
  const { host, port, embedded, sandboxPort, dialect } = settings
  if (!Object.hasOwn(dialectSettings, dialect))
    throw new PlainError(`SANDBOX_DIALECT must be one of ${Object.keys(dialectSettings).join(', ')}`)
  if (embedded && port === sandboxPort) throw new PlainError('PORT and SANDBOX_PORT must differ')
  return { ...settings, origin: env.APP_ORIGIN || `http://${host}:${port}` }
}

/** Returns the secret that signs sessions: the configured one, or a generated one. */
export const loadAuthSecret = (env, dataDir) => loadSecret(env.AUTH_SECRET || env.NEXTAUTH_SECRET, dataDir, 'secret')

/** Returns the key that encrypts personal data in the store: the configured one, or a generated one. */
export const loadEncryptionKey = (env, dataDir) => loadSecret(env.ENCRYPTION_KEY, dataDir, 'encryption-key')

/**
 * Returns the secret that signs the webhook events of the embedded sandbox, and the path of its file. The sandbox receives only the path.
 */
export function loadWebhookSecret(dataDir) {
  const name = 'webhook-secret'
  const generatedSecret = `whsec_${randomBytes(32).toString('base64')}`
  return { secret: loadSecret(undefined, dataDir, name, generatedSecret), file: join(dataDir, name) }
}

/**
 * Returns the configured secret. If there is none, returns one that the first start generated and stored in the data folder, readable only
 * by its owner.
 */
function loadSecret(configured, dataDir, name, generated = randomBytes(32).toString('base64url')) {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (configured) return configured
  const path = join(dataDir, name)
  try {
    writeFileSync(path, generated, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    // Another start has already written the file.
    if (error.code !== 'EEXIST') throw error
  }
  return readFileSync(path, 'utf8').trim()
}

/**
 * Returns the environment variables of the dashboard. The sandbox's API key and webhook secret are only in variables, not in arguments or
 * logs.
 */
export function buildDashboardEnv(env, settings, { secret, encryption, sandboxKey, webhooks, dev }) {
  const service = settings.embedded && {
    EMBEDDED_SANDBOX_URL: `http://${settings.host}:${settings.sandboxPort}`,
    EMBEDDED_SANDBOX_API_KEY: sandboxKey,
    EMBEDDED_SANDBOX_WEBHOOK_SECRET: webhooks,
    // The sandbox's settings replace those meant for another service.
    ...dialectSettings[settings.dialect],
    // One line per request would scroll the dashboard's URL out of the terminal.
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

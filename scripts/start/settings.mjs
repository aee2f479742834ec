import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { dialectSettings } from './dialect-settings.mjs'
import { UserFacingError } from './run-quietly.mjs'

function parseWholeNumber(env, name, fallback, minValue, maxValue) {
  const settingText = env[name] || String(fallback)
  if (
    /^\d+$/.test(settingText) &&
    Number(settingText) >= minValue &&
    Number(settingText) <= maxValue
  )
    return Number(settingText)
  throw new UserFacingError(`${name} must be a whole number from ${minValue} to ${maxValue}`)
}

/**
 * Kinds of integration that the embedded sandbox imitates: they differ in who owns customers and
 * paykeys.
 */
const integrations = ['saas', 'marketplace', 'account']

/**
 * Names of the settings of a payments service, without the prefix, such as `SERVICE_SANDBOX_`. If
 * any of them is set, the first two are required.
 */
const serviceSettingNames = [
  'URL',
  'API_KEY',
  'BRIDGE_ORIGIN',
  'INTEGRATION',
  'WEBHOOK_SECRET',
  'WEBHOOK_SECRET_PREVIOUS',
  'WEBHOOK_UNSIGNED',
]

/**
 * Returns true if the service of an environment is configured. Throws a UserFacingError if its URL or
 * API key is missing, but another of its settings is set.
 */
function isServiceConfigured(env, environment) {
  const settingNames = serviceSettingNames.map((name) => `SERVICE_${environment}_${name}`)
  const configuredName = settingNames.find((name) => env[name])
  const missingName = settingNames.slice(0, 2).find((name) => !env[name])
  if (configuredName && missingName)
    throw new UserFacingError(
      `${configuredName} is set but ${missingName} is not: set both, or neither to use the embedded sandbox`,
    )
  return configuredName !== undefined
}

/**
 * Throws a UserFacingError if a variable `EMBEDDED_SANDBOX…` is set. These variables enable demo people
 * with a public password, so only this script may set them.
 */
export function refuseSandboxVariables({ variables, sourceOf }) {
  const sandboxVariable = Object.keys(variables).find(
    (each) => each.startsWith('EMBEDDED_SANDBOX') && variables[each],
  )
  if (!sandboxVariable) return
  throw new UserFacingError(
    `${sandboxVariable} in ${sourceOf(sandboxVariable)} is set by the start itself: remove it (a service of yours is SERVICE_SANDBOX_URL and SERVICE_SANDBOX_API_KEY)`,
  )
}

/**
 * Uses the embedded sandbox only if no payments service is configured, because the sandbox's demo
 * people have a public password. Throws a UserFacingError that names the variable to correct.
 */
export function parseStartSettings(env, cwd) {
  const startSettings = {
    embedded:
      ['SANDBOX', 'PRODUCTION'].filter((environment) => isServiceConfigured(env, environment))
        .length === 0,
    host: '127.0.0.1',
    port: parseWholeNumber(env, 'PORT', 3000, 1, 65_535),
    sandboxPort: parseWholeNumber(env, 'SANDBOX_PORT', 4010, 1, 65_535),
    dataDir: resolve(cwd, env.DATA_DIR || 'data'),
    control: env.SANDBOX_CONTROL === '1',
    payments: parseWholeNumber(env, 'SANDBOX_PAYMENTS', 5000, 24, 5_000_000),
    dialect: env.SANDBOX_DIALECT || 'document',
    integration: env.SANDBOX_INTEGRATION || 'saas',
  }
  const { port, embedded, sandboxPort, dialect, integration } = startSettings
  if (!Object.hasOwn(dialectSettings, dialect))
    throw new UserFacingError(
      `SANDBOX_DIALECT must be one of ${Object.keys(dialectSettings).join(', ')}`,
    )
  if (!integrations.includes(integration))
    throw new UserFacingError(`SANDBOX_INTEGRATION must be one of ${integrations.join(', ')}`)
  if (embedded && port === sandboxPort)
    throw new UserFacingError('PORT and SANDBOX_PORT must differ')
  // Passkeys work only on a host name. The address with numbers works as well, without passkeys.
  return { ...startSettings, origin: env.APP_ORIGIN || `http://localhost:${port}` }
}

export const loadAuthSecret = (env, dataDir) =>
  loadSecret(env.AUTH_SECRET || env.NEXTAUTH_SECRET, dataDir, 'secret')

/** The key encrypts personal data in the store. */
export const loadEncryptionKey = (env, dataDir) =>
  loadSecret(env.ENCRYPTION_KEY, dataDir, 'encryption-key')

/**
 * Returns the secret that signs the webhook events of the embedded sandbox, and the path of its
 * file. Only the path is passed to the sandbox.
 */
export function loadWebhookSecret(dataDir) {
  const fileName = 'webhook-secret'
  const generatedSecret = `whsec_${randomBytes(32).toString('base64')}`
  return {
    secret: loadSecret(undefined, dataDir, fileName, generatedSecret),
    file: join(dataDir, fileName),
  }
}

/**
 * Returns the configured secret, or else the one in the data folder. The first start generates it,
 * and only its owner can read the file.
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
 * Returns the environment variables of the dashboard. The sandbox's API key and webhook secret are
 * passed only in variables, because arguments and logs are visible to others.
 */
export function buildDashboardEnv(
  env,
  settings,
  { secret, encryption, sandboxKey, webhooks, dev },
) {
  const sandboxSettings = settings.embedded && {
    EMBEDDED_SANDBOX_URL: `http://${settings.host}:${settings.sandboxPort}`,
    EMBEDDED_SANDBOX_API_KEY: sandboxKey,
    EMBEDDED_SANDBOX_WEBHOOK_SECRET: webhooks,
    // The sandbox's own settings replace those that may be set for another service.
    ...dialectSettings[settings.dialect],
    SERVICE_SANDBOX_INTEGRATION: settings.integration,
    // One line per request would scroll the dashboard's URL out of the terminal.
    LOG_LEVEL: env.LOG_LEVEL || 'warn',
  }
  return {
    ...env,
    ...sandboxSettings,
    AUTH_SECRET: secret,
    NEXTAUTH_SECRET: secret,
    ENCRYPTION_KEY: encryption,
    APP_ORIGIN: settings.origin,
    DATA_DIR: settings.dataDir,
    NODE_ENV: dev ? 'development' : 'production',
    NEXT_TELEMETRY_DISABLED: '1',
  }
}

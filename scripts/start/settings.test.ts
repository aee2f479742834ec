import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { buildReadyMessage, formatServerLine } from './output.mjs'
import {
  buildDashboardEnv,
  loadAuthSecret,
  loadEncryptionKey,
  loadWebhookSecret,
  parseStartSettings,
} from './settings.mjs'

const testFolder = mkdtempSync(join(tmpdir(), 'settings-'))
afterAll(() => rmSync(testFolder, { recursive: true, force: true }))

const serviceSettings = {
  SERVICE_SANDBOX_URL: 'https://service.test',
  SERVICE_SANDBOX_API_KEY: 'a-key-of-some-length',
}

describe('settings of a start', () => {
  test('include the embedded sandbox on the default ports if nothing is configured', () => {
    expect(parseStartSettings({}, '/desk')).toEqual({
      host: '127.0.0.1',
      port: 3000,
      sandboxPort: 4010,
      dataDir: '/desk/data',
      embedded: true,
      control: false,
      payments: 5000,
      dialect: 'document',
      integration: 'saas',
      origin: 'http://localhost:3000',
    })
  })

  test.each([
    [{ PORT: 'abc' }, 'PORT must be a whole number from 1 to 65535'],
    [{ PORT: '70000' }, 'PORT must be a whole number from 1 to 65535'],
    [{ SANDBOX_PORT: '0' }, 'SANDBOX_PORT must be a whole number from 1 to 65535'],
    [{ SANDBOX_PAYMENTS: '23' }, 'SANDBOX_PAYMENTS must be a whole number from 24 to 5000000'],
    [{ SANDBOX_DIALECT: 'latin' }, 'SANDBOX_DIALECT must be one of document, provider, odd'],
    [{ SANDBOX_DIALECT: 'toString' }, 'SANDBOX_DIALECT must be one of document, provider, odd'],
    [
      { SANDBOX_INTEGRATION: 'bank' },
      'SANDBOX_INTEGRATION must be one of saas, marketplace, account',
    ],
    [{ PORT: '4010' }, 'PORT and SANDBOX_PORT must differ'],
    [
      { SERVICE_SANDBOX_URL: 'https://service.test' },
      'SERVICE_SANDBOX_URL is set but SERVICE_SANDBOX_API_KEY is not: set both, or neither',
    ],
    [
      { SERVICE_SANDBOX_API_KEY: 'k' },
      'SERVICE_SANDBOX_API_KEY is set but SERVICE_SANDBOX_URL is not: set both, or neither',
    ],
    [
      { ...serviceSettings, SERVICE_PRODUCTION_API_KEY: 'k' },
      'SERVICE_PRODUCTION_API_KEY is set but SERVICE_PRODUCTION_URL is not',
    ],
    [
      { SERVICE_PRODUCTION_BRIDGE_ORIGIN: 'https://b.test' },
      'SERVICE_PRODUCTION_BRIDGE_ORIGIN is set but SERVICE_PRODUCTION_URL is not',
    ],
    [
      { SERVICE_SANDBOX_WEBHOOK_SECRET: 'whsec_canary' },
      'SERVICE_SANDBOX_WEBHOOK_SECRET is set but SERVICE_SANDBOX_URL is not',
    ],
  ])('%j is rejected', (env, message) => {
    expect(() => parseStartSettings(env, testFolder)).toThrow(message)
  })

  test.each(['saas', 'marketplace', 'account'])('accept the integration %s', (integration) => {
    const env = { SANDBOX_INTEGRATION: integration }
    expect(parseStartSettings(env, testFolder)).toMatchObject({ integration })
  })

  test.each([
    [serviceSettings],
    [{ SERVICE_PRODUCTION_URL: 'https://service.test', SERVICE_PRODUCTION_API_KEY: 'k' }],
  ])('with %j there is no sandbox and no demo password', (env) => {
    const settings = parseStartSettings(env, testFolder)
    expect(settings.embedded).toBe(false)
    expect(buildReadyMessage(settings, 1)).not.toContain('paydesk-demo')
    const passedEnv = buildDashboardEnv(env, settings, {
      secret: 's',
      encryption: 'e',
      sandboxKey: undefined,
      webhooks: undefined,
      dev: false,
    })
    expect(Object.keys(passedEnv).filter((name) => name.startsWith('EMBEDDED_SANDBOX'))).toEqual([])
    expect(passedEnv).toMatchObject(env)
  })

  test('pass a setting to the dashboard even if it is empty', () => {
    const env = { ...serviceSettings, SERVICE_ACCOUNT_PREFIX: '' }
    const dashboardEnv = buildDashboardEnv(env, parseStartSettings(env, testFolder), {
      secret: 's',
      encryption: 'e',
      sandboxKey: undefined,
      webhooks: undefined,
      dev: false,
    })
    expect(dashboardEnv).toMatchObject({ SERVICE_ACCOUNT_PREFIX: '' })
  })

  test('pass the URLs of the embedded sandbox and of Paydesk to the dashboard', () => {
    const settings = parseStartSettings(
      { PORT: '3005', APP_ORIGIN: 'https://desk.test' },
      testFolder,
    )
    expect(
      buildDashboardEnv({}, settings, {
        secret: 's',
        encryption: 'e',
        sandboxKey: 'key',
        webhooks: 'whsec',
        dev: false,
      }),
    ).toMatchObject({
      EMBEDDED_SANDBOX_URL: 'http://127.0.0.1:4010',
      EMBEDDED_SANDBOX_API_KEY: 'key',
      EMBEDDED_SANDBOX_WEBHOOK_SECRET: 'whsec',
      APP_ORIGIN: 'https://desk.test',
      NODE_ENV: 'production',
    })
  })

  test.each([
    ['document', 'Service-Account-Id', 'acct_'],
    ['provider', 'Provider-Account-Id', ''],
  ])(
    'with a sandbox in the dialect %s match that dialect, despite other service settings',
    (name, header, prefix) => {
      const dialectEnv = {
        SANDBOX_DIALECT: name,
        SERVICE_ACCOUNT_HEADER: 'X-Of-My-Own',
        SERVICE_ACCOUNT_PREFIX: 'own_',
      }
      const buildPassedEnv = (env: Record<string, string>) =>
        buildDashboardEnv(env, parseStartSettings(env, testFolder), {
          secret: 's',
          encryption: 'e',
          sandboxKey: 'key',
          webhooks: 'whsec',
          dev: false,
        })
      expect(buildPassedEnv(dialectEnv)).toMatchObject({
        SERVICE_ACCOUNT_HEADER: header,
        SERVICE_ACCOUNT_PREFIX: prefix,
      })
      expect(buildPassedEnv({ ...serviceSettings, ...dialectEnv })).toMatchObject({
        SERVICE_ACCOUNT_HEADER: 'X-Of-My-Own',
        SERVICE_ACCOUNT_PREFIX: 'own_',
      })
    },
  )
})

describe.each([
  ['the session secret', 'secret', loadAuthSecret, 'AUTH_SECRET'],
  ['the encryption key', 'encryption-key', loadEncryptionKey, 'ENCRYPTION_KEY'],
] as const)('%s', (_, file, secretOf, variable) => {
  test('is created once, readable by its owner only', () => {
    const dataFolder = join(testFolder, file)
    const secret = secretOf({}, dataFolder)
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
    expect(secretOf({}, dataFolder)).toBe(secret)
    expect(statSync(join(dataFolder, file)).mode & 0o777).toBe(0o600)
    expect(statSync(dataFolder).mode & 0o777).toBe(0o700)
    expect(readFileSync(join(dataFolder, file), 'utf8')).toBe(secret)
  })

  test('is the configured one, which is not written to a file', () => {
    const configuredDataFolder = join(testFolder, `configured-${file}`)
    expect(secretOf({ [variable]: 'mine' }, configuredDataFolder)).toBe('mine')
    expect(existsSync(join(configuredDataFolder, file))).toBe(false)
  })
})

test('the webhook secret of the sandbox is created once in its own format, in a private file', () => {
  const { secret, file } = loadWebhookSecret(join(testFolder, 'webhooks'))
  expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32)
  expect(loadWebhookSecret(join(testFolder, 'webhooks')).secret).toBe(secret)
  expect(readFileSync(file, 'utf8')).toBe(secret)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('session secret and encryption key differ', () => {
  const sharedDataFolder = join(testFolder, 'both')
  expect(loadEncryptionKey({}, sharedDataFolder)).not.toBe(loadAuthSecret({}, sharedDataFolder))
})

test.each([
  ['   ▲ Next.js 16.4.6', undefined],
  [' ✓ Ready in 200ms', undefined],
  ['\u001b[32m▲ Next.js\u001b[39m', undefined],
  ['', undefined],
  ['{"level":50,"msg":"x"}', '{"level":50,"msg":"x"}'],
  ['something broke', 'dashboard │ something broke'],
])('the line %j is shown as %j', (line, shown) => {
  expect(formatServerLine('dashboard', line)).toBe(shown)
})

import { describe, expect, test } from 'vitest'
import { parseEnv } from './env'

const secretCanaryValue = 'CanaryValue'
const validEnv = {
  SERVICE_SANDBOX_URL: 'https://api.provider.test',
  SERVICE_SANDBOX_API_KEY: 'key-0123456789-0123456789',
  APP_ORIGIN: 'https://desk.company.test',
  AUTH_SECRET: '0123456789abcdef0123456789abcdef',
  ENCRYPTION_KEY: 'fedcba9876543210fedcba9876543210',
}

function listErrorLines(variables: Record<string, string | undefined>): string[] {
  try {
    parseEnv(variables)
    return []
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}

describe('an invalid setting', () => {
  test.each([
    ['SERVICE_SANDBOX_URL', secretCanaryValue, 'must be an address like https://api.example.com'],
    ['SERVICE_SANDBOX_URL', `http://${secretCanaryValue}.test`, 'must begin with https:'],
    ['SERVICE_SANDBOX_URL', `http://127.0.0.1.${secretCanaryValue}.test`, 'must begin with https:'],
    ['SERVICE_SANDBOX_URL', `ftp://${secretCanaryValue}.test`, 'must begin with https:'],
    ['SERVICE_SANDBOX_API_KEY', secretCanaryValue, 'must be the key as the service shows it'],
    [
      'SERVICE_SANDBOX_API_KEY',
      `${secretCanaryValue} with spaces in between`,
      'must be the key as the service shows it',
    ],
    [
      'SERVICE_SANDBOX_API_KEY',
      `${secretCanaryValue}-0123456789-0123456789\nX-Header: 1`,
      'must be the key as the service shows it',
    ],
    ['SERVICE_ACCOUNT_HEADER', `${secretCanaryValue}: x`, 'must be a header name'],
    ['SERVICE_ACCOUNT_PREFIX', `${secretCanaryValue}/`, 'must be a short prefix like acct_'],
    ['SERVICE_AMOUNT_UNIT', secretCanaryValue, 'must be minor or major'],
    [
      'SERVICE_SANDBOX_RATE_LIMIT',
      secretCanaryValue,
      'must be requests per second, 1 to 99999, or none',
    ],
    ['SERVICE_PRODUCTION_RATE_LIMIT', '0', 'must be requests per second, 1 to 99999, or none'],
    ['MIRROR_KEEP_DAYS', '99', 'must be days, 100 to 99999'],
    ['PROOF_RETENTION_DAYS', '-1', 'must be days, 0 to 99999'],
    ['PERSON_READS_PER_MINUTE', '0', 'must be a whole number, 1 to 99999999'],
    ['PERSON_WRITES_PER_HOUR', '1.5', 'must be a whole number, 1 to 99999999'],
    ['APP_ORIGIN', secretCanaryValue, 'must be an address like'],
    ['APP_ORIGIN', `http://${secretCanaryValue}.test`, 'must begin with https:'],
    ['APP_ORIGIN', undefined, 'must be set'],
    ['TRUSTED_PROXIES', secretCanaryValue, 'must be how many proxies of yours stand in front'],
    ['TRUSTED_PROXIES', '-1', 'must be how many proxies of yours stand in front'],
    ['DRAIN_SECONDS', '21', 'must be seconds, 0 to 20'],
    ['METRICS_TOKEN', secretCanaryValue, 'must be at least 32 characters'],
    [
      'SMTP_URL',
      `http://${secretCanaryValue}.test`,
      'must be like smtps://user:password@mail.company.com',
    ],
    ['MAIL_FROM', secretCanaryValue, 'must be an address like paydesk@company.com'],
    ['AUTH_SECRET', secretCanaryValue, 'must be at least 32 characters'],
    [
      'AUTH_SECRET',
      `changeme-${secretCanaryValue}-0123456789-0123456789`,
      'looks like a sample value',
    ],
    ['AUTH_SECRET', undefined, 'must be set'],
    ['ENCRYPTION_KEY', secretCanaryValue, 'must be at least 32 characters'],
    [
      'ENCRYPTION_KEY',
      `changeme-${secretCanaryValue}-0123456789-0123456789`,
      'looks like a sample value',
    ],
    ['ENCRYPTION_KEY', undefined, 'must be set'],
    [
      'ENCRYPTION_KEY',
      '0123456789abcdef0123456789abcdef',
      'must be another secret than AUTH_SECRET',
    ],
    [
      'ENCRYPTION_KEY_PREVIOUS',
      `fedcba9876543210fedcba9876543211,${secretCanaryValue}`,
      'must be at least 32 characters',
    ],
    ['ENCRYPTION_KEY_LOST', secretCanaryValue, 'must be ids of keys'],
    ['LOG_LEVEL', secretCanaryValue, ''],
    [
      'DATABASE_URL',
      `mysql://${secretCanaryValue}@host/name`,
      'must be like postgres://user@host/name',
    ],
    ['DATABASE_URL', secretCanaryValue, 'must be like postgres://user@host/name'],
    [
      'DATABASE_URL',
      `postgres://paydesk:${secretCanaryValue}@db.${secretCanaryValue}.test/desk`,
      'must end in ?sslmode=verify-full',
    ],
    [
      'DATABASE_URL',
      `postgres://paydesk@localhost/desk?host=${secretCanaryValue}.test`,
      'must end in ?sslmode=verify-full',
    ],
    ['DATABASE_STATEMENT_SECONDS', '0', 'must be seconds, 1 to 9999'],
    ['DATABASE_LOCK_SECONDS', '2s', 'must be seconds, 1 to 9999'],
    ['DATABASE_WAIT_SECONDS', '10000', 'must be seconds, 1 to 9999'],
    ['NODE_TLS_REJECT_UNAUTHORIZED', '0', 'must not be set'],
  ])('%s=%j is reported in one line with its name', (name, value, fix) => {
    const errorLines = listErrorLines({ ...validEnv, [name]: value })
    expect(errorLines).toHaveLength(1)
    expect(errorLines[0]).toMatch(new RegExp(`^${name}: \\S`))
    expect(errorLines[0]).toContain(fix)
    expect(errorLines[0]?.toLowerCase()).not.toContain(secretCanaryValue.toLowerCase())
  })

  test('among several is reported with each name', () => {
    const errorNames = listErrorLines({
      ...validEnv,
      APP_ORIGIN: secretCanaryValue,
      AUTH_SECRET: secretCanaryValue,
      SERVICE_AMOUNT_UNIT: secretCanaryValue,
    }).map((line) => line.split(':')[0])
    expect(errorNames.sort()).toEqual(['APP_ORIGIN', 'AUTH_SECRET', 'SERVICE_AMOUNT_UNIT'])
  })

  test.each([
    ['SERVICE_SANDBOX_API_KEY', { SERVICE_SANDBOX_API_KEY: '' }],
    ['SERVICE_SANDBOX_URL', { SERVICE_SANDBOX_URL: '' }],
    ['SERVICE_PRODUCTION_API_KEY', { SERVICE_PRODUCTION_URL: 'https://api.provider.test' }],
    ['SERVICE_SANDBOX_URL', { SERVICE_SANDBOX_URL: '', SERVICE_SANDBOX_API_KEY: '' }],
  ])('a missing %s is reported if its pair is set or nothing is set', (name, change) => {
    const missingVariableLines = listErrorLines({ ...validEnv, ...change })
    expect(missingVariableLines.map((line) => line.split(':')[0])).toContain(name)
  })
})

describe('the embedded sandbox', () => {
  const embeddedSandboxVariables = {
    EMBEDDED_SANDBOX_URL: 'http://127.0.0.1:4010',
    EMBEDDED_SANDBOX_API_KEY: validEnv.SERVICE_SANDBOX_API_KEY,
  }
  const { SERVICE_SANDBOX_URL: _url, SERVICE_SANDBOX_API_KEY: _key, ...rest } = validEnv
  const embeddedSandboxEnv = { ...rest, ...embeddedSandboxVariables }

  test('is the only environment', () => {
    expect(parseEnv(embeddedSandboxEnv)).toMatchObject({
      services: {
        sandbox: {
          url: embeddedSandboxVariables.EMBEDDED_SANDBOX_URL,
          apiKey: embeddedSandboxVariables.EMBEDDED_SANDBOX_API_KEY,
        },
        production: undefined,
      },
      bridgeOrigins: { sandbox: embeddedSandboxVariables.EMBEDDED_SANDBOX_URL },
      embedded: true,
    })
  })

  test.each([
    'SERVICE_SANDBOX_URL',
    'SERVICE_SANDBOX_API_KEY',
    'SERVICE_SANDBOX_BRIDGE_ORIGIN',
    'SERVICE_PRODUCTION_URL',
    'SERVICE_PRODUCTION_API_KEY',
    'SERVICE_PRODUCTION_BRIDGE_ORIGIN',
    'SERVICE_SANDBOX_WEBHOOK_SECRET',
    'SERVICE_PRODUCTION_WEBHOOK_SECRET',
  ])('is rejected together with %s', (name) => {
    const validValueBySuffix: Record<string, string> = {
      KEY: validEnv.SERVICE_SANDBOX_API_KEY,
      SECRET: `whsec_${Buffer.alloc(24).toString('base64')}`,
    }
    const validValue =
      validValueBySuffix[name.split('_').at(-1) ?? ''] ?? 'https://api.provider.test'
    expect(listErrorLines({ ...embeddedSandboxEnv, [name]: validValue })).toContainEqual(
      expect.stringMatching(new RegExp(`^${name}: must `)),
    )
    expect(listErrorLines({ ...embeddedSandboxEnv, [name]: '' })).toEqual([])
  })

  test.each([
    'https://api.provider.test',
    'http://127.0.0.1.provider.test',
    'http://localhost@provider.test',
    'no address',
  ])('must not be %s', (url) => {
    expect(listErrorLines({ ...embeddedSandboxEnv, EMBEDDED_SANDBOX_URL: url })).toEqual([
      'EMBEDDED_SANDBOX_URL: must be on this machine, like http://127.0.0.1:4010',
    ])
  })

  test.each(['EMBEDDED_SANDBOX_URL', 'EMBEDDED_SANDBOX_API_KEY'])('requires %s', (name) => {
    expect(
      listErrorLines({ ...embeddedSandboxEnv, [name]: '' }).map((line) => line.split(':')[0]),
    ).toContain(name)
  })
})

describe('valid settings', () => {
  test('are read with defaults, and an empty variable counts as not set', () => {
    expect(
      parseEnv({ ...validEnv, SERVICE_ACCOUNT_HEADER: '', SERVICE_PRODUCTION_URL: '' }),
    ).toEqual({
      services: {
        sandbox: { url: validEnv.SERVICE_SANDBOX_URL, apiKey: validEnv.SERVICE_SANDBOX_API_KEY },
        production: undefined,
      },
      bridgeOrigins: {
        sandbox: new URL(validEnv.SERVICE_SANDBOX_URL).origin,
        production: undefined,
      },
      accountHeader: 'Service-Account-Id',
      accountPrefix: 'acct_',
      amountUnit: 'minor',
      capabilityRequestsPath: '/v1/accounts/capability_requests',
      listStyle: 'comma',
      signedConsent: 'signed_agreement',
      webhooks: {
        sandbox: { secrets: [], unsigned: false },
        production: { secrets: [], unsigned: false },
      },
      rateLimits: { sandbox: null, production: 20 },
      mirrorSync: true,
      mirrorKeepDays: null,
      proofRetentionDays: 730,
      quotas: { readsPerMinute: 600, writesPerHour: 60, uploadsPerHour: 20 },
      appOrigin: validEnv.APP_ORIGIN,
      trustedProxies: 0,
      drainSeconds: 0,
      metricsToken: null,
      mail: null,
      sso: null,
      authSecret: validEnv.AUTH_SECRET,
      encryption: { current: validEnv.ENCRYPTION_KEY, previous: [], lost: [] },
      embedded: false,
    })
  })

  test.each([
    'http://127.0.0.1:4010',
    'http://localhost:4010',
    'http://[::1]:4010',
    'https://api.provider.test/base/',
  ])('%s', (url) => {
    expect(parseEnv({ ...validEnv, SERVICE_SANDBOX_URL: url }).services.sandbox?.url).toBe(
      url.replace(/\/$/, ''),
    )
  })

  test('of mail need a server and a sender, and TLS unless the server is on this machine', () => {
    const parseMailSettings = (url: string) =>
      parseEnv({ ...validEnv, SMTP_URL: url, MAIL_FROM: 'paydesk@company.test' }).mail
    expect(parseMailSettings('smtp://mail.company.test')).toMatchObject({
      requireTls: true,
      from: 'paydesk@company.test',
    })
    expect(parseMailSettings('smtp://127.0.0.1:2525')?.requireTls).toBe(false)
    expect(listErrorLines({ ...validEnv, SMTP_URL: 'smtps://mail.company.test' })).toEqual([
      expect.stringMatching(/^MAIL_FROM: must be set/),
    ])
    expect(listErrorLines({ ...validEnv, MAIL_FROM: 'paydesk@company.test' })).toEqual([
      expect.stringMatching(/^SMTP_URL: must be set/),
    ])
  })

  test('have a rate limit that is a number or none', () => {
    const rateLimitVariables = {
      SERVICE_SANDBOX_RATE_LIMIT: '35',
      SERVICE_PRODUCTION_RATE_LIMIT: 'none',
    }
    expect(parseEnv({ ...validEnv, ...rateLimitVariables }).rateLimits).toEqual({
      sandbox: 35,
      production: null,
    })
  })

  test('use the configured bridge origin, or that of the service', () => {
    const bridgeVariables = {
      SERVICE_SANDBOX_URL: 'https://api.provider.test/base',
      SERVICE_SANDBOX_BRIDGE_ORIGIN: 'https://bridge.provider.test/page/',
    }
    expect(parseEnv({ ...validEnv, ...bridgeVariables }).bridgeOrigins.sandbox).toBe(
      'https://bridge.provider.test',
    )
    expect(
      parseEnv({ ...validEnv, ...bridgeVariables, SERVICE_SANDBOX_BRIDGE_ORIGIN: '' }).bridgeOrigins
        .sandbox,
    ).toBe('https://api.provider.test')
  })

  test('reduce an origin to its origin part', () => {
    expect(
      parseEnv({ ...validEnv, APP_ORIGIN: 'https://desk.company.test/some/path/' }).appOrigin,
    ).toBe('https://desk.company.test')
  })
})

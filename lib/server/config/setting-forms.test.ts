import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseEnv } from './env'
import { findDatabaseUrlFault } from './setting-forms'

const secretCanaryValue = 'CanaryValue'
const validEnv = {
  SERVICE_SANDBOX_URL: 'https://api.provider.test',
  SERVICE_SANDBOX_API_KEY: 'key-0123456789-0123456789',
  APP_ORIGIN: 'https://desk.company.test',
  AUTH_SECRET: '0123456789abcdef0123456789abcdef',
  ENCRYPTION_KEY: 'fedcba9876543210fedcba9876543210',
}
const createWebhookSecret = (bytes: number) =>
  `whsec_${Buffer.alloc(bytes, secretCanaryValue).toString('base64')}`

describe('an invalid service setting', () => {
  test.each([
    ['SERVICE_LIST_STYLE', secretCanaryValue, 'must be comma or repeat'],
    ['SERVICE_SIGNED_CONSENT', secretCanaryValue, 'must be signed_agreement or signed'],
    ['SERVICE_CAPABILITY_REQUESTS_PATH', secretCanaryValue, 'must begin with /v1/'],
    ['SERVICE_CAPABILITY_REQUESTS_PATH', `/v2/${secretCanaryValue}`, 'must begin with /v1/'],
    [
      'SERVICE_CAPABILITY_REQUESTS_PATH',
      `https://${secretCanaryValue}.test/v1/requests`,
      'must begin with /v1/',
    ],
    ['SERVICE_CAPABILITY_REQUESTS_PATH', `/v1/${secretCanaryValue}?all=1`, 'without query'],
    ['SERVICE_CAPABILITY_REQUESTS_PATH', `/v1/${secretCanaryValue}#part`, 'without query'],
    ['SERVICE_CAPABILITY_REQUESTS_PATH', `/v1/../${secretCanaryValue}`, 'without query'],
    ['SERVICE_CAPABILITY_REQUESTS_PATH', `/v1/${secretCanaryValue}.json`, 'without query'],
    ['SERVICE_CAPABILITY_REQUESTS_PATH', `/v1/${secretCanaryValue} requests`, 'without query'],
    ['SERVICE_CAPABILITY_REQUESTS_PATH', `/v1/${secretCanaryValue}%2frequests`, 'without query'],
    ['SERVICE_CAPABILITY_REQUESTS_PATH', `/v1//${secretCanaryValue}`, 'without query'],
    ['SERVICE_CAPABILITY_REQUESTS_PATH', `/v1/${secretCanaryValue}/`, 'without query'],
    ['SERVICE_CAPABILITY_REQUESTS_PATH', '/v1/', 'without query'],
    [
      'SERVICE_CAPABILITY_REQUESTS_PATH',
      `/v1/accounts/{${secretCanaryValue}}/requests`,
      'the one placeholder is {account_id}',
    ],
    [
      'SERVICE_CAPABILITY_REQUESTS_PATH',
      `/v1/accounts/${secretCanaryValue}-{account_id}`,
      'the one placeholder is {account_id}',
    ],
    [
      'SERVICE_CAPABILITY_REQUESTS_PATH',
      `/v1/{account_id}/${secretCanaryValue}/{account_id}`,
      'the one placeholder is {account_id}',
    ],
    [
      'SERVICE_SANDBOX_WEBHOOK_SECRET',
      secretCanaryValue,
      'must be whsec_ and 24 to 64 bytes in base64',
    ],
    [
      'SERVICE_SANDBOX_WEBHOOK_SECRET',
      createWebhookSecret(24).replace('whsec_', ''),
      'must be whsec_',
    ],
    ['SERVICE_SANDBOX_WEBHOOK_SECRET', createWebhookSecret(23), 'must be whsec_'],
    ['SERVICE_SANDBOX_WEBHOOK_SECRET', createWebhookSecret(65), 'must be whsec_'],
    [
      'SERVICE_SANDBOX_WEBHOOK_SECRET',
      `${createWebhookSecret(32)}${secretCanaryValue}`,
      'must be whsec_',
    ],
    [
      'SERVICE_SANDBOX_WEBHOOK_SECRET',
      `whsec_${secretCanaryValue}-${'_'.repeat(32)}`,
      'must be whsec_',
    ],
    ['SERVICE_SANDBOX_WEBHOOK_SECRET', `${createWebhookSecret(24)}\n`, 'must be whsec_'],
    [
      'SERVICE_PRODUCTION_WEBHOOK_SECRET',
      createWebhookSecret(32),
      'must not be set without SERVICE_PRODUCTION_URL',
    ],
    [
      'SERVICE_SANDBOX_WEBHOOK_SECRET_PREVIOUS',
      createWebhookSecret(32),
      'must not be set without SERVICE_SANDBOX_WEBHOOK_SECRET',
    ],
    ['SERVICE_SANDBOX_WEBHOOK_UNSIGNED', secretCanaryValue, 'must be 1'],
  ])('%s=%j is reported in one line with its name', (name, value, fix) => {
    expect(() => parseEnv({ ...validEnv, [name]: value })).toThrow(
      new RegExp(`^${name}: [^\n]*${fix}[^\n]*$`),
    )
    expect(() => parseEnv({ ...validEnv, [name]: value })).not.toThrow(
      new RegExp(secretCanaryValue, 'i'),
    )
  })
})

describe('a service setting accepts', () => {
  test.each([
    ['empty', '', ''],
    ['unset', undefined, 'acct_'],
    ['acct_', 'acct_', 'acct_'],
    ['another', 'account_', 'account_'],
  ])('the account prefix %s', (_, given, prefix) => {
    expect(parseEnv({ ...validEnv, SERVICE_ACCOUNT_PREFIX: given }).accountPrefix).toBe(prefix)
  })

  test('an empty value as unset, except for the account prefix', () => {
    const optionalVariables =
      readFileSync('.env.example', 'utf8').match(
        /^SERVICE_[A-Z_]+|^PERSON_[A-Z_]+|^TRUSTED_PROXIES|^LOG_LEVEL/gm,
      ) ?? []
    const variablesToEmpty = optionalVariables.filter(
      (name) => name !== 'SERVICE_ACCOUNT_PREFIX' && !Object.hasOwn(validEnv, name),
    )
    expect(variablesToEmpty.length).toBeGreaterThan(10)
    expect(
      parseEnv({ ...validEnv, ...Object.fromEntries(variablesToEmpty.map((name) => [name, ''])) }),
    ).toEqual(parseEnv(validEnv))
  })

  test('the four values of the provider’s own contract', () => {
    const providerVariables = {
      SERVICE_ACCOUNT_HEADER: 'Provider-Account-Id',
      SERVICE_ACCOUNT_PREFIX: '',
      SERVICE_CAPABILITY_REQUESTS_PATH: '/v1/accounts/{account_id}/capability_requests',
      SERVICE_SIGNED_CONSENT: 'signed',
    }
    expect(parseEnv({ ...validEnv, ...providerVariables })).toMatchObject({
      accountHeader: 'Provider-Account-Id',
      accountPrefix: '',
      capabilityRequestsPath: '/v1/accounts/{account_id}/capability_requests',
      signedConsent: 'signed',
    })
  })

  test.each(['/v1/requests', '/v1/accounts/{account_id}', '/v1/{account_id}/limit-requests_2'])(
    '%s, for capability requests',
    (path) => {
      expect(
        parseEnv({ ...validEnv, SERVICE_CAPABILITY_REQUESTS_PATH: path }).capabilityRequestsPath,
      ).toBe(path)
    },
  )

  test.each([24, 25, 26, 32, 64])('a webhook secret of %i bytes', (bytes) => {
    const [secret, previous] = [createWebhookSecret(bytes), createWebhookSecret(33)]
    const webhookVariables = {
      SERVICE_SANDBOX_WEBHOOK_SECRET: secret,
      SERVICE_SANDBOX_WEBHOOK_SECRET_PREVIOUS: previous,
    }
    expect(parseEnv({ ...validEnv, ...webhookVariables }).webhooks).toEqual({
      sandbox: { secrets: [secret, previous], unsigned: false },
      production: { secrets: [], unsigned: false },
    })
  })

  test('unsigned events if configured', () => {
    expect(
      parseEnv({ ...validEnv, SERVICE_SANDBOX_WEBHOOK_UNSIGNED: '1' }).webhooks.sandbox,
    ).toEqual({ secrets: [], unsigned: true })
  })
})

test.each([
  'postgres://paydesk@127.0.0.1:5432/desk',
  'postgres://paydesk:word@localhost/desk',
  'postgresql://paydesk@[::1]/desk',
  'postgres://paydesk@%2Fvar%2Frun%2Fpostgresql/desk',
  'postgres://paydesk@localhost/desk?host=/var/run/postgresql',
  'postgres://paydesk@db.company.test/desk?sslmode=verify-full',
  'postgres://paydesk@10.0.0.7/desk?application_name=desk&sslmode=verify-full',
  'postgres://paydesk@db.company.test/desk?sslmode=verify-full&uselibpqcompat=true',
])('%s is accepted', (url) => {
  expect(findDatabaseUrlFault(url)).toBeNull()
})

test.each([
  'postgres://paydesk@db.company.test/desk',
  'postgres://paydesk@10.0.0.7/desk',
  'postgres://paydesk@0.0.0.0/desk',
  'postgres://paydesk@127.0.0.1.company.test/desk',
  'postgres://paydesk@localhost/desk?host=db.company.test',
  'postgres://paydesk@localhost/desk?host=localhost&host=db.company.test',
  'postgres://paydesk@db.company.test/desk?ssl=true',
  'postgres://paydesk@db.company.test/desk?sslnegotiation=direct',
  'postgres://paydesk@db.company.test/desk?ssl=no-verify',
  'postgres://paydesk@db.company.test/desk?sslmode=verify-full&sslmode=disable',
  'postgres://paydesk@db.company.test/desk?SSLMODE=verify-full',
  ...['disable', 'allow', 'prefer', 'require', 'verify-ca', 'no-verify', 'verify-full%20'].map(
    (mode) => `postgres://paydesk@db.company.test/desk?sslmode=${mode}`,
  ),
  'postgres://paydesk@db.company.test/desk?sslmode=require&uselibpqcompat=true',
])('%s is rejected with a correction', (url) => {
  expect(findDatabaseUrlFault(url)).toMatch(/^must end in \?sslmode=verify-full /)
})

test.each(['postgres:///desk', 'postgres://paydesk@/desk', 'postgres:desk'])(
  '%s is rejected without a host',
  (url) => {
    expect(findDatabaseUrlFault(url)).toMatch(/^must name its host/)
  },
)

test('an unreadable certificate file is reported without its name', () => {
  const fault = findDatabaseUrlFault(
    'postgres://paydesk@db.company.test/desk?sslmode=verify-full&sslrootcert=/nowhere/canary.pem',
  )
  expect(fault).toMatch(/files it names must be readable$/)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleItems } from '@/tests/sandbox/sample'
import { startDashboard } from './harness/dashboard'
import { type StubService, startStubService } from './harness/service'

const apiKey = 'key-of-this-test-0123456789'
let stubService: StubService

beforeAll(async () => {
  stubService = await startStubService()
})
afterAll(() => stubService?.stop())

// `TEST_TIMES`, which shortens timeouts for tests, is empty. Some tests name a service on another
// machine, and the server does not accept shortened times beside such a service. It would report
// that error instead of the one that these tests expect.
const startEmbeddedDashboard = (env: Record<string, string>) =>
  startDashboard({ serviceUrl: stubService.url, apiKey, env: { TEST_TIMES: '', ...env } })

// The tests in lib/server/config check the error text of every setting. This test checks that the
// server then stops and prints the error.
const conflictingSettings: [string, Record<string, string>][] = [
  [
    'SERVICE_PRODUCTION_URL',
    { SERVICE_PRODUCTION_URL: 'https://service.test', SERVICE_PRODUCTION_API_KEY: apiKey },
  ],
  [
    'SERVICE_SANDBOX_URL',
    { SERVICE_SANDBOX_URL: 'https://service.test', SERVICE_SANDBOX_API_KEY: apiKey },
  ],
  ['SERVICE_PRODUCTION_API_KEY', { SERVICE_PRODUCTION_API_KEY: apiKey }],
  ['SERVICE_SANDBOX_BRIDGE_ORIGIN', { SERVICE_SANDBOX_BRIDGE_ORIGIN: 'https://bridge.test' }],
]
test.each(sampleItems(conflictingSettings, 1))(
  'Paydesk does not start with an embedded sandbox and %s',
  async (name, env) => {
    await expect(startEmbeddedDashboard(env)).rejects.toThrow(
      new RegExp(`Paydesk cannot start: [^]*${name}: .*embedded sandbox`),
    )
  },
)

const malformedSettings = [
  [
    'SERVICE_CAPABILITY_REQUESTS_PATH',
    '/v1/accounts/{canary}/requests',
    'the one placeholder is {account_id}',
  ],
  ['SERVICE_CAPABILITY_REQUESTS_PATH', '/v1/canary?all=1', 'must be a plain path'],
  ['SERVICE_LIST_STYLE', 'canary', 'must be comma or repeat'],
  ['SERVICE_SIGNED_CONSENT', 'canary', 'must be signed_agreement or signed'],
  ['SERVICE_SANDBOX_WEBHOOK_SECRET', 'whsec_canary', 'must be whsec_ and 24 to 64 bytes in base64'],
] as const
test.each(sampleItems(malformedSettings, 1))(
  'Paydesk does not start with %s=%s, and does not print the value',
  async (name, value, fix) => {
    const startPromise = startDashboard({
      serviceUrl: stubService.url,
      apiKey,
      embedded: false,
      env: { [name]: value },
    })
    const errorMessage = await startPromise.then(
      () => 'it ran',
      (error: Error) => error.message,
    )
    expect(errorMessage).toContain('Paydesk cannot start: ')
    expect(errorMessage).toMatch(new RegExp(`${name}: [^\\n]*${fix}`))
    expect(errorMessage).not.toContain('canary')
  },
)

test('Paydesk does not accept another machine as its embedded sandbox', async () => {
  await expect(
    startEmbeddedDashboard({ EMBEDDED_SANDBOX_URL: 'https://service.test' }),
  ).rejects.toThrow(/EMBEDDED_SANDBOX_URL: must be on this machine/)
})

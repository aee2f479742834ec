import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ServiceOperationId } from '@/lib/operations/service-operations'

const envOfDollarService = {
  SERVICE_SANDBOX_URL: 'http://127.0.0.1:1',
  SERVICE_SANDBOX_API_KEY: 'key-0123456789-0123456789',
  SERVICE_AMOUNT_UNIT: 'major',
  APP_ORIGIN: 'http://127.0.0.1:3000',
  AUTH_SECRET: 'a-secret-of-this-test-run-0123456789abcdef',
  ENCRYPTION_KEY: 'another-secret-of-this-test-run-0123456789',
}

let facts: typeof import('./facts')

beforeAll(async () => {
  for (const [name, value] of Object.entries(envOfDollarService)) vi.stubEnv(name, value)
  // Modules cache the settings. Another test file in this worker may have loaded a module with
  // other settings, so load it again.
  vi.resetModules()
  facts = await import('./facts')
})

afterAll(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
})

const readAmount = (operation: ServiceOperationId, body: object, object: unknown) =>
  facts.readPolicyAmount({ operation, body: Buffer.from(JSON.stringify(body)) }, object)

test.each<[ServiceOperationId, object, object | null, number]>([
  ['payouts.create', { amount: 600_000 }, null, 600_000],
  ['payouts.update', { amount: 600_000 }, { amount: '5000.00' }, 600_000],
  ['payouts.update', { amount: 400_000 }, { amount: '5000.00' }, 500_000],
  ['payouts.release', {}, { amount: '5000.00' }, 500_000],
  ['charges.refund', { amount: 12_345 }, { amount: '5000.00' }, 12_345],
])('the amount of %s is read in cents, although the service has dollars (%j)', (...given) => {
  const [operation, body, object, cents] = given
  expect(readAmount(operation, body, object)).toBe(cents)
})

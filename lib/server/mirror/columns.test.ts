import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { payout } from '@/lib/operations/payments.schema'

const validEnv = {
  SERVICE_SANDBOX_URL: 'http://127.0.0.1:1',
  SERVICE_SANDBOX_API_KEY: 'key-0123456789-0123456789',
  SERVICE_AMOUNT_UNIT: 'major',
  APP_ORIGIN: 'http://127.0.0.1:3000',
  AUTH_SECRET: 'a-secret-of-this-test-run-0123456789abcdef',
  ENCRYPTION_KEY: 'another-secret-of-this-test-run-0123456789',
}

let toPaymentColumns: typeof import('./columns').toPaymentColumns

beforeAll(async () => {
  for (const [name, value] of Object.entries(validEnv)) vi.stubEnv(name, value)
  // Modules cache the settings. Another test file in this worker may have loaded a module with
  // other settings, so load it again.
  vi.resetModules()
  toPaymentColumns = (await import('./columns')).toPaymentColumns
})

afterAll(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
})

const buildPayoutColumns = (fields: object) => {
  const parsedPayout = payout.parse({
    id: '018f4c1e-7a3b-7c2d-9e10-000000000001',
    currency: 'USD',
    status: 'failed',
    ...fields,
  })
  return toPaymentColumns({ ...parsedPayout, payment_type: 'payout' } as never)
}

test.each([
  ['12.50', 1250],
  ['12', 1200],
  ['12.5.0', null],
])('if the service sends dollars, %s is %s cents', (amount, cents) => {
  expect(buildPayoutColumns({ amount }).amount).toBe(cents)
})

test('a payment without a change time uses the time of its status', () => {
  const changed_at = '2026-03-04T10:00:00.000Z'
  expect(buildPayoutColumns({ amount: '1', status_details: { changed_at } }).updated_at).toBe(
    changed_at,
  )
})

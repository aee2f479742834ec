import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { payout } from '@/lib/operations/payments.schema'

const settings = {
  SERVICE_SANDBOX_URL: 'http://127.0.0.1:1',
  SERVICE_SANDBOX_API_KEY: 'key-0123456789-0123456789',
  SERVICE_AMOUNT_UNIT: 'major',
  APP_ORIGIN: 'http://127.0.0.1:3000',
  AUTH_SECRET: 'a-secret-of-this-test-run-0123456789abcdef',
  ENCRYPTION_KEY: 'another-secret-of-this-test-run-0123456789',
}

let paymentColumns: typeof import('./columns').toPaymentColumns

beforeAll(async () => {
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  // Settings are cached, and another test file in this worker may have imported a module that cached other settings.
  vi.resetModules()
  paymentColumns = (await import('./columns')).toPaymentColumns
})

afterAll(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
})

const toColumns = (fields: object) => {
  const read = payout.parse({ id: '018f4c1e-7a3b-7c2d-9e10-000000000001', currency: 'USD', status: 'failed', ...fields })
  return paymentColumns({ ...read, payment_type: 'payout' } as never)
}

test.each([
  ['12.50', 1250],
  ['12', 1200],
  ['12.5.0', null],
])('if the service sends dollars, %s is %s cents', (amount, cents) => {
  expect(toColumns({ amount }).amount).toBe(cents)
})

test('a payment without a change time uses the time of its status', () => {
  const changed_at = '2026-03-04T10:00:00.000Z'
  expect(toColumns({ amount: '1', status_details: { changed_at } }).updated_at).toBe(changed_at)
})

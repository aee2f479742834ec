import { afterAll, beforeAll, expect, test } from 'vitest'
import { dialectSettings } from '@/scripts/start/dialect-settings.mjs'
import { type DoctorRunner, startOwnDoctorRunner } from './harness/doctor'

let doctorRunner: DoctorRunner

beforeAll(async () => {
  doctorRunner = await startOwnDoctorRunner()
})
afterAll(() => doctorRunner?.stop())

const providerSettings: Record<string, string> = dialectSettings.provider

test('the doctor finds each setting that differs for a service in the provider’s dialect', async () => {
  await doctorRunner.sandbox.speak({ name: 'provider' })
  const { code, text, line } = await doctorRunner.examine(doctorRunner.sandbox.url)
  expect(code).toBe(1)
  expect(line('Account header')).toContain('ignored by the service')
  for (const [name, value] of Object.entries(providerSettings))
    expect(text).toContain(`→ ${name}=${value}`)
})

test('a service in the provider’s dialect matches the suggested settings', async () => {
  await doctorRunner.sandbox.speak({ name: 'provider' })
  const { code, text, line } = await doctorRunner.examine(
    doctorRunner.sandbox.url,
    providerSettings,
  )
  expect(text).toContain('0 mismatch')
  expect(code).toBe(0)
  for (const label of [
    'Account header',
    'Prefix of account IDs',
    'API path of account-limit requests',
    'Lists in requests',
    'Amounts',
    'Value for signed consent',
  ]) {
    expect(line(label)).toContain(`${label} fits`)
  }
})

test('a service in the document’s dialect does not match the provider’s settings', async () => {
  await doctorRunner.sandbox.speak({ name: 'document' })
  const { code, line } = await doctorRunner.examine(doctorRunner.sandbox.url, providerSettings)
  expect(code).toBe(1)
  expect(line('Account header')).toContain('→ SERVICE_ACCOUNT_HEADER=Service-Account-Id')
  expect(line('Value for signed consent')).toContain('→ SERVICE_SIGNED_CONSENT=signed_agreement')
})

test.each([1, 2, 3, 4, 5, 6])(
  'odd responses of seed %i lead to a complete report',
  async (seed) => {
    await doctorRunner.sandbox.speak({ name: 'odd', seed })
    const { code, text, line } = await doctorRunner.examine(doctorRunner.sandbox.url)
    expect([0, 1]).toContain(code)
    expect(text).toMatch(/\d+ fit, \d+ mismatch, \d+ unknown; \d+ requests? in /)
    expect(line('payments.search')).toMatch(/^payments\.search (fits|mismatch|unknown)/)
    // The dialect `odd` sends unusual data. The account header and the list filters still work, so
    // the report must not call them wrong.
    expect(line('Account header')).not.toContain('ignored')
    expect(line('Lists in requests')).not.toContain('mismatch')
  },
)

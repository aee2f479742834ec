import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Integration, integrations } from '@/lib/operations/integration'
import { type DoctorRunner, startOwnDoctorRunner } from './harness/doctor'

const mismatchAdvice = (integration: Integration) => `→ SERVICE_SANDBOX_INTEGRATION=${integration}`

/** The doctor's finding, by the kind of the service and then by the setting. */
const expectedFindings: Readonly<Record<Integration, Record<Integration, RegExp>>> = {
  saas: {
    saas: /fits saas/,
    marketplace: new RegExp(`mismatch marketplace: .*${mismatchAdvice('saas')}`),
    account: new RegExp(`mismatch account: .*${mismatchAdvice('saas')}`),
  },
  marketplace: {
    saas: new RegExp(`mismatch saas: .*${mismatchAdvice('marketplace')}`),
    marketplace: /fits marketplace/,
    account: new RegExp(`mismatch account: .*${mismatchAdvice('marketplace')}`),
  },
  account: {
    saas: new RegExp(`mismatch saas: .*${mismatchAdvice('account')}`),
    marketplace: new RegExp(`mismatch marketplace: .*${mismatchAdvice('account')}`),
    account: /fits account/,
  },
}

describe.each(integrations)('a service of the kind %s', (kind) => {
  let doctorRunner: DoctorRunner

  beforeAll(async () => {
    doctorRunner = await startOwnDoctorRunner(kind)
  })
  afterAll(() => doctorRunner?.stop())

  test.each(integrations)('with the setting %s', async (setting) => {
    const lastSeqBefore = await doctorRunner.sandbox.lastSeq()
    const { code, text, line } = await doctorRunner.examine(doctorRunner.sandbox.url, {
      SERVICE_SANDBOX_INTEGRATION: setting,
    })
    expect(line('Kind of integration')).toMatch(expectedFindings[kind][setting])
    const requests = await doctorRunner.sandbox.requests(lastSeqBefore)
    expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET']))
    if (kind !== setting) return
    expect(text).toContain('0 mismatch')
    expect(code).toBe(0)
  })
})

import { existsSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startDashboard } from './harness/dashboard'
import { type DoctorRunner, jsonResponse, startOwnDoctorRunner } from './harness/doctor'

let doctorRunner: DoctorRunner

beforeAll(async () => {
  doctorRunner = await startOwnDoctorRunner()
})
afterEach(() => doctorRunner?.tidy())
afterAll(() => doctorRunner?.stop())

describe('a service that matches its settings', () => {
  test('passes every check, is only read, and no store is created', async () => {
    const seqBefore = await doctorRunner.sandbox.lastSeq()
    const { code, text, line } = await doctorRunner.examine(doctorRunner.sandbox.url)
    expect(text).toContain('0 mismatch')
    expect(code).toBe(0)
    for (const label of [
      'Address',
      'Clock',
      'Environment',
      'Expiry',
      'Accepted',
      'Rights to read',
      'Account header',
      'Prefix of account IDs',
    ]) {
      expect(line(label)).toContain(`${label} fits`)
    }
    for (const label of [
      'API path of account-limit requests',
      'Lists in requests',
      'Amounts',
      'Value for signed consent',
    ])
      expect(line(label)).toContain(`${label} fits`)
    const doctorRequests = await doctorRunner.sandbox.requests(seqBefore)
    expect(new Set(doctorRequests.map(({ method }) => method))).toEqual(new Set(['GET']))
    expect(text).toContain(`${doctorRequests.length} requests`)
    expect(doctorRequests.length).toBeLessThanOrEqual(30)
    expect(existsSync(doctorRunner.dataDir)).toBe(false)
  })

  test('can be checked beside a server that holds the store', async () => {
    const dashboardWithStore = await startDashboard({
      serviceUrl: doctorRunner.sandbox.url,
      apiKey: doctorRunner.sandbox.keys.full,
      embeddedStore: true,
    })
    doctorRunner.later(dashboardWithStore.stop)
    expect(
      (
        await doctorRunner.examine(doctorRunner.sandbox.url, {
          DATA_DIR: dashboardWithStore.dataDir,
        })
      ).code,
    ).toBe(0)
  })

  test('with a webhook secret is reported as well-formed, without the secret', async () => {
    const validWebhookSecret = `whsec_${Buffer.from('a-webhook-secret-of-32-characters').toString('base64')}`
    const { text, line } = await doctorRunner.examine(doctorRunner.sandbox.url, {
      SERVICE_SANDBOX_WEBHOOK_SECRET: validWebhookSecret,
    })
    expect(line('Webhook secret')).toBe('Webhook secret fits set and well-formed')
    expect(text).not.toContain(validWebhookSecret.slice(6, 20))
  })
})

describe('an account header that does not match', () => {
  test('because the service ignores it, and no known header works', async () => {
    const headerRemovingService = await doctorRunner.between({
      there: ({ headers }) => void delete headers['service-account-id'],
    })
    const { code, line } = await doctorRunner.examine(headerRemovingService.url)
    expect(code).toBe(1)
    expect(line('Account header')).toMatch(
      /mismatch Service-Account-Id: ignored by the service: whoever may see one account/,
    )
    expect(line('Account header')).toContain('none of the known ones fits')
    expect(line('Prefix of account IDs')).toContain('unknown')
  })

  test('because it has another name and format suggests both settings', async () => {
    const otherHeaderService = await doctorRunner.between({
      there: ({ headers }) => {
        delete headers['service-account-id']
        const accountHeader = headers['provider-account-id']
        if (accountHeader === undefined) return
        if (accountHeader.startsWith('acct_'))
          return jsonResponse(400, {
            error: { status: 400, items: [{ reference: 'Provider-Account-Id' }] },
          })
        headers['service-account-id'] = accountHeader
      },
    })
    const { code, line } = await doctorRunner.examine(otherHeaderService.url)
    expect(code).toBe(1)
    expect(line('Account header')).toContain('→ SERVICE_ACCOUNT_HEADER=Provider-Account-Id')
    expect(line('Prefix of account IDs')).toMatch(
      /mismatch acct_: the service takes the bare UUID → SERVICE_ACCOUNT_PREFIX=$/,
    )
    const suggestedSettings = {
      SERVICE_ACCOUNT_HEADER: 'Provider-Account-Id',
      SERVICE_ACCOUNT_PREFIX: '',
    }
    expect((await doctorRunner.examine(otherHeaderService.url, suggestedSettings)).code).toBe(0)
  })

  test('because of its prefix only', async () => {
    const bareIdService = await doctorRunner.between({
      there: ({ headers }) =>
        headers['service-account-id']?.startsWith('acct_')
          ? jsonResponse(422, { error: { status: 422 } })
          : undefined,
    })
    const { code, line } = await doctorRunner.examine(bareIdService.url)
    expect(code).toBe(1)
    expect(line('Account header')).toContain('Account header fits')
    expect(line('Prefix of account IDs')).toMatch(
      /mismatch acct_: the service takes the bare UUID → SERVICE_ACCOUNT_PREFIX=$/,
    )
  })

  test('because the service validates it but ignores it', async () => {
    const accountValidatingService = await doctorRunner.between({
      there: (passing) => {
        const accountId = passing.headers['service-account-id']?.replace('acct_', '')
        delete passing.headers['service-account-id']
        return accountId && !accountIds.includes(accountId)
          ? jsonResponse(404, { error: { status: 404 } })
          : undefined
      },
    })
    const accountsResponse = await fetch(`${doctorRunner.sandbox.url}/v1/accounts`, {
      headers: { authorization: `Bearer ${doctorRunner.sandbox.keys.full}` },
    })
    const accountIds = ((await accountsResponse.json()) as { data: { id: string }[] }).data.map(
      ({ id }) => id,
    )
    const { code, line } = await doctorRunner.examine(accountValidatingService.url)
    expect(code).toBe(1)
    expect(line('Account header')).toMatch(/mismatch Service-Account-Id: does not narrow/)
  })
})

describe('unreadable data', () => {
  test('is listed by path and count, without its content', async () => {
    const malformedDataService = await doctorRunner.between({
      back: (answer, { path }) => {
        if (path.startsWith('/v1/payments'))
          answer.text = answer.text.replace(
            /"description":"[^"]*"/g,
            '"description":{"canary":"c4n4ry"}',
          )
        if (path.startsWith('/v1/customers?'))
          answer.text = answer.text.replace(/"data":\[\{/, '"data":["c4n4ry",{')
      },
    })
    const { code, text, line } = await doctorRunner.examine(malformedDataService.url)
    expect(code).toBe(1)
    expect(line('payments.search')).toMatch(
      /mismatch 200 \d+ ms 100 rows; not readable: \[\]\.description \(100 times\)/,
    )
    expect(line('customers.list')).toContain('1 row not readable at all')
    expect(text).not.toContain('c4n4ry')
  })
})

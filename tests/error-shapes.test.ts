import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { apiRequestId, errorMeta, errorShapes } from './harness/error-shapes'
import { buildCustomerBody } from './harness/objects'
import { type Person, signIn } from './harness/person'
import {
  buildPayout,
  respondWith,
  type StubService,
  startStubService,
  wrapInEnvelope,
} from './harness/service'

const account = `acct_${randomUUID()}`

let stubService: StubService
let dashboard: Dashboard
let person: Person

beforeAll(async () => {
  stubService = await startStubService()
  dashboard = await startDashboard({
    serviceUrl: stubService.url,
    apiKey: `key-of-this-test-${randomUUID()}`,
  })
  person = await signIn(dashboard.url)
})
afterAll(async () => {
  await dashboard?.stop()
  await stubService?.stop()
})

describe('a read', () => {
  test.each(errorShapes)('%s', async (_name, answering, told) => {
    const objectId = stubService.object(() => answering)
    const { status, headers, body } = await person.get(`/api/sandbox/v1/payouts/${objectId}`)
    expect({ status, code: body.error?.code }).toEqual({ status: told.status, code: told.code })
    expect(body.response_type).toBe('error')
    expect(body.error?.status).toBe(told.status)
    expect(body.error?.detail).toContain(told.detail ?? '')
    expect(body.error?.detail).not.toMatch(/[<>]/)
    expect(body.error?.items).toEqual(told.items)
    expect(body.data).toBeUndefined()
    expect(body.meta.request_id).toBe(stubService.about(objectId)[0]?.headers['request-id'])
    expect(headers.get('request-id')).toMatch(/^req_/)
    if (told.api) expect(body.meta.api_request_id).toBe(apiRequestId)
  })

  test('the retry delay of the service is passed on in seconds, up to a maximum', async () => {
    const expectedWaitByRetryAfter = { '7': '7', '999999': '3600', soon: null }
    for (const [given, wanted] of Object.entries(expectedWaitByRetryAfter)) {
      const id = stubService.object(() => respondWith(429, '', { 'retry-after': given }))
      expect((await person.get(`/api/sandbox/v1/payouts/${id}`)).headers.get('retry-after')).toBe(
        wanted,
      )
    }
  })
})

test.concurrent.each(errorShapes)('a write: %s', async (_name, answering, _told, expected) => {
  const id = stubService.object(() => answering)
  const { status, body } = await person.decide('cancel', { id, account })
  expect({ status, state: body.action?.state, code: body.error?.code }).toEqual(expected)
  const attempts = body.action?.attempts ?? []
  expect(body.meta.request_id).toBe(attempts.at(-1)?.request_id)
  const sentRequests = stubService.about(id)
  expect(sentRequests).toHaveLength(attempts.length)
  expect(new Set(sentRequests.map((entry) => entry.headers['idempotency-key'])).size).toBe(1)
  if (expected.state !== 'unknown')
    expect(attempts).toHaveLength(expected.code === 'service_busy' ? attempts.length : 1)
})

test('a refusal that quotes the input is shown and stored without it', async () => {
  const sentFields = buildCustomerBody()
  const quotedValues = [sentFields.email, sentFields.phone]
  const quotingDetail = `${quotedValues.join(' and ')} are taken.`
  const items = [{ reference: 'email', detail: `${sentFields.email} is taken.` }]
  stubService.lists(
    respondWith(422, {
      meta: errorMeta,
      response_type: 'error',
      error: {
        status: 422,
        type: '/field_validation',
        title: 'Refused',
        detail: quotingDetail,
        items,
      },
    }),
  )
  const reply = await person.write('POST', `/customers?account=${account}`, sentFields)
  expect(reply).toMatchObject({
    status: 422,
    body: { error: { detail: '••• and ••• are taken.', items: [{ detail: '••• is taken.' }] } },
  })
  const actionReply = await person.action(reply.body.action?.id ?? '')
  expect(actionReply.body.action?.state).toBe('refused')
  for (const text of [JSON.stringify(reply), JSON.stringify(actionReply), dashboard.log()])
    expect(quotedValues.filter((value) => text.includes(value))).toEqual([])
})

describe('a readable success', () => {
  test('may have total_rows, times without a zone, numeric amounts and unknown values', async () => {
    const payoutRow = {
      id: randomUUID(),
      payment_type: 'payout',
      amount: 12500,
      currency: 'USD',
      status: 'a_status_of_tomorrow',
      created_at: '2026-11-20T10:00:00',
      updated_at: '2026-11-20T10:00:00+02:00',
      canary_extra: 'never',
      customer_details: { id: randomUUID(), name: 'A', canary_inner: 'never' },
    }
    stubService.lists(
      respondWith(
        200,
        wrapInEnvelope([payoutRow], {
          total_rows: 77,
          page_number: 1,
          page_size: 50,
          sort_order: 'desc',
          sort_by: 'created_at',
        }),
      ),
    )
    const { status, body } = await person.get<Record<string, unknown>[]>('/api/sandbox/v1/payments')
    expect(status).toBe(200)
    expect(body.meta).toMatchObject({
      total_items: 77,
      page_number: 1,
      page_size: 50,
      sort_order: 'desc',
      sort_by: 'created_at',
    })
    expect(body.data?.[0]).toMatchObject({
      amount: '12500',
      status: 'a_status_of_tomorrow',
      created_at: '2026-11-20T10:00:00Z',
      updated_at: '2026-11-20T10:00:00+02:00',
    })
    expect(JSON.stringify(body)).not.toContain('canary')
  })

  test.each([12500, '12500', '125.00', 0.1])('amount %j stays unchanged', async (amount) => {
    const id = stubService.object((id) =>
      respondWith(200, wrapInEnvelope(buildPayout(id, { amount }))),
    )
    const { body } = await person.get(`/api/sandbox/v1/payouts/${id}`)
    expect(body.data).toMatchObject({ amount: String(amount) })
  })
})

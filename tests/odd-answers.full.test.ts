import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { goodReason, type Person, signIn } from './harness/person'
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

const jsonContentTypes = [
  'text/plain',
  'text/plain; charset=utf-8',
  'text/json',
  'application/problem+json',
  'APPLICATION/JSON;charset=UTF-8',
  '',
].map((kind) => [kind])

/**
 * Returns a payout with unexpected values. Like the provider's older contract, it has integers
 * instead of strings and a map instead of a list. It also has unknown values and fields of a wrong
 * type.
 */
const buildPayoutWithUnknownFields = (id: string) =>
  buildPayout(id, {
    amount: 12500,
    status: 'a_status_of_tomorrow',
    paykey_details: { id: randomUUID(), balance: 900 },
    related_payments: { [randomUUID()]: 'original' },
    description: { en: 'ann@example.com' },
    status_history: 'none',
    documents: [{ document_id: 7, uploaded_at: 'soon' }],
    internal_version: 3,
  })

describe('the content of a response decides', () => {
  test.each(jsonContentTypes)('JSON labeled %j is read', async (kind) => {
    const payoutId = stubService.object((id) =>
      respondWith(200, wrapInEnvelope(buildPayout(id)), { 'content-type': kind }),
    )
    const { status, body } = await person.get(`/api/sandbox/v1/payouts/${payoutId}`)
    expect({ status, data: body.data }).toMatchObject({ status: 200, data: { id: payoutId } })
  })

  test.concurrent.each(jsonContentTypes)('JSON labeled %j confirms a write', async (kind) => {
    const id = stubService.object((id) =>
      respondWith(200, wrapInEnvelope(buildPayout(id)), { 'content-type': kind }),
    )
    const { status, body } = await person.decide('cancel', { id, account })
    expect({ status, state: body.action?.state }).toEqual({ status: 200, state: 'applied' })
    expect(stubService.about(id).filter((entry) => entry.method === 'PUT')).toHaveLength(1)
  })

  test('JSON labeled as HTML is not read', async () => {
    const id = stubService.object((id) =>
      respondWith(200, wrapInEnvelope(buildPayout(id)), {
        'content-type': 'text/html; charset=utf-8',
      }),
    )
    expect((await person.get(`/api/sandbox/v1/payouts/${id}`)).status).toBe(502)
  })

  test('a write whose response is partly odd is confirmed', async () => {
    const id = stubService.object((id) =>
      respondWith(200, wrapInEnvelope(buildPayoutWithUnknownFields(id))),
    )
    const { status, body } = await person.decide('cancel', { id, account })
    expect({ status, state: body.action?.state }).toEqual({ status: 200, state: 'applied' })
    expect(body.data).toMatchObject({
      id,
      amount: '12500',
      status: 'a_status_of_tomorrow',
      status_history: [],
    })
  })
})

describe('unreadable data', () => {
  test('is listed beside the object, masked, and logged by path only', async () => {
    const id = stubService.object((id) =>
      respondWith(200, wrapInEnvelope(buildPayoutWithUnknownFields(id))),
    )
    const { body } = await person.get<{ unreadable: { field: string; raw: string }[] }>(
      `/api/sandbox/v1/payouts/${id}`,
    )
    expect(body.data?.unreadable.map(({ field }) => field).sort()).toEqual([
      'description',
      'documents.0.uploaded_at',
      'status_history',
    ])
    expect(JSON.stringify(body)).not.toContain('ann@example.com')
    const unreadableLogLines = dashboard
      .log()
      .split('\n')
      .filter((line) => line.includes('service.unreadable'))
    expect(
      unreadableLogLines.some((line) => line.includes('"path":"documents.[].uploaded_at"')),
    ).toBe(true)
    expect(unreadableLogLines.join()).not.toMatch(/ann@|soon/)
  })

  test('in a row is listed beside the list', async () => {
    const readableRow = {
      ...buildPayout(randomUUID()),
      payment_type: 'payout',
      created_at: '2026-11-20T10:00:00Z',
    }
    stubService.lists(
      respondWith(
        200,
        wrapInEnvelope([readableRow, { ...readableRow, id: 'pay_9' }, 7], {
          total_items: 3,
          page_number: 1,
          page_size: 50,
        }),
      ),
    )
    const { status, body } = await person.get<{ id: string }[]>('/api/sandbox/v1/payments')
    expect({ status, ids: body.data?.map(({ id }) => id) }).toEqual({
      status: 200,
      ids: [readableRow.id],
    })
    expect(body.meta.unreadable_rows?.map(({ id }) => id)).toEqual(['pay_9', null])
    expect(body.meta.total_items).toBe(3)
  })

  test('in page figures is omitted', async () => {
    stubService.lists(
      respondWith(
        200,
        wrapInEnvelope([], { total_items: -4, page_number: 'first', page_size: 0.5 }),
      ),
    )
    const { body } = await person.get('/api/sandbox/v1/payments')
    expect(Object.keys(body.meta).sort()).toEqual(['api_request_id', 'read_at', 'request_id'])
  })
})

test.each(['acc_1', 7, {}, ''])(
  'an object with the account %j does not count as a platform object',
  async (account_id) => {
    const id = stubService.object((id) =>
      respondWith(200, wrapInEnvelope({ id, account_id, status: 'active', bank_account: null })),
    )
    const admin = await signIn(dashboard.url, 'admin')
    const { status, body } = await admin.write(
      'PATCH',
      `/linked_bank_accounts/${id}/cancel`,
      {},
      { reason: goodReason },
    )
    expect({ status, code: body.error?.code, action: body.action }).toEqual({
      status: 503,
      code: 'not_sent',
      action: undefined,
    })
    expect(stubService.about(id).filter((entry) => entry.method !== 'GET')).toEqual([])
  },
)

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { type Person, signIn } from './harness/person'
import {
  buildPayout,
  type ResponseBehavior,
  respondWith,
  type StubService,
  startStubService,
  wrapInEnvelope,
} from './harness/service'

let stubService: StubService
let dashboard: Dashboard
let person: Person

const toIsoDaysAgo = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString()

const buildPayment = (overrides: Record<string, unknown> = {}) => ({
  ...buildPayout(randomUUID()),
  ...{ payment_type: 'payout', created_at: toIsoDaysAgo(20), is_refund: false },
  ...overrides,
})

const buildFailedPayment = (daysAgo: number, overrides: Record<string, unknown> = {}) =>
  buildPayment({
    status: 'failed',
    status_details: { reason: 'closed_bank_account', changed_at: toIsoDaysAgo(daysAgo) },
    updated_at: toIsoDaysAgo(daysAgo),
    ...overrides,
  })

const respondWithPage = (rows: unknown[]) =>
  respondWith(
    200,
    wrapInEnvelope(rows, { page_number: 1, page_size: 100, total_items: rows.length }),
  )

const respondRefusal = respondWith(400, {
  meta: {},
  response_type: 'error',
  error: {
    status: 400,
    type: '/bad_request',
    title: 'Bad Request',
    detail: 'SortBy is not valid.',
    items: [],
  },
})

/**
 * True if a path uses filters or sort columns that only the newest version of the service's API
 * has.
 */
const hasNewerParameter = (path: string) => /updated_at|has_resubmit|is_refund/.test(path)

const createOlderServiceBehavior =
  (rows: unknown[]): ResponseBehavior =>
  (response, seen) => {
    const behavior = hasNewerParameter(seen.path)
      ? respondRefusal
      : respondWithPage(seen.path.includes('payment_status=failed') ? rows : [])
    behavior(response, seen)
  }

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

test('recent returns are found at a service that cannot search by change time', async () => {
  const [recentFailure, oldFailure, resubmittedFailure] = [
    buildFailedPayment(2),
    buildFailedPayment(12),
    buildFailedPayment(3, { has_resubmit: true }),
  ]
  const olderService = await startStubService()
  olderService.lists(createOlderServiceBehavior([recentFailure, oldFailure, resubmittedFailure]))
  const olderServiceDashboard = await startDashboard({
    serviceUrl: olderService.url,
    apiKey: `key-of-this-test-${randomUUID()}`,
    mirror: true,
  })
  try {
    const html = await (
      await (await signIn(olderServiceDashboard.url)).send('/sandbox/home')
    ).text()
    expect(html).toContain(recentFailure.id)
    expect(html).not.toContain(oldFailure.id)
    expect(html).not.toContain(resubmittedFailure.id)
    expect(html).not.toContain('SortBy is not valid')
  } finally {
    await olderServiceDashboard.stop()
    await olderService.stop()
  }
})

test('a filter unknown to the service hides contradicting rows, and shows no total', async () => {
  const [refund, ordinaryPayment, paymentWithoutFlag] = [
    buildPayment({ is_refund: true }),
    buildPayment(),
    buildPayment({ is_refund: undefined }),
  ]
  stubService.lists(respondWithPage([refund, ordinaryPayment, paymentWithoutFlag]))
  const { body } = await person.get<{ id: string }[]>('/api/sandbox/v1/payments?is_refund=true')
  expect(body.data?.map(({ id }) => id)).toEqual([refund.id, paymentWithoutFlag.id])
  expect(body.meta).toMatchObject({ left_out: 1 })
  expect(body.meta.total_items).toBeUndefined()
})

test('a redirect is reported as a redirect', async () => {
  stubService.lists(respondWith(308, '', { location: '/elsewhere' }))
  const { status, body } = await person.get('/api/sandbox/v1/payments')
  expect({ status, detail: body.error?.detail }).toEqual({
    status: 502,
    detail: expect.stringContaining('redirects'),
  })
})

test('a byte order mark before a response is ignored', async () => {
  stubService.lists(respondWith(200, `\uFEFF${JSON.stringify(wrapInEnvelope([buildPayment()]))}`))
  expect((await person.get<unknown[]>('/api/sandbox/v1/payments')).body.data).toHaveLength(1)
})

test('every request forbids content encoding and has a User-Agent', async () => {
  stubService.lists(respondWithPage([]))
  await person.get('/api/sandbox/v1/payments')
  expect(stubService.seen.at(-1)?.headers).toMatchObject({
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'Paydesk',
  })
})

test('a null account marks a linked bank account of the platform', async () => {
  const bankAccountId = randomUUID()
  stubService.lists(
    respondWith(201, wrapInEnvelope({ id: bankAccountId, account_id: null, status: 'created' })),
  )
  const admin = await signIn(dashboard.url, 'admin')
  const bank_account = {
    account_holder: 'Harbour Lane',
    routing_number: '021000021',
    account_number: '123456789',
  }
  const { body } = await admin.write(
    'POST',
    '/linked_bank_accounts',
    { bank_account },
    { reason: 'BANK_CHANGE: the platform opened an account' },
  )
  expect(body.action?.state).toBe('applied')
  expect(JSON.parse(stubService.seen.at(-1)?.body ?? '')).toEqual({
    account_id: null,
    bank_account,
  })
})

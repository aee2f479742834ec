import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { createIdempotencyKey, goodReason, type Person, signIn } from './harness/person'
import {
  buildPayout,
  type ResponseBehavior,
  respondWith,
  type StubService,
  startStubService,
  wrapInEnvelope,
} from './harness/service'

const secretEmail = 'ann.secret@example.com'
const accountNumber = '900012345678'

let stubService: StubService
let dashboard: Dashboard
let person: Person

afterAll(async () => {
  await dashboard?.stop()
  await stubService?.stop()
})

const buildPaymentRow = (extraFields: Record<string, unknown> = {}) => ({
  ...buildPayout(randomUUID()),
  payment_type: 'payout',
  created_at: '2026-11-20T10:00:00Z',
  customer_details: { id: randomUUID(), name: 'Ann Able' },
  ...extraFields,
})
const respondWithRows = (
  rows: unknown[],
  meta: Record<string, unknown> = { total_items: 77, page_number: 1, page_size: 50 },
): ResponseBehavior => respondWith(200, wrapInEnvelope(rows, meta))
const unreadableRows = [
  { id: 'pay_77', email: secretEmail, note: accountNumber },
  `free text ${secretEmail}`,
]

const [paidAccountId = '', oddPaymentId = ''] = [randomUUID(), randomUUID()].sort()
const unreadableTransferRow = buildPaymentRow({
  id: oddPaymentId,
  payment_type: 'transfer',
  status: 'levitating',
  status_details: { reason: 'moon', source: 'constructor' },
})
const paidRow = buildPaymentRow({
  id: paidAccountId,
  status: 'paid',
  payment_date: new Date().toISOString().slice(0, 10),
})

beforeAll(async () => {
  stubService = await startStubService()
  // Every list of the service returns these rows, also its list of accounts. So the id in `account`
  // belongs to a payment and to an account.
  stubService.lists(
    respondWithRows([paidRow, unreadableTransferRow, ...unreadableRows], {
      total_items: 4,
      page_number: 1,
      page_size: 1000,
    }),
  )
  dashboard = await startDashboard({
    serviceUrl: stubService.url,
    apiKey: `key-of-this-test-${randomUUID()}`,
    mirror: true,
  })
  person = await signIn(dashboard.url)
})

const fetchHtml = async (path: string) => {
  const pageResponse = await person.send(path)
  expect(pageResponse.status).toBe(200)
  return (await pageResponse.text()).replaceAll('<!-- -->', '')
}
/**
 * Returns those of the texts that the page does not contain. A failed test then prints only these
 * texts and not the whole page.
 */
const findMissingTexts = (html: string, ...texts: string[]) =>
  texts.filter((text) => !html.includes(text))
const findLeakedValues = (html: string) =>
  [secretEmail, accountNumber].filter((text) => html.includes(text))
const countMatches = (text: string, part: string) => text.split(part).length - 1

describe('a list with unreadable rows', () => {
  test('shows the other rows, and each unreadable one with its ID and as “Not readable”', async () => {
    const html = await fetchHtml('/sandbox/payouts?tab=all')
    const expectedRowTexts = [
      'aria-label="Rows that could not be read"',
      'title="pay_77"',
      '>no ID<',
      'Not readable',
    ]
    expect(
      findMissingTexts(
        html,
        'Ann Able',
        ...expectedRowTexts,
        '1–3 of 3',
        '; 2 of these could not be read',
      ),
    ).toEqual([])
    expect(findLeakedValues(html)).toEqual([])
  })

  test.each([
    'payments',
    'charges?tab=all',
    'customers?tab=all',
    'paykeys?tab=all',
    'accounts?tab=all',
    'organizations',
    'funding-events',
  ])('shows them on /%s', async (path) => {
    const html = await fetchHtml(`/sandbox/${path}`)
    expect(findMissingTexts(html, 'title="pay_77"', 'Not readable')).toEqual([])
    expect(findLeakedValues(html)).toEqual([])
  })

  test('is not shown as empty if none can be read', async () => {
    const html = await fetchHtml('/sandbox/payouts')
    expect(findMissingTexts(html, 'title="pay_77"')).toEqual([])
    expect(html.includes('All caught up')).toBe(false)
  })

  test('shows them on the home page, and in no sum', async () => {
    const html = await fetchHtml('/sandbox/home')
    expect(findMissingTexts(html, 'title="pay_77"')).toEqual([])
    expect(findLeakedValues(html)).toEqual([])
  })

  test('exports them with their IDs', async () => {
    const exportText = await (
      await person.send('/api/sandbox/desk/exports/payments?payment_type=payout')
    ).text()
    expect(exportText).toContain('\r\npay_77,,Not readable,')
    expect(exportText).toContain('\r\nno id,,Not readable,')
    expect(countMatches(exportText, '\r\n')).toBe(4)
    expect(exportText).not.toContain(secretEmail)
  })

  test('counts none of them as a payment without limit usage', async () => {
    const { body } = await person.get<{ payouts: unknown }>(
      `/api/sandbox/desk/limit-requests/use?account=acct_${paidAccountId}`,
    )
    expect(body.data?.payouts).toMatchObject({ ok: true, usage: { atLeast: true, unreadable: 2 } })
  })
})

test('a payment of another type has no page of its own, and its values are shown unchanged', async () => {
  const html = await fetchHtml('/sandbox/payments')
  expect(
    findMissingTexts(html, `payment_id=${unreadableTransferRow.id}`, 'transfer', 'levitating'),
  ).toEqual([])
  expect(
    [`/charges/${unreadableTransferRow.id}`, `/payouts/${unreadableTransferRow.id}`].filter(
      (path) => html.includes(path),
    ),
  ).toEqual([])
})

describe('a record with unreadable fields', () => {
  const unreadableFields = {
    amount: { value: 12500 },
    description: [`call ${secretEmail}`],
    documents: 'none',
  }
  const addPayoutObject = (payoutOverrides: Record<string, unknown>) =>
    stubService.object((id) => respondWith(200, wrapInEnvelope(buildPayout(id, payoutOverrides))))

  test('lists their number, names and raw data at its head, without masked data', async () => {
    const html = await fetchHtml(`/sandbox/payouts/${addPayoutObject(unreadableFields)}`)
    expect(
      findMissingTexts(
        html,
        '3 fields could not be read',
        'amount, description, documents',
        'Not readable',
      ),
    ).toEqual([])
    expect(html.includes('No authorization proof on file')).toBe(false)
    expect(findLeakedValues(html)).toEqual([])
  })
})

describe('actions on a partly unreadable object', () => {
  const account = `acct_${randomUUID()}`

  test.each([
    ['amount', { amount: {} }],
    ['currency', { currency: [] }],
    ['status', { status: null }],
  ])('no money moves if the %s is unreadable', async (field, more) => {
    const payoutId = stubService.object((id) =>
      respondWith(200, wrapInEnvelope(buildPayout(id, more))),
    )
    const { body } = await person.get<unknown>(
      `/api/sandbox/v1/payouts/${payoutId}?account=${account}`,
    )
    const snapshot = (body.meta as { snapshot?: string }).snapshot ?? ''
    const releaseReply = await person.decide(
      'release',
      { id: payoutId, account },
      createIdempotencyKey(),
      goodReason,
      { 'snapshot-hash': snapshot },
    )
    expect(releaseReply.status).toBe(503)
    expect(releaseReply.body.error).toMatchObject({
      code: 'not_sent',
      detail: expect.stringContaining(`${field} could not be read`) as string,
    })
    expect(stubService.about(payoutId).filter(({ method }) => method !== 'GET')).toEqual([])
  })
})

describe('counts from a list', () => {
  const account = `acct_${randomUUID()}`

  test('a customer with an unreadable bank account cannot be deleted', async () => {
    const customerId = stubService.object((id) => (response, seen) => {
      const responseData = seen.path.startsWith(`/v1/customers/${id}`)
        ? { id, name: 'Ann Able', status: 'verified' }
        : []
      const paykeyRows = [{ id: 'pk_7', status: 'review' }]
      respondWith(
        200,
        wrapInEnvelope(seen.path.startsWith('/v1/paykeys') ? paykeyRows : responseData),
      )(response, seen)
    })
    const admin = await signIn(dashboard.url, 'admin')
    const html = await (
      await admin.send(`/sandbox/customers/${customerId}/delete?account=${account}`)
    ).text()
    expect(findMissingTexts(html, 'Not every bank account of the customer could be read')).toEqual(
      [],
    )
  })

  test.each([
    [
      'a request for other limits that cannot be read',
      { capability_requests: [{ id: 'cr_1' }], account_settings: {} },
    ],
    [
      'a limit in force that cannot be read',
      { capability_requests: [], account_settings: { charges: { max_amount: 'much' } } },
    ],
  ])(
    'new limits cannot be requested with %s',
    async (_, { capability_requests, account_settings }) => {
      const respondWithSettings = (id: string) =>
        respondWith(200, wrapInEnvelope({ id, ...account_settings }))
      const accountId = stubService.object((id) => respondWithSettings(id))
      stubService.lists(respondWith(200, wrapInEnvelope(capability_requests)))
      const limitRequestBody = { charges: { enable: true, max_amount: 500 } }
      const { status, body } = await person.write(
        'POST',
        `/accounts/capability_requests?account=acct_${accountId}`,
        limitRequestBody,
        {
          reason: goodReason,
        },
      )
      expect({ status, code: body.error?.code }).toEqual({ status: 503, code: 'not_sent' })
      expect(
        stubService.seen.filter(
          ({ method, path }) => method === 'POST' && path.includes('capability_requests'),
        ),
      ).toEqual([])
    },
  )
})

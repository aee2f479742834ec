import { describe, expect, test } from 'vitest'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

type StatusDetails = { reason: string; source: string }
type Payment = Record<string, unknown> & {
  id: string
  amount: string
  status: string
  status_details: StatusDetails
  customer_details: { id: string; name: string; email: string }
  paykey_details: { id: string }
  funding_ids: string[]
}

const searchPaymentsPage = async (query: string) => {
  const { json } = await client().ask(`/v1/payments?${query}`)
  return { items: json.data as Payment[], total: Number(json.meta?.total_items) }
}

const searchAllPayments = async () =>
  (await searchPaymentsPage('page_size=1000&include_metadata=true')).items

const parseTime = (value: unknown) => Date.parse(String(value))
const findMedian = <T>(values: T[]): T => values.toSorted()[Math.floor(values.length / 2)] as T

/**
 * Test case of one search filter: its name, a function that returns the query string, and a
 * predicate for the payments that must match. `sample` is a paid payment of the seed, which
 * provides values for the query.
 */
type FilterCase = [
  name: string,
  query: (all: Payment[], sample: Payment) => string,
  means: (payment: Payment, all: Payment[], sample: Payment) => boolean,
]

const filterCases: FilterCase[] = [
  ['payment_type', () => 'payment_type=charge', (payment) => payment.payment_type === 'charge'],
  ['payment_status', () => 'payment_status=on_hold', (payment) => payment.status === 'on_hold'],
  [
    'payment_status, comma',
    () => 'payment_status=failed%2Cpaid',
    (payment) => ['failed', 'paid'].includes(payment.status),
  ],
  [
    'payment_status, repeated',
    () => 'payment_status=failed&payment_status=paid',
    (payment) => ['failed', 'paid'].includes(payment.status),
  ],
  [
    'status_reason',
    () => 'status_reason=user_request,auto_hold',
    ({ status_details: { reason } }) => ['user_request', 'auto_hold'].includes(reason),
  ],
  [
    'status_source',
    () => 'status_source=watchtower',
    ({ status_details: { source } }) => source === 'watchtower',
  ],
  [
    'payment_id',
    (_, sample) => `payment_id=${sample.id}`,
    (payment, _, sample) => payment.id === sample.id,
  ],
  [
    'external_id',
    (_, sample) => `external_id=${sample.external_id}`,
    (payment, _, sample) => payment.external_id === sample.external_id,
  ],
  [
    'customer_id',
    (_, sample) => `customer_id=${sample.customer_details.id}`,
    (payment, _, sample) => payment.customer_details.id === sample.customer_details.id,
  ],
  [
    'paykey_id',
    (_, sample) => `paykey_id=${sample.paykey_details.id}`,
    (payment, _, sample) => payment.paykey_details.id === sample.paykey_details.id,
  ],
  [
    'paykey',
    (_, sample) => `paykey=${sample.paykey}`,
    (payment, _, sample) => payment.paykey === sample.paykey,
  ],
  [
    'funding_id',
    (_, sample) => `funding_id=${sample.funding_ids[0]}`,
    (payment, _, sample) => payment.funding_ids.includes(sample.funding_ids[0] ?? ''),
  ],
  [
    'min_amount',
    (_, sample) => `min_amount=${sample.amount}`,
    (payment, _, sample) => Number(payment.amount) >= Number(sample.amount),
  ],
  [
    'max_amount',
    (_, sample) => `max_amount=${sample.amount}`,
    (payment, _, sample) => Number(payment.amount) <= Number(sample.amount),
  ],
  ...(['created_at', 'updated_at', 'effective_at'] as const).flatMap((field): FilterCase[] => [
    [
      `min_${field}`,
      (_, sample) => `min_${field}=${sample[field]}`,
      (payment, _, sample) => parseTime(payment[field]) >= parseTime(sample[field]),
    ],
    [
      `max_${field}`,
      (_, sample) => `max_${field}=${sample[field]}`,
      (payment, _, sample) => parseTime(payment[field]) <= parseTime(sample[field]),
    ],
  ]),
  [
    'min_payment_date',
    (_, sample) => `min_payment_date=${sample.payment_date}`,
    (payment, _, sample) => String(payment.payment_date) >= String(sample.payment_date),
  ],
  [
    'max_payment_date',
    (_, sample) => `max_payment_date=${sample.payment_date}`,
    (payment, _, sample) => String(payment.payment_date) <= String(sample.payment_date),
  ],
  ...['is_refund', 'has_refund', 'is_resubmit', 'has_resubmit'].flatMap((mark): FilterCase[] =>
    [true, false].map((value) => [
      `${mark}=${value}`,
      () => `${mark}=${value}`,
      (payment) => payment[mark] === value,
    ]),
  ),
  [
    'search_text in a description',
    () => 'search_text=PAYRO',
    (payment) => /\bpayro/i.test(String(payment.description)),
  ],
  [
    'search_text, every word',
    (_, sample) =>
      `search_text=${encodeURIComponent(`${String(sample.description).split(' ')[0]} ${sample.customer_details.email}`)}`,
    (payment, _, sample) =>
      payment.customer_details.id === sample.customer_details.id &&
      String(payment.description)
        .toLowerCase()
        .split(' ')
        .some((word) =>
          word.startsWith(String(sample.description).toLowerCase().split(' ')[0] ?? ''),
        ),
  ],
  [
    'search_text, an id',
    (_, sample) => `search_text=${sample.customer_details.id}`,
    (payment, _, sample) => payment.customer_details.id === sample.customer_details.id,
  ],
  [
    'two filters together',
    (_, sample) => `payment_type=payout&min_amount=${sample.amount}`,
    (payment, _, sample) =>
      payment.payment_type === 'payout' && Number(payment.amount) >= Number(sample.amount),
  ],
]

test.each(filterCases)('%s returns exactly the matching payments', async (_name, query, means) => {
  const allPayments = await searchAllPayments()
  const paidPayments = allPayments.filter((payment) => payment.status === 'paid')
  const medianAmount = findMedian(paidPayments.map((payment) => payment.amount))
  const samplePayment = paidPayments.find((payment) => payment.amount === medianAmount)
  if (!samplePayment) throw new Error('the seed has no paid payment')
  const expectedIds = allPayments
    .filter((payment) => means(payment, allPayments, samplePayment))
    .map(({ id }) => id)
  const filteredPage = await searchPaymentsPage(
    `${query(allPayments, samplePayment)}&page_size=1000`,
  )
  expect(filteredPage.items.map(({ id }) => id)).toEqual(expectedIds)
  expect(filteredPage.total).toBe(expectedIds.length)
  // A filter that matches everything or nothing would not show that filtering works.
  expect(expectedIds.length).toBeGreaterThan(0)
  expect(expectedIds.length).toBeLessThan(allPayments.length)
})

test.each([
  '"',
  "'; DROP TABLE payments;--",
  '*',
  'a AND (b',
  '<script>',
  '\u202e',
  'نور',
  '-',
  'NEAR(a b)',
])('search_text=%s is plain text, not syntax', async (text) => {
  const response = await client().ask(`/v1/payments?search_text=${encodeURIComponent(text)}`)
  expect([response.status, response.json.response_type]).toEqual([200, 'array'])
})

describe('paging', () => {
  test('has 100 per page by default, each payment on one page, and an empty list past the end', async () => {
    const firstPage = (await client().ask('/v1/payments')).json
    expect(firstPage.meta).toMatchObject({
      page_number: 1,
      page_size: 100,
      total_items: 600,
      total_pages: 6,
      sort_by: 'id',
      sort_order: 'asc',
    })
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => searchPaymentsPage(`page_size=170&page_number=${page}`)),
    )
    expect(pages.map(({ items }) => items.length)).toEqual([170, 170, 170, 90])
    expect(new Set(pages.flatMap(({ items }) => items.map(({ id }) => id))).size).toBe(600)
    const pagePastEnd = await client().ask('/v1/payments?page_number=99')
    expect([pagePastEnd.status, pagePastEnd.json.data, pagePastEnd.json.meta?.total_items]).toEqual(
      [200, [], 600],
    )
  })

  test('has no gap or overlap between the pages of a filtered list', async () => {
    const unpagedResult = await searchPaymentsPage(
      'payment_status=paid&sort_by=amount&page_size=1000',
    )
    const pages = await Promise.all(
      [1, 2, 3].map((page) =>
        searchPaymentsPage(`payment_status=paid&sort_by=amount&page_size=50&page_number=${page}`),
      ),
    )
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(
      unpagedResult.items.slice(0, 150).map(({ id }) => id),
    )
  })
})

test.each(['id', 'created_at', 'updated_at', 'payment_date', 'effective_at', 'amount'])(
  'sort_by=%s sorts both ways, also after a write',
  async (key) => {
    const payout = await client().payout({ status: 'on_hold', amount: 77_777 })
    await client().control('clock', { advance_seconds: 1 })
    await client().put(`/v1/payouts/${payout.id}/hold`, {})
    await client().put(`/v1/payouts/${payout.id}/cancel`, {})
    const getSortValue = (payment: Payment) =>
      key === 'amount' ? Number(payment.amount) : String(payment[key] ?? '')
    const ascendingPayments = (await searchPaymentsPage(`sort_by=${key}&page_size=1000`)).items
    const ascendingValues = ascendingPayments.map(getSortValue)
    expect(ascendingValues).toEqual(
      ascendingValues.toSorted((left, right) => (left < right ? -1 : Number(left > right))),
    )
    const descendingPayments = (
      await searchPaymentsPage(`sort_by=${key}&sort_order=desc&page_size=1000`)
    ).items
    expect(descendingPayments.map(({ id }) => id)).toEqual(
      ascendingPayments.map(({ id }) => id).toReversed(),
    )
  },
)

test('metadata is included on request, and the history never', async () => {
  const [plainPayment] = (await searchPaymentsPage('page_size=1')).items
  const [paymentWithMetadata] = (await searchPaymentsPage('page_size=1&include_metadata=true'))
    .items
  expect([
    plainPayment && 'metadata' in plainPayment,
    paymentWithMetadata && 'metadata' in paymentWithMetadata,
    plainPayment && 'status_history' in plainPayment,
  ]).toEqual([false, true, false])
})

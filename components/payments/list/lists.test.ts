import { describe, expect, test } from 'vitest'
import { formatAmountFilter, listFilterTexts } from '@/components/kits/list/filters/filter-texts'
import { parseAmountFilter } from '@/components/kits/list/filters/read-form'
import { parseView as readView } from '@/components/kits/list/parse-view'
import {
  countPages,
  toHrefWithoutFilters,
  toRequestFields,
  toSortHref,
  toViewHref,
} from '@/components/kits/list/view'
import { defaultPreferences } from '@/lib/client/preferences'
import { type PaymentSummary, paymentSchemas } from '@/lib/operations/payments.schema'
import { paymentLists, toPaymentRow } from './lists'
import { paymentSearchList } from './search-list'

const { payout: payoutList } = paymentLists
const parsePayoutView = (search: Record<string, string | undefined>) => readView(payoutList, search)
const scope = { environment: 'sandbox', account: null }
const account = 'acct_018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
const parseSearchParams = (href: string) =>
  Object.fromEntries(new URL(href, 'http://desk').searchParams)

test('an empty URL shows the payouts on hold, oldest first', () => {
  const view = parsePayoutView({})
  expect(view).toMatchObject({
    tab: { id: 'hold' },
    sort: 'created_at',
    order: 'asc',
    page: 1,
    size: 50,
  })
  expect(toViewHref(payoutList, scope, view)).toBe('/sandbox/payouts')
})

test('other tabs list the newest rows first', () => {
  expect(parsePayoutView({ tab: 'paid' }).order).toBe('desc')
})

describe('a view converts to a URL and back without loss', () => {
  test.each([
    {
      tab: 'all',
      search_text: 'ron & co',
      min_amount: '100',
      sort: 'amount',
      order: 'asc',
      page: '3',
      size: '25',
    },
    { paykey_id: '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f', is_refund: 'true', order: 'desc' },
    {},
  ])('%j', (search) => {
    const view = parsePayoutView(search)
    expect(
      parsePayoutView(
        parseSearchParams(toViewHref(payoutList, { ...scope, account }, view, { page: view.page })),
      ),
    ).toEqual(view)
  })
})

test('an invalid tab, sort, page or filter falls back, and is named', () => {
  const view = readView(
    payoutList,
    {
      ...{ tab: 'x', sort: 'secret', order: 'up', page: '-1', size: '0', min_amount: 'much' },
      ...{ paymnt_id: 'y', payment_status: ['foo', 'bar'], account, open: 'first', cols: 'date' },
    },
    { isValid: isValidPaymentFilter },
  )
  expect(view).toMatchObject({
    ...{ tab: { id: 'hold' }, sort: 'created_at', page: 1, size: 50, filters: {} },
    ignored: [
      'tab=x is not valid; showing the default.',
      'sort=secret is not valid; showing the default.',
      'order=up is not valid; showing the default.',
      'page=-1 is not valid; showing the default.',
      'size=0 is not valid; showing the default.',
      'min_amount=much is not a valid filter; showing all.',
      'paymnt_id is not a filter of this list; showing all.',
      'payment_status is not a filter of this list; showing all.',
    ],
  })
  const input = paymentSchemas['payments.search'].input
  expect(input.safeParse(toRequestFields(payoutList, view)).success).toBe(true)
})

const isValidPaymentFilter = (name: string, value: string) =>
  (
    paymentSchemas['payments.search'].input.shape as Readonly<
      Record<string, { safeParse: (value: string) => { success: boolean } }>
    >
  )[name]?.safeParse(value).success ?? true

test.each([
  [{ payment_status: 'foo' }, ['payment_status=foo is not a valid filter; showing all.']],
  [{ payment_status: 'paid,foo' }, ['payment_status=paid,foo is not a valid filter; showing all.']],
  [{ payment_status: ['paid', 'failed'] }, []],
  [{ created: 'yesterday' }, ['created=yesterday is not a valid filter; showing all.']],
  [{ created: '7-days' }, []],
  [{ paykey_id: 'a.secret.token' }, ['paykey_id is not a valid filter; showing all.']],
  [{ email: 'ada@example.com' }, ['email is not a filter of this list; showing all.']],
  [{ constructor: 'x' }, ['constructor is not a filter of this list; showing all.']],
  [{ payment_status: '', email: '' }, []],
  [{ size: '5000' }, ['size=5000 is not valid; showing the default.']],
  [{ size: '1000', page: '2' }, []],
  [
    { tab: 'hold', payment_status: 'paid' },
    ['payment_status=paid does not apply to the tab “On hold”.'],
  ],
] as const)('the parameters %j are ignored as %j', (search, ignored) => {
  const view = readView(paymentSearchList, search, { isValid: isValidPaymentFilter })
  expect(view.ignored).toEqual(ignored)
  expect(Object.keys(view.filters)).toEqual(
    ignored.length === 0 && 'payment_status' in search && search.payment_status !== ''
      ? ['payment_status']
      : [],
  )
})

test('the end of a day in an older link includes its last second', () => {
  const view = readView(paymentSearchList, { max_created_at: '2026-11-25T23:59:59Z' })
  expect(view.filters).toEqual({ max_created_at: '2026-11-25T23:59:59.999Z' })
  expect(view.ignored).toEqual([])
})

const tabCases = (['payout', 'charge'] as const).flatMap((kind) =>
  paymentLists[kind].tabs.map((tab) => [kind, tab.id, tab] as const),
)

test.each(tabCases)('%s: the search of tab %s is valid input', (kind, _id, tab) => {
  const listSpec = paymentLists[kind]
  const inputSchema = paymentSchemas['payments.search'].input
  const parsedInput = inputSchema.parse(
    toRequestFields(
      listSpec,
      readView(listSpec, { tab: tab.id, min_amount: '100', search_text: 'x' }),
    ),
  )
  expect(parsedInput).toMatchObject({ payment_type: [kind], min_amount: 100 })
  expect(parsedInput.payment_status?.join() ?? '').toEqual(tab.query.payment_status ?? '')
  expect(
    inputSchema.parse(toRequestFields(listSpec, readView(listSpec, { page: '9' }), tab)),
  ).toMatchObject({
    page_size: 1,
    page_number: 1,
  })
})

test('changing anything but the page returns to the first page and keeps the scope', () => {
  const view = parsePayoutView({ page: '4', search_text: 'x' })
  expect(parseSearchParams(toSortHref(payoutList, { ...scope, account }, view, 'amount'))).toEqual({
    account,
    search_text: 'x',
    sort: 'amount',
  })
  expect(parseSearchParams(toHrefWithoutFilters(payoutList, scope, view, ['search_text']))).toEqual(
    {},
  )
})

test('sorting by the current column reverses the order', () => {
  expect(
    parseSearchParams(toSortHref(payoutList, scope, parsePayoutView({ sort: 'amount' }), 'amount'))
      .order,
  ).toBe('asc')
})

test('computes the number of pages', () => {
  expect([0, 50, 51, 10_000, 10_001, null].map((total) => countPages(total, 50))).toEqual([
    1,
    1,
    2,
    200,
    null,
    null,
  ])
})

describe('filter texts', () => {
  test('amounts are typed in units and sent in cents', () => {
    expect(parseAmountFilter('1,250.5')).toBe('125050')
    expect(parseAmountFilter('')).toBe('')
    expect(parseAmountFilter('-5')).toBeNull()
    expect(parseAmountFilter('five')).toBeNull()
    expect(parseAmountFilter('12,50')).toBeNull()
    expect(formatAmountFilter('125050')).toBe('1,250.50')
    expect(formatAmountFilter('much')).toBe('much')
  })
  test('each filter has its own text', () => {
    const filterTexts = listFilterTexts(
      payoutList,
      parsePayoutView({
        status_reason: 'auto_hold',
        is_refund: 'true',
        min_payment_date: '2026-03-01',
      }),
      defaultPreferences,
    ).map(({ text }) => text)
    expect(filterTexts).toEqual([
      'Payment date from: Mar 1, 2026',
      'Reason given: Held by a user at creation',
      'Refund: yes',
    ])
  })
})

test('a row contains only the displayed values: no balance, metadata, contact data or unreadable text', () => {
  const payment = {
    ...{
      id: '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f',
      payment_type: 'payout',
      amount: '100',
      currency: 'USD',
      status: 'paid',
    },
    customer_details: { name: 'Ron Stone', email: 'r***@example.com', phone: '***0123' },
    paykey_details: { label: 'Chase *1234', balance: '500000' },
    metadata: { order: '7' },
    unreadable: [{ field: 'metadata', raw: '{"order":' }],
  } as unknown as PaymentSummary
  const row = toPaymentRow(payment, account, async () => '')
  expect(row).toMatchObject({ customer: 'Ron Stone', bank: 'Chase *1234', amount: '100', account })
  expect(JSON.stringify(row)).not.toMatch(/500000|example\.com|0123|order/)
})

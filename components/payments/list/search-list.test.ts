import { describe, expect, test } from 'vitest'
import { toExportParams } from '@/components/kits/list/list-export'
import { parseView } from '@/components/kits/list/parse-view'
import { listVisibleColumns } from '@/components/kits/list/spec'
import { toRequestFields, toViewHref } from '@/components/kits/list/view'
import { paymentSchemas } from '@/lib/operations/payments.schema'
import { paymentSearchList } from './search-list'

const { input } = paymentSchemas['payments.search']
const scope = { environment: 'sandbox', account: null }
const parseSearchParams = (href: string) =>
  Object.fromEntries(new URL(href, 'http://desk').searchParams)

test('the list offers every filter of the operation except paging, sorting and tabs', () => {
  const fieldsWithoutFilter = [
    'page_number',
    'page_size',
    'sort_by',
    'sort_order',
    'payment_type',
    'search_text',
    'include_metadata',
  ]
  const offeredFields = [...Object.keys(paymentSearchList.filters), ...fieldsWithoutFilter]
  expect(Object.keys(input.shape).filter((name) => !offeredFields.includes(name))).toEqual([])
})

test.each(paymentSearchList.tabs)('the search of tab $id is valid input', (tab) => {
  expect(
    input.safeParse(
      toRequestFields(paymentSearchList, parseView(paymentSearchList, { tab: tab.id })),
    ).success,
  ).toBe(true)
})

test.each(paymentSearchList.sorts)('the operation accepts the sort %s', (sort) => {
  expect(
    input.safeParse(toRequestFields(paymentSearchList, parseView(paymentSearchList, { sort })))
      .success,
  ).toBe(true)
})

test.each(['12abc', '0', '-3', '1e3', '1234567'])(
  'the page "%s" of a URL is not a page number, so the first page is shown',
  (page) => {
    expect(parseView(paymentSearchList, { page }).page).toBe(1)
  },
)

describe('columns', () => {
  test('the chosen columns are part of the URL, in the order of the table', () => {
    const view = parseView(paymentSearchList, { cols: 'external,state,nonsense' })
    expect(view.columns).toEqual(['state', 'external'])
    expect(parseSearchParams(toViewHref(paymentSearchList, scope, view))).toEqual({
      cols: 'state,external',
    })
  })

  test('an empty choice shows the default columns, and all optional columns can be hidden', () => {
    expect(listVisibleColumns(paymentSearchList, parseView(paymentSearchList, {}))).toEqual([
      'type',
      'state',
      'account',
      'date',
    ])
    const viewWithoutColumns = parseView(paymentSearchList, { cols: 'none' })
    expect(listVisibleColumns(paymentSearchList, viewWithoutColumns)).toEqual([])
    expect(parseSearchParams(toViewHref(paymentSearchList, scope, viewWithoutColumns))).toEqual({
      cols: 'none',
    })
  })
})

test('the status of a tab overrides a status filter', () => {
  const view = parseView(paymentSearchList, {
    tab: 'hold',
    payment_status: 'paid',
    min_amount: '100',
  })
  expect(view.filters).toEqual({ min_amount: '100' })
  expect(toRequestFields(paymentSearchList, view)).toMatchObject({
    payment_status: 'on_hold',
    min_amount: '100',
  })
  const viewOfAllTab = parseView(paymentSearchList, { payment_status: 'paid,failed' })
  expect(toRequestFields(paymentSearchList, viewOfAllTab)).toMatchObject({
    payment_status: 'paid,failed',
  })
  expect(toRequestFields(paymentSearchList, viewOfAllTab, view.tab)).toMatchObject({
    payment_status: 'on_hold',
  })
})

test('an export uses the tab and the filters of the view, and no page', () => {
  expect(
    toExportParams(
      parseView(paymentSearchList, { tab: 'hold', min_amount: '100', page: '4', sort: 'amount' }),
    ),
  ).toEqual({
    payment_status: 'on_hold',
    min_amount: '100',
  })
})

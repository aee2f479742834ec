import { expect, test } from 'vitest'
import {
  buildRequestList,
  requestList,
  toCallFilter,
  toLogHref,
  toLogQuery,
  toPersonRequestsHref,
} from '@/components/activity/list/list'
import { toViewHref } from '@/components/kits/list/view'
import { parseActivityView } from './activity'

const scope = { environment: 'sandbox', account: null }
const parseSearchParams = (href: string) =>
  Object.fromEntries(new URL(href, 'http://desk').searchParams)

test('a view converts to a URL and back without loss', () => {
  const searchParams = {
    tab: 'requests',
    operation: 'payouts.release',
    result: 'refused',
    error: 'service_refused',
    detail: 'payout is paid',
    target: 'payouts/0190a000-0000-7000-8000-000000000001',
    request: 'req_0123456789abcdef0123456789abcdef',
    person: 'me',
    from: '2026-03-31',
    to: '2026-04-01',
    cols: 'person,request',
    older: '2026-03-31T17:05:00.123Z_0190a000-0000-7000-8000-000000000002',
  }
  const view = parseActivityView(searchParams, { first: 'unknown' })
  expect(parseSearchParams(toLogHref(scope, view.list, view.place))).toEqual(searchParams)
  const { from, to } = toCallFilter(view.list)
  expect([from, to]).toEqual(['2026-03-31T00:00:00.000Z', '2026-04-01T23:59:59.999Z'])
})

test('a named period replaces typed dates with its own bounds', () => {
  const { list } = parseActivityView({ at: 'today', from: '2020-01-01' }, { first: 'requests' })
  const [from = '', to = ''] = [toCallFilter(list).from, toCallFilter(list).to]
  expect(Date.parse(to) - Date.parse(from)).toBeGreaterThan(22 * 3_600_000)
  expect(from > '2026').toBe(true)
})

test('ignores pages and sorts of other lists, and falls back to the first tab', () => {
  const view = parseActivityView(
    { tab: 'x', page: '7', size: '25', sort: 'id', older: '2026-02-30T99:00:00.000Z_x' },
    { first: 'requests' },
  )
  expect([view.tab, view.place, toViewHref(requestList, scope, view.list)]).toEqual([
    'requests',
    undefined,
    '/sandbox/activity?tab=requests',
  ])
})

test('leaves an invalid filter out, and names it', () => {
  const { list } = parseActivityView(
    { operation: 'payouts.explode', from: '2026-02-30' },
    { first: 'requests' },
  )
  expect(toLogQuery(list)).toEqual({})
  expect(list.ignored).toEqual([
    'operation=payouts.explode is not a valid filter; showing all.',
    'from=2026-02-30 is not a valid filter; showing all.',
  ])
})

test('changing a filter returns to the newest requests, and a person filter shows the name', () => {
  const personId = '0190a000-0000-7000-8000-000000000002'
  const { list } = parseActivityView(
    { tab: 'requests', newer: `2026-03-31T17:05:00.123Z_${personId}` },
    { first: 'unknown' },
  )
  const href = toPersonRequestsHref({ ...scope, account: 'acct_1' }, list, personId)
  expect(parseSearchParams(href)).toEqual({ account: 'acct_1', tab: 'requests', person: personId })
  const personListView = parseActivityView(parseSearchParams(href), { first: 'unknown' }).list
  expect(buildRequestList(personListView, 'Dana Admin').filters.person?.choices?.[personId]).toBe(
    'Dana Admin',
  )
  expect(buildRequestList(list, 'Dana Admin')).toBe(requestList)
})

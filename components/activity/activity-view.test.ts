import { expect, test } from 'vitest'
import { activityHref, activityViewOf, isNarrowed } from './activity-view'

const searchIn = (href: string) => Object.fromEntries(new URL(href, 'http://desk').searchParams)

test('a URL and its view are the same thing', () => {
  const search = {
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
    page: '3',
  }
  const view = activityViewOf(search, 'unknown')
  expect(searchIn(activityHref('sandbox', null, view, { page: view.page }))).toEqual(search)
  expect(isNarrowed(view)).toBe(true)
})

test('nonsense is left out', () => {
  const search = {
    tab: 'x',
    operation: 'payouts.explode',
    result: 'odd',
    error: 'a b',
    target: '../etc',
    request: 'a b',
    person: 'somebody',
    from: '2026-02-30',
    page: '-2',
  }
  const view = activityViewOf(search, 'requests')
  expect(view).toEqual({ tab: 'requests', page: 1 })
  expect(isNarrowed(view)).toBe(false)
})

test('another filter goes back to the first page', () => {
  const view = activityViewOf({ tab: 'requests', page: '4' }, 'unknown')
  expect(searchIn(activityHref('sandbox', 'acct_1', view, { result: 'failed' }))).toEqual({
    account: 'acct_1',
    tab: 'requests',
    result: 'failed',
  })
})

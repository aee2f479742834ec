import { expect, test } from 'vitest'
import { activityHref, activityViewOf, isNarrowed } from './activity-view'

const searchIn = (href: string) => Object.fromEntries(new URL(href, 'http://desk').searchParams)

test('a URL and its view are the same thing', () => {
  const search = { tab: 'requests', operation: 'payouts.release', result: 'refused', error: 'service_refused', mine: 'yes', page: '3' }
  const view = activityViewOf(search, 'unknown')
  expect(searchIn(activityHref('sandbox', null, view, { page: view.page }))).toEqual(search)
})

test('nonsense is left out', () => {
  const search = { tab: 'x', operation: 'payouts.explode', result: 'odd', error: 'a b', target: '../etc', page: '-2' }
  const view = activityViewOf(search, 'requests')
  expect(view).toEqual({ tab: 'requests', mine: false, page: 1 })
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

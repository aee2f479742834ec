import { beforeEach, expect, test } from 'vitest'
import { onRouterTransitionStart } from '@/instrumentation-client'
import { cancelNavigation, isNavigating } from './leaving'

const list = '/sandbox/payouts?tab=all'
const record = '/sandbox/customers/one'

beforeEach(() => {
  cancelNavigation()
  history.replaceState(null, '', list)
})

test('isLeaving is true from the start of a navigation until the URL changes', () => {
  expect(isNavigating()).toBe(false)
  onRouterTransitionStart(record, 'push')
  expect(isNavigating()).toBe(true)
  history.replaceState(null, '', record)
  expect(isNavigating()).toBe(false)
})

test('opening a row beside the list is not a navigation', () => {
  history.pushState(null, '', `${list}&open=one`)
  expect(isNavigating()).toBe(false)
})

test('a page reached by Back or Forward ends the navigation', () => {
  onRouterTransitionStart(record, 'push')
  history.replaceState(null, '', record)
  history.replaceState(null, '', list)
  onRouterTransitionStart(list, 'traverse')
  expect(isNavigating()).toBe(false)
})

test('a navigation to the same URL ends when the page stays', () => {
  onRouterTransitionStart(list, 'replace')
  cancelNavigation()
  expect(isNavigating()).toBe(false)
})

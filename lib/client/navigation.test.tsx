import { beforeEach, expect, test } from 'vitest'
import { onRouterTransitionStart } from '@/instrumentation-client'
import { cancelNavigation, isNavigating } from './navigation'

const listUrl = '/sandbox/payouts?tab=all'
const recordUrl = '/sandbox/customers/one'

beforeEach(() => {
  cancelNavigation()
  history.replaceState(null, '', listUrl)
})

test('isNavigating is true from the start of a navigation until the URL changes', () => {
  expect(isNavigating()).toBe(false)
  onRouterTransitionStart(recordUrl, 'push')
  expect(isNavigating()).toBe(true)
  history.replaceState(null, '', recordUrl)
  expect(isNavigating()).toBe(false)
})

test('opening a row beside the list is not a navigation', () => {
  history.pushState(null, '', `${listUrl}&open=one`)
  expect(isNavigating()).toBe(false)
})

test('a page reached by Back or Forward ends the navigation', () => {
  onRouterTransitionStart(recordUrl, 'push')
  history.replaceState(null, '', recordUrl)
  history.replaceState(null, '', listUrl)
  onRouterTransitionStart(listUrl, 'traverse')
  expect(isNavigating()).toBe(false)
})

test('a navigation to the same URL ends when the page stays', () => {
  onRouterTransitionStart(listUrl, 'replace')
  cancelNavigation()
  expect(isNavigating()).toBe(false)
})

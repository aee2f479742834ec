import { beforeEach, expect, test } from 'vitest'
import { onRouterTransitionStart } from '@/instrumentation-client'
import { isLeaving, stay } from './leaving'

const list = '/sandbox/payouts?tab=all'
const record = '/sandbox/customers/one'

beforeEach(() => {
  stay()
  history.replaceState(null, '', list)
})

test('isLeaving is true from the start of a navigation until the URL changes', () => {
  expect(isLeaving()).toBe(false)
  onRouterTransitionStart(record, 'push')
  expect(isLeaving()).toBe(true)
  history.replaceState(null, '', record)
  expect(isLeaving()).toBe(false)
})

test('opening a row beside the list is not a navigation', () => {
  history.pushState(null, '', `${list}&open=one`)
  expect(isLeaving()).toBe(false)
})

test('a page reached by Back or Forward ends the navigation', () => {
  onRouterTransitionStart(record, 'push')
  history.replaceState(null, '', record)
  history.replaceState(null, '', list)
  onRouterTransitionStart(list, 'traverse')
  expect(isLeaving()).toBe(false)
})

test('a navigation to the same URL ends when the page stays', () => {
  onRouterTransitionStart(list, 'replace')
  stay()
  expect(isLeaving()).toBe(false)
})

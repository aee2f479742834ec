import { beforeEach, expect, test } from 'vitest'
import { onRouterTransitionStart } from '@/instrumentation-client'
import { isLeaving, stay } from './leaving'

const list = '/sandbox/payouts?tab=all'
const record = '/sandbox/customers/one'

beforeEach(() => {
  stay()
  history.replaceState(null, '', list)
})

test('a page is being left from when the router goes elsewhere until the other page is there', () => {
  expect(isLeaving()).toBe(false)
  onRouterTransitionStart(record, 'push')
  expect(isLeaving()).toBe(true)
  history.replaceState(null, '', record)
  expect(isLeaving()).toBe(false)
})

test('opening a row beside the list does not leave it', () => {
  history.pushState(null, '', `${list}&open=one`)
  expect(isLeaving()).toBe(false)
})

test('a page reached by Back or Forward is not being left', () => {
  onRouterTransitionStart(record, 'push')
  history.replaceState(null, '', record)
  history.replaceState(null, '', list)
  onRouterTransitionStart(list, 'traverse')
  expect(isLeaving()).toBe(false)
})

test('a navigation to the same address ends when the page stays', () => {
  onRouterTransitionStart(list, 'replace')
  stay()
  expect(isLeaving()).toBe(false)
})

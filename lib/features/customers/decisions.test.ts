import { expect, test } from 'vitest'
import { customerReview } from '@/lib/operations/customers.schema'
import { listCustomerReasons, listCustomerWarnings } from './decisions'

const customer = { id: '018f4c1e-7a3b-7c2d-9e10-000000000001', name: 'Ron', status: 'review' }
const parseCustomerReview = (watch_list?: object) =>
  customerReview.parse({
    customer_details: customer,
    identity_details: { breakdown: {}, watch_list: watch_list && { codes: [], ...watch_list } },
  })
const listWarningCodes = (review: ReturnType<typeof parseCustomerReview>) =>
  listCustomerWarnings('verified', { data: review }).map(({ code }) => code)
const watchListWithoutMatch = { decision: 'accept', matched: [], matches: [] }

test.each([
  ['none was looked at', undefined],
  ['it named nobody', watchListWithoutMatch],
])('requires no watch list tick if %s', (_, list) => {
  expect(listWarningCodes(parseCustomerReview(list))).toEqual(['verify_modules'])
})

test.each([
  ['with details', { ...watchListWithoutMatch, matches: [{ match_fields: [], urls: [] }] }],
  ['by name alone', { ...watchListWithoutMatch, matched: ['OFAC SDN'] }],
  ['by its verdict alone', { ...watchListWithoutMatch, decision: 'review' }],
])('a watch list match %s requires a comparison', (_, list) => {
  expect(listWarningCodes(parseCustomerReview(list))).toEqual([
    'verify_modules',
    'verify_watch_list',
  ])
})

test('an unreadable review requires a tick', () => {
  expect(listCustomerWarnings('verified', { error: '' }).map(({ code }) => code)).toEqual([
    'verify_modules',
    'verify_unread',
  ])
})

test.each([
  ['a list', undefined, 'identity_details.watch_list', []],
  ['all that was found', undefined, 'identity_details', []],
  [
    'one match of several',
    { ...watchListWithoutMatch, matched: ['OFAC SDN'] },
    'identity_details.watch_list.matches.1',
    ['verify_watch_list'],
  ],
])('if %s is unreadable, the customer does not count as unlisted', (_, list, field, besides) => {
  const unreadableReview = Object.assign(parseCustomerReview(list), {
    unreadable: [{ field, raw: '7' }],
  })
  expect(listWarningCodes(unreadableReview)).toEqual([
    'verify_modules',
    'verify_unread',
    ...besides,
  ])
})

test('a rejection requires the same ticks for every customer', () => {
  expect(listCustomerWarnings('rejected', { error: '' }).map(({ code }) => code)).toEqual([
    'reject_innocent',
    'reject_neutral',
  ])
})

test.each([
  ['without a match', { data: parseCustomerReview(watchListWithoutMatch) }, false],
  [
    'with a match',
    { data: parseCustomerReview({ ...watchListWithoutMatch, matched: ['OFAC SDN'] }) },
    true,
  ],
  ['with a review that could not be read', { error: '' }, true],
])('%s, a confirmed watch list match is offered as the reason: %s', (_, review, isOffered) => {
  const codes = listCustomerReasons('rejected', review).map(({ code }) => code)
  expect(codes.includes('WATCH_LIST_MATCH')).toBe(isOffered)
})

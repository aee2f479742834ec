import { expect, test } from 'vitest'
import { customerReview } from '@/lib/operations/customers.schema'
import { customerWarnings } from './decisions'

const customer = { id: '018f4c1e-7a3b-7c2d-9e10-000000000001', name: 'Ron', status: 'review' }
const reviewOf = (watch_list?: object) =>
  customerReview.parse({
    customer_details: customer,
    identity_details: { breakdown: {}, watch_list: watch_list && { codes: [], ...watch_list } },
  })
const codesOf = (review: ReturnType<typeof reviewOf>) => customerWarnings('verified', { data: review }).map(({ code }) => code)
const nobody = { decision: 'accept', matched: [], matches: [] }

test.each([
  ['none was looked at', undefined],
  ['it named nobody', nobody],
])('no tick is asked for a watch list where %s', (_, list) => {
  expect(codesOf(reviewOf(list))).toEqual(['verify_modules'])
})

test.each([
  ['with details', { ...nobody, matches: [{ match_fields: [], urls: [] }] }],
  ['by name alone', { ...nobody, matched: ['OFAC SDN'] }],
  ['by its verdict alone', { ...nobody, decision: 'review' }],
])('a match %s has to be compared', (_, list) => {
  expect(codesOf(reviewOf(list))).toEqual(['verify_modules', 'verify_watch_list'])
})

test('a review that could not be read is ticked as that', () => {
  expect(customerWarnings('verified', { error: '' }).map(({ code }) => code)).toEqual(['verify_modules', 'verify_unread'])
})

test.each([
  ['a list', undefined, 'identity_details.watch_list', []],
  ['all that was found', undefined, 'identity_details', []],
  ['one match of several', { ...nobody, matched: ['OFAC SDN'] }, 'identity_details.watch_list.matches.1', ['verify_watch_list']],
])('where %s could not be read, nobody is taken for not being named', (_, list, field, besides) => {
  const review = Object.assign(reviewOf(list), { unreadable: [{ field, raw: '7' }] })
  expect(codesOf(review)).toEqual(['verify_modules', 'verify_unread', ...besides])
})

test('a rejection asks the same of everybody', () => {
  expect(customerWarnings('rejected', { error: '' }).map(({ code }) => code)).toEqual(['reject_innocent', 'reject_neutral'])
})

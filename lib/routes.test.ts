import { expect, test } from 'vitest'
import { connectPath, deletionPath, editPath, homePath, listPath, newPath, recordPath, targetPath } from './routes'

const [a, b] = ['acct_018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f', 'acct_018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e60']
const platform = { environment: 'sandbox', scope: null }
const inA = { environment: 'sandbox', scope: a }

test.each([
  ['the whole platform leaves the scope alone', platform, b, `of=${b}`],
  ['its own account’s scope says it once', inA, a, `account=${a}`],
  ['another account’s scope keeps that scope', inA, b, `account=${a}&of=${b}`],
  ['a scope, its account unknown', inA, null, `account=${a}`],
  ['the whole platform, its account unknown', platform, undefined, ''],
  ['no place at all', 'sandbox', b, `of=${b}`],
] as const)('a record opened from %s', (_, place, account, search) => {
  expect(recordPath(place, 'payouts', 'x', { account })).toBe(`/sandbox/payouts/x${search && `?${search}`}`)
  expect(targetPath(place, 'payouts/x', { account })).toBe(recordPath(place, 'payouts', 'x', { account }))
})

test('the URLs of forms have the account in the same form', () => {
  expect(newPath(platform, 'charges', { account: a, paykey: 'p' })).toBe(`/sandbox/charges/new?of=${a}&paykey=p`)
  expect(editPath(inA, 'customers', 'x', { account: b })).toBe(`/sandbox/customers/x/edit?account=${a}&of=${b}`)
  expect(connectPath(inA, { account: a, customer: 'c' })).toBe(`/sandbox/connect?account=${a}&customer=c`)
})

test('the URLs of lists and the home page keep the scope', () => {
  expect([homePath(inA), listPath(inA, 'payouts', { tab: 'all' }), deletionPath(inA, 'x')]).toEqual([
    `/sandbox/home?account=${a}`,
    `/sandbox/payouts?account=${a}&tab=all`,
    `/sandbox/deletions/x?account=${a}`,
  ])
  expect(listPath(inA, 'payouts', { account: null })).toBe('/sandbox/payouts')
  expect(homePath(platform)).toBe('/sandbox/home')
})

import { expect, test } from 'vitest'
import {
  connectBankAccountPath,
  deletionPath,
  editRecordPath,
  homePath,
  listPath,
  newRecordPath,
  recordPath,
  targetPath,
} from './routes'

const [a, b] = [
  'acct_018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f',
  'acct_018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e60',
]
const platformScope = { environment: 'sandbox', scope: null }
const accountScope = { environment: 'sandbox', scope: a }

test.each([
  ['the whole platform leaves the scope alone', platformScope, b, `of=${b}`],
  ['its own account’s scope says it once', accountScope, a, `account=${a}`],
  ['another account’s scope keeps that scope', accountScope, b, `account=${a}&of=${b}`],
  ['a scope, its account unknown', accountScope, null, `account=${a}`],
  ['the whole platform, its account unknown', platformScope, undefined, ''],
  ['no place at all', 'sandbox', b, `of=${b}`],
] as const)('a record opened from %s', (_, place, account, search) => {
  expect(recordPath(place, 'payouts', 'x', { account })).toBe(
    `/sandbox/payouts/x${search && `?${search}`}`,
  )
  expect(targetPath(place, 'payouts/x', { account })).toBe(
    recordPath(place, 'payouts', 'x', { account }),
  )
})

test('the URLs of forms have the account in the same form', () => {
  expect(newRecordPath(platformScope, 'charges', { account: a, paykey: 'p' })).toBe(
    `/sandbox/charges/new?of=${a}&paykey=p`,
  )
  expect(editRecordPath(accountScope, 'customers', 'x', { account: b })).toBe(
    `/sandbox/customers/x/edit?account=${a}&of=${b}`,
  )
  expect(connectBankAccountPath(accountScope, { account: a, customer: 'c' })).toBe(
    `/sandbox/connect?account=${a}&customer=c`,
  )
})

test('the URLs of lists and the home page keep the scope', () => {
  expect([
    homePath(accountScope),
    listPath(accountScope, 'payouts', { tab: 'all' }),
    deletionPath(accountScope, 'x'),
  ]).toEqual([
    `/sandbox/home?account=${a}`,
    `/sandbox/payouts?account=${a}&tab=all`,
    `/sandbox/deletions/x?account=${a}`,
  ])
  expect(listPath(accountScope, 'payouts', { account: null })).toBe('/sandbox/payouts')
  expect(homePath(platformScope)).toBe('/sandbox/home')
})

import { expect, test } from 'vitest'
import { type ChangedRows, everythingChanged } from '@/lib/operations/changes'
import { isStaleBy } from './is-stale'

const [account, other] = ['018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f', '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e60']
const payments: ChangedRows = { resource: 'payments', account, ids: ['one', 'two'], shown_by: null, ago: 0 }
const requests: ChangedRows = { resource: 'capability_requests', account, ids: ['one'], shown_by: null, ago: 0 }
const key = (resource: string, input?: object, scope = 'platform') => ['sandbox', scope, resource, `${resource}.any`, input]

test.each([
  ['a payment that is named', payments, key('payouts', { id: 'one' })],
  ['what was done with it', payments, key('actions', { target: 'payouts/one' })],
  ['a list of payments', payments, key('payments', { customer_id: 'three' })],
  ['a page of payouts', payments, ['sandbox', 'platform', 'payouts']],
  ['one of so many that none is named', { ...payments, ids: null }, key('charges', { id: 'three' })],
  ['what is read in its account', payments, key('payouts', { id: 'one' }, `acct_${account}`)],
  ['what belongs to nobody knows whom', { ...payments, account: null }, key('payouts', { id: 'one' }, `acct_${other}`)],
  ['what was asked of limits', requests, key('limit_requests', {})],
  ['anything', everythingChanged, key('paykeys', { id: 'three' })],
])('%s is stale', (_, change, queryKey) => expect(isStaleBy(change, queryKey)).toBe(true))

test.each([
  ['another payment', payments, key('payouts', { id: 'three' })],
  ['what was done with another', payments, key('actions', { target: 'payouts/three' })],
  ["a person's own actions", payments, key('actions', { operation: 'payouts.create' })],
  ['another resource', payments, key('customers', { id: 'one' })],
  ['another account', payments, key('payouts', { id: 'one' }, `acct_${other}`)],
])('%s is not stale', (_, change, queryKey) => expect(isStaleBy(change, queryKey)).toBe(false))

test('a change shown by a response is stale everywhere except in that response', () => {
  const shownChange = { ...payments, shown_by: 'req_1' }
  expect(isStaleBy(shownChange, key('payouts', { id: 'one' }), 'req_1')).toBe(false)
  expect(isStaleBy(shownChange, key('payouts', { id: 'one' }), 'req_2')).toBe(true)
  expect(isStaleBy(shownChange, key('payouts', { id: 'one' }))).toBe(true)
})

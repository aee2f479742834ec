import { expect, test } from 'vitest'
import { type ChangedRows, everythingChanged } from '@/lib/operations/changes'
import { isStaleAfterChange } from './is-stale'

const [account, otherAccount] = [
  '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f',
  '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e60',
]
const paymentsChange: ChangedRows = {
  resource: 'payments',
  account,
  ids: ['one', 'two'],
  shown_by: null,
  ago: 0,
}
const requestsChange: ChangedRows = {
  resource: 'capability_requests',
  account,
  ids: ['one'],
  shown_by: null,
  ago: 0,
}
const accountChange: ChangedRows = { ...requestsChange, resource: 'accounts', ids: [account] }
const createQueryKey = (resource: string, input?: object, scope = 'platform') => [
  'sandbox',
  scope,
  resource,
  `${resource}.any`,
  input,
]

test.each([
  ['a payment that is named', paymentsChange, createQueryKey('payouts', { id: 'one' })],
  ['what was done with it', paymentsChange, createQueryKey('actions', { target: 'payouts/one' })],
  ['a list of payments', paymentsChange, createQueryKey('payments', { customer_id: 'three' })],
  ['a page of payouts', paymentsChange, ['sandbox', 'platform', 'payouts']],
  [
    'one of so many that none is named',
    { ...paymentsChange, ids: null },
    createQueryKey('charges', { id: 'three' }),
  ],
  [
    'what is read in its account',
    paymentsChange,
    createQueryKey('payouts', { id: 'one' }, `acct_${account}`),
  ],
  [
    'what belongs to nobody knows whom',
    { ...paymentsChange, account: null },
    createQueryKey('payouts', { id: 'one' }, `acct_${otherAccount}`),
  ],
  ['what was asked of limits', requestsChange, createQueryKey('limit_requests', {})],
  [
    'the limits that a request changes',
    requestsChange,
    createQueryKey('account_settings', { id: account }, `acct_${account}`),
  ],
  [
    'the limits of an account that changed',
    accountChange,
    createQueryKey('account_settings', { id: account }, `acct_${account}`),
  ],
  ['anything', everythingChanged, createQueryKey('paykeys', { id: 'three' })],
])('%s is stale', (_, change, queryKey) => expect(isStaleAfterChange(change, queryKey)).toBe(true))

test.each([
  ['another payment', paymentsChange, createQueryKey('payouts', { id: 'three' })],
  [
    'what was done with another',
    paymentsChange,
    createQueryKey('actions', { target: 'payouts/three' }),
  ],
  [
    "a person's own actions",
    paymentsChange,
    createQueryKey('actions', { operation: 'payouts.create' }),
  ],
  [
    'the limits of another account',
    requestsChange,
    createQueryKey('account_settings', { id: otherAccount }, `acct_${otherAccount}`),
  ],
  ['another resource', paymentsChange, createQueryKey('customers', { id: 'one' })],
  [
    'another account',
    paymentsChange,
    createQueryKey('payouts', { id: 'one' }, `acct_${otherAccount}`),
  ],
])('%s is not stale', (_, change, queryKey) =>
  expect(isStaleAfterChange(change, queryKey)).toBe(false),
)

test('a change shown by a response is stale everywhere except in that response', () => {
  const shownChange = { ...paymentsChange, shown_by: 'req_1' }
  expect(isStaleAfterChange(shownChange, createQueryKey('payouts', { id: 'one' }), 'req_1')).toBe(
    false,
  )
  expect(isStaleAfterChange(shownChange, createQueryKey('payouts', { id: 'one' }), 'req_2')).toBe(
    true,
  )
  expect(isStaleAfterChange(shownChange, createQueryKey('payouts', { id: 'one' }))).toBe(true)
})

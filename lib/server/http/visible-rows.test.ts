import { expect, test } from 'vitest'
import { getServiceOperation, serviceOperationIds } from '@/lib/operations/service-operations'
import type { Actor } from '@/lib/server/auth/session-rows'
import { keepGrantedAccounts } from './visible-rows'

const operationIdsWithoutScope = serviceOperationIds.filter(
  (id) => getServiceOperation(id).scope === 'forbidden',
)

test.each(operationIdsWithoutScope)(
  'the account of %s is available at its defined source',
  (id) => {
    const { path, method, accountFrom } = getServiceOperation(id)
    const possibleAccountSources = {
      path: path.includes(':id'),
      object: path.includes(':id'),
      query: method === 'GET',
      body: method !== 'GET',
    }
    expect(
      { ...possibleAccountSources, answer: method === 'GET', platform: true }[
        accountFrom ?? 'platform'
      ],
    ).toBe(true)
  },
)

test('a person limited to accounts does not see unreadable accounts', () => {
  const accountsReadResult = {
    data: [],
    meta: { total_items: 1, unreadable_rows: [{ id: 'acct_of_another', raw: '"?"' }] },
  }
  const createActor = (accountId: string | null) =>
    ({ grants: [{ environment: 'sandbox', role: 'viewer', accountId }] }) as unknown as Actor
  expect(
    keepGrantedAccounts('accounts.list', accountsReadResult, createActor('a'), 'sandbox').meta,
  ).toEqual({
    total_items: 0,
  })
  expect(
    keepGrantedAccounts('accounts.list', accountsReadResult, createActor(null), 'sandbox').meta
      .unreadable_rows,
  ).toHaveLength(1)
})

test('results other than accounts are not filtered', () => {
  const paymentsReadResult = { data: [{ id: 'b' }], meta: { total_items: 1 } }
  const actor = {
    grants: [{ environment: 'sandbox', role: 'viewer', accountId: 'a' }],
  } as unknown as Actor
  expect(keepGrantedAccounts('payments.search', paymentsReadResult, actor, 'sandbox')).toBe(
    paymentsReadResult,
  )
})

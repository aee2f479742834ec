import { afterEach, expect, test, vi } from 'vitest'
import {
  getAccountHeaderRule,
  getServiceOperation,
  serviceOperationIds,
} from '@/lib/operations/service-operations'
import type { Actor } from '@/lib/server/auth/session-rows'
import { keepVisibleRows, listVisibleUnreadableRows } from './visible-rows'

const operationIdsWithoutScope = serviceOperationIds.filter(
  (id) => getAccountHeaderRule(id, 'saas') === 'forbidden',
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

afterEach(() => vi.unstubAllEnvs())

const platformScope = { environment: 'sandbox', accountId: null } as const

test('a person limited to accounts does not see unreadable accounts', async () => {
  const accountsReadResult = {
    data: [],
    meta: { total_items: 1, unreadable_rows: [{ id: 'acct_of_another', raw: '"?"' }] },
  }
  const createActor = (accountId: string | null) =>
    ({ grants: [{ environment: 'sandbox', role: 'viewer', accountId }] }) as unknown as Actor
  const readMetaAs = async (accountId: string | null) =>
    (
      await keepVisibleRows(
        'accounts.list',
        accountsReadResult,
        createActor(accountId),
        platformScope,
      )
    ).meta
  expect(await readMetaAs('a')).toEqual({ total_items: 0 })
  expect((await readMetaAs(null)).unreadable_rows).toHaveLength(1)
})

test('results other than accounts are not filtered', async () => {
  const paymentsReadResult = { data: [{ id: 'b' }], meta: { total_items: 1 } }
  const actor = {
    grants: [{ environment: 'sandbox', role: 'viewer', accountId: 'a' }],
  } as unknown as Actor
  expect(await keepVisibleRows('payments.search', paymentsReadResult, actor, platformScope)).toBe(
    paymentsReadResult,
  )
})

test.each([
  ['saas', 'customers.list', 0],
  ['marketplace', 'customers.list', 1],
  ['marketplace', 'payments.search', 0],
] as const)(
  '%s: of %s, a row without an account is shown in the scope of an account: %s',
  (kind, operation, shownRows) => {
    vi.stubEnv('SERVICE_SANDBOX_INTEGRATION', kind)
    const actor = { grants: [{ environment: 'sandbox', role: 'viewer', accountId: null }] }
    const rows = [{ id: 'one', raw: '{}', account: null }]
    const scope = { environment: 'sandbox', accountId: 'a' } as const
    expect(
      listVisibleUnreadableRows(operation, actor as unknown as Actor, scope, rows),
    ).toHaveLength(shownRows)
  },
)

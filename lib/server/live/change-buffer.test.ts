import { afterEach, expect, test, vi } from 'vitest'
import type { StoreNotification } from '@/lib/server/store/notifications'
import { ChangeBuffer } from './change-buffer'

afterEach(() => vi.unstubAllEnvs())

const ownAccount = '0190a1b2-1111-7111-8111-111111111111'
const otherAccount = '0190a1b2-2222-7222-8222-222222222222'

function takeAsOwner(
  resource: 'customers' | 'payments',
  account: string | null,
  shownBy: string | null = null,
) {
  const buffer = new ChangeBuffer('sandbox')
  const notification = { about: 'rows', environment: 'sandbox', resource, account, ids: ['a'] }
  buffer.add({ ...notification, shown_by: shownBy } as StoreNotification)
  return buffer.take([ownAccount]).map(({ resource: _, ago, ...rest }) => rest)
}

test.each([
  ['saas', 'customers', ownAccount, [{ ids: ['a'], account: ownAccount, shown_by: null }]],
  ['saas', 'customers', otherAccount, []],
  ['saas', 'customers', null, []],
  ['marketplace', 'customers', null, [{ ids: null, account: null, shown_by: null }]],
  ['marketplace', 'customers', otherAccount, [{ ids: null, account: null, shown_by: null }]],
  ['marketplace', 'payments', ownAccount, [{ ids: ['a'], account: ownAccount, shown_by: null }]],
  ['marketplace', 'payments', otherAccount, []],
  ['marketplace', 'payments', null, []],
] as const)(
  '%s: of changed %s of %s, a person of one account learns %j',
  (kind, resource, account, rows) => {
    vi.stubEnv('SERVICE_SANDBOX_INTEGRATION', kind)
    expect(takeAsOwner(resource, account)).toEqual(rows)
  },
)

test('a person of one account does not learn which request changed a customer of the platform', () => {
  vi.stubEnv('SERVICE_SANDBOX_INTEGRATION', 'marketplace')
  expect(takeAsOwner('customers', null, 'request')).toEqual([
    { ids: null, account: null, shown_by: null },
  ])
})

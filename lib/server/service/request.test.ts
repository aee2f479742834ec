import { afterEach, expect, test, vi } from 'vitest'
import { integrations } from '@/lib/operations/integration'
import {
  getServiceOperation,
  type ServiceOperationId,
  serviceOperationIds,
} from '@/lib/operations/service-operations'
import { findHeaderAccount, requireHeaderAccount } from './request'

afterEach(() => vi.unstubAllEnvs())

const account = '0190a1b2-1111-7111-8111-111111111111'

/**
 * The rules of provider facts 1, by group. Writes on an account's objects always name it: without the
 * header, the service would act for the whole platform.
 */
const isOfPlatformOnly = (id: string) =>
  /^(accounts|account_settings|organizations|representatives|linked_bank_accounts)\./.test(id)
const isOfBuyer = (id: string) => /^(customers|paykeys|bridge)\./.test(id)
const isRead = (id: ServiceOperationId) => getServiceOperation(id).effect === 'read'

function findExpectedRule(id: ServiceOperationId, integration: string): string {
  if (integration === 'account' || isOfPlatformOnly(id)) return 'forbidden'
  if (integration === 'marketplace' && isOfBuyer(id)) return 'forbidden'
  return isRead(id) && id !== 'capability_requests.list' ? 'optional' : 'required'
}

const cases = serviceOperationIds.flatMap((id) =>
  integrations.map((integration) => [id, integration, findExpectedRule(id, integration)] as const),
)

test.each(cases)('%s of the kind %s: the header is %s', (operation, integration, rule) => {
  vi.stubEnv('SERVICE_SANDBOX_INTEGRATION', integration)
  const environment = 'sandbox'
  const path = `/v1${getServiceOperation(operation).path}`
  const withAccount = { operation, path, scope: { environment, accountId: account } } as const
  const withoutAccount = { operation, path, scope: { environment, accountId: null } } as const
  expect(findHeaderAccount(withAccount)).toBe(rule === 'forbidden' ? null : account)
  expect(findHeaderAccount(withoutAccount)).toBeNull()
  expect(() => requireHeaderAccount(withAccount)).not.toThrow()
  const requireAccount = () => requireHeaderAccount(withoutAccount)
  if (rule === 'required') expect(requireAccount).toThrow(/^account: Name the account/)
  else expect(requireAccount).not.toThrow()
})

test('the table covers every operation of the service', () => {
  expect(serviceOperationIds.length).toBeGreaterThan(60)
})

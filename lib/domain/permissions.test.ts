import { describe, expect, test } from 'vitest'
import type { Role } from '@/lib/operations/define'
import { roles } from '@/lib/operations/define'
import { getServiceOperation, serviceOperationIds } from '@/lib/operations/service-operations'
import { formatRoles, whyNotAllowed } from './permissions'

describe.each(serviceOperationIds)('%s', (id) => {
  test.each(roles)('for %s follows the definition', (role) => {
    expect(whyNotAllowed([role], getServiceOperation(id)) === null).toBe(
      getServiceOperation(id).allow.includes(role),
    )
  })
})

test('the reason names the permitted roles', () => {
  expect(whyNotAllowed(['viewer'], getServiceOperation('payouts.release'))).toBe(
    'Only an operator or an admin can release a payout.',
  )
  expect(whyNotAllowed([], getServiceOperation('payouts.get'))).not.toBeNull()
})

test.each<[Role[], string]>([
  [['admin'], 'an admin'],
  [['operator', 'reviewer', 'admin'], 'an operator, a reviewer or an admin'],
])('%j are formatted as a list', (list, text) => {
  expect(formatRoles(list)).toBe(text)
})

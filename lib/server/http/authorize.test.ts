import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AppError } from '@/lib/errors'
import { roles } from '@/lib/operations/define'
import { integrations } from '@/lib/operations/integration'
import {
  getOperation,
  isDeskOperation,
  type OperationId,
  operationIds,
} from '@/lib/operations/operations'
import { getAccountHeaderRule, isServiceOperationId } from '@/lib/operations/service-operations'
import { formatAccountId } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { findExpectedVerdict, type GrantedScope } from '@/tests/operations/verdicts'
import { findCallScope, requireDeskScope } from './authorize'

const ownAccount = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e01'
const otherAccount = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e02'

const environment = 'sandbox'
const accountByScope: Record<GrantedScope, string | null | undefined> = {
  platform: null,
  own: ownAccount,
  other: otherAccount,
  none: undefined,
}
const actorCases = roles.flatMap((role) =>
  (Object.keys(accountByScope) as GrantedScope[]).map((held) => {
    const accountId = accountByScope[held]
    // A role in another environment gives no role in this one.
    const grants =
      accountId === undefined
        ? [{ role, environment: 'production', accountId: null }]
        : [{ role, environment, accountId }]
    return { role, held, actor: { id: 'person', grants } as unknown as Actor }
  }),
)

/**
 * Returns the scope of a person for an operation in an account, or the error code of the refusal.
 */
async function findScopeOrRefusal(id: OperationId, actor: Actor, account: string | null) {
  try {
    const accessScope = { environment, account } as const
    if (isDeskOperation(id)) return { code: null, scope: requireDeskScope(actor, accessScope, id) }
    const definition = getOperation(id)
    const isAccountInPath =
      definition.source === 'service' &&
      definition.accountFrom === 'path' &&
      definition.path.includes(':')
    const target = isAccountInPath ? `accounts/${ownAccount}` : null
    return {
      code: null,
      scope: await findCallScope(actor, {
        ...accessScope,
        operation: id,
        target,
        fields: async () => ({}),
      }),
    }
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, scope: null }
    throw error
  }
}

const integrationSetting = 'SERVICE_SANDBOX_INTEGRATION'
const cases = integrations.flatMap((integration) =>
  operationIds.map((id) => [id, integration] as const),
)

describe.each(cases)('%s with the integration %s', (id, integration) => {
  const definition = getOperation(id)
  const needsAccount =
    isServiceOperationId(id) && getAccountHeaderRule(id, integration) === 'required'

  beforeAll(() => {
    process.env[integrationSetting] = integration
  })
  afterAll(() => {
    delete process.env[integrationSetting]
  })

  test('is allowed or refused for every role and account according to its definition', async () => {
    for (const { role, held, actor } of actorCases) {
      const expectedVerdict = findExpectedVerdict(definition, role, held, integration)
      const { code } = await findScopeOrRefusal(id, actor, formatAccountId(ownAccount))
      if (expectedVerdict === 'refused')
        expect({ role, held, code }).toEqual({ role, held, code: 'forbidden' })
      if (expectedVerdict === 'allowed')
        expect({ role, held, code }).not.toEqual({ role, held, code: 'forbidden' })
    }
  })

  test.each([formatAccountId(ownAccount), null])(
    'gives a person only one of their own scopes, with the account %s',
    async (account) => {
      for (const { role, held, actor } of actorCases) {
        const { scope } = await findScopeOrRefusal(id, actor, account)
        if (!scope) continue
        // An operation that requires the account header runs in one account, never for the whole
        // platform.
        const expectedAccount = needsAccount ? ownAccount : scope.accountId
        expect({ held, roles: scope.roles, account: scope.accountId }).toEqual({
          held,
          roles: [role],
          account: accountByScope[held] ?? expectedAccount,
        })
      }
    },
  )
})

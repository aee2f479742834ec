import { expect, test } from 'vitest'
import { integrations } from './integration'
import { getOwnerRule } from './ownership'
import { getAccountHeaderRule, serviceOperationIds, toServiceResource } from './service-operations'

test.each([
  ['customers', 'account', 'platform', 'platform'],
  ['paykeys', 'account', 'platform', 'platform'],
  ['bridge', 'account', 'platform', 'platform'],
  ['payouts', 'account', 'account', 'platform'],
  ['charges', 'account', 'account', 'platform'],
  ['payments', 'account', 'account', 'platform'],
  ['funding_events', 'account', 'account', 'platform'],
  ['accounts', 'stated', 'stated', 'stated'],
  ['account_settings', 'stated', 'stated', 'stated'],
  ['capability_requests', 'stated', 'stated', 'stated'],
  ['organizations', 'stated', 'stated', 'stated'],
  ['representatives', 'stated', 'stated', 'stated'],
  ['linked_bank_accounts', 'stated', 'stated', 'stated'],
] as const)('%s belong to: %s, %s, %s', (resource, ...owners) => {
  expect(integrations.map((integration) => getOwnerRule(resource, integration))).toEqual(owners)
})

test.each(integrations)(
  '%s: an object of an account is read and written with the header',
  (kind) => {
    const ruleOf = (id: (typeof serviceOperationIds)[number]) => [
      getOwnerRule(toServiceResource(id), kind),
      getAccountHeaderRule(id, kind) === 'forbidden',
    ]
    const contradictions = serviceOperationIds.filter((id) => {
      const [owner, isForbidden] = ruleOf(id)
      return owner !== 'stated' && (owner === 'platform') !== isForbidden
    })
    expect(contradictions).toEqual([])
  },
)

import { expect, test } from 'vitest'
import { planLookup } from './record-searches'
import { parseTerm, type SearchTerm } from './search-term'

const context = {
  ...{ environment: 'sandbox' as const, scope: null, account: null, needsAccount: false },
  ...{ amountUnit: 'minor' as const, integration: 'saas' as const },
}

test.each([
  ['7,449.43', ['payments', 'funding events']],
  [
    '091000019000123',
    [
      'payments by external ID',
      'payments',
      'funding events',
      'customers by external ID',
      'accounts by external ID',
      'organizations by external ID',
      'customers by name',
      'Paydesk actions and requests',
    ],
  ],
  ['6789', ['paykeys', 'payments']],
  ['Ana O’Brien', ['customers', 'payments', 'organizations']],
])('“%s” is searched among %j', (typed, searched) => {
  const { searches } = planLookup(context, parseTerm(typed) as SearchTerm)
  expect(searches.map(({ what }) => what)).toEqual(searched)
})

test('all matches of an amount are a list', () => {
  const { searches } = planLookup(context, { kind: 'amount', text: '7,449.43' })
  expect(searches.map(({ all }) => all)).toEqual([
    '/sandbox/payments?search_text=7%2C449.43',
    '/sandbox/funding-events?search_text=7%2C449.43',
  ])
})

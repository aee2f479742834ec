import { describe, expect, test } from 'vitest'
import type { Condition, Policy, PolicyRule } from '@/lib/operations/policies'
import { serviceOperation, serviceOperationIds } from '@/lib/operations/service-operations'
import { defaultPolicy, findRule, type PolicyFacts, stricterRule, upgradePolicy } from './policies'

const everywhere = { environment: 'production', account: null } as const
const nothing: PolicyFacts = { amount: null, day_sum: 0, first_payment: false, bank_account_age: 400, raise: false }
type Id = (typeof serviceOperationIds)[number]

const needsApproval = (policy: Policy, operation: Id, facts: Partial<PolicyFacts>) =>
  (findRule(policy, { ...everywhere, operation, facts: { ...nothing, ...facts } })?.second.length ?? 0) > 0

describe('the shipped policy', () => {
  const out = serviceOperationIds.filter((id) => serviceOperation(id).money === 'out')

  test('requires a second person for outgoing money from 5,000.00 on, and if the amount is unknown', () => {
    expect(out).toEqual(
      expect.arrayContaining(['payouts.create', 'payouts.update', 'payouts.resubmit', 'payouts.release', 'charges.refund']),
    )
    for (const id of [...out, 'charges.release' as const]) {
      const answers = [499_999, 500_000, 'unknown' as const].map((amount) => needsApproval(defaultPolicy, id, { amount }))
      expect([id, ...answers]).toEqual([id, false, true, true])
    }
  })

  test('requires a second person above 25,000.00 per person and day', () => {
    for (const id of out) {
      const answers = [2_500_000, 2_500_001, 'unknown' as const].map((day_sum) => needsApproval(defaultPolicy, id, { amount: 1, day_sum }))
      expect([id, ...answers]).toEqual([id, false, true, true])
    }
  })

  test('requires a second person for every increase after a decision', () => {
    expect([false, true, 'unknown' as const].map((raise) => needsApproval(defaultPolicy, 'payouts.update', { amount: 1, raise }))).toEqual([
      false,
      true,
      true,
    ])
  })
})

const rule = (when: PolicyRule['when'], more: Partial<PolicyRule> = {}): PolicyRule => ({
  operation: 'payouts.create',
  environment: null,
  account: null,
  when,
  control: 'approve',
  ask: ['operator'],
  second: ['reviewer', 'admin'],
  ...more,
})
const policy = (...rules: PolicyRule[]): Policy => ({ ...defaultPolicy, rules })
const amount = (from: number): Condition => ({ is: 'amount', from })

describe('conditions', () => {
  test('match if all conditions of at least one group are true', () => {
    const groups = policy(rule([[amount(100), { is: 'first_payment' }], [{ is: 'new_bank_account', days: 3 }]]))
    const cases: [Partial<PolicyFacts>, boolean][] = [
      [{ amount: 100 }, false],
      [{ amount: 99, first_payment: true }, false],
      [{ amount: 100, first_payment: true }, true],
      [{ amount: 1, bank_account_age: 2.9 }, true],
      [{ amount: 1, bank_account_age: 3 }, false],
      [{ amount: 1, bank_account_age: 'unknown' }, true],
    ]
    for (const [facts, expected] of cases) expect([facts, needsApproval(groups, 'payouts.create', facts)]).toEqual([facts, expected])
  })

  test('without conditions a rule always applies', () => expect(needsApproval(policy(rule([])), 'payouts.create', {})).toBe(true))
})

describe('if several rules apply', () => {
  const large = rule([[amount(1000)]], { second: ['admin'] })
  const governed = { ...everywhere, operation: 'payouts.create', facts: { ...nothing, amount: 1000 } } as const

  test('the rule with the largest amount governs', () => {
    expect(findRule(policy(rule([[amount(10)]]), large), governed)).toBe(large)
  })

  test('a blocking rule governs before all others', () => {
    const block = rule([[amount(1)]], { control: 'block' })
    expect(findRule(policy(large, block), governed)).toBe(block)
    expect([stricterRule(large, block), stricterRule(block, large), stricterRule(null, block), stricterRule(large, null)]).toEqual([
      block,
      block,
      block,
      large,
    ])
  })

  test('versions without a common approver role keep the approvers of the older version', () => {
    const [now, before] = [rule([], { second: ['operator'] }), rule([], { second: ['reviewer', 'admin'] })]
    expect(stricterRule(now, before)?.second).toEqual(['reviewer', 'admin'])
    expect(stricterRule(rule([], { second: ['operator', 'admin'] }), before)?.second).toEqual(['admin'])
  })

  test('account rules replace general rules', () => {
    const free = rule([], { account: 'acct_1', second: [] })
    expect(findRule(policy(large, free), { ...governed, account: 'acct_1' })).toBe(free)
    expect(findRule(policy(large, free), governed)).toBe(large)
  })
})

describe('a policy version from before conditions existed', () => {
  const { when: _when, control: _control, ...older } = rule([], { operation: 'payouts.release' })
  const stored = { rules: [{ ...older, from: 300_000 }], cooling_off_hours: { sandbox: 0, production: 24 } }

  test('keeps its amounts', () => {
    expect([299_999, 300_000].map((each) => needsApproval(upgradePolicy(stored), 'payouts.release', { amount: each }))).toEqual([
      false,
      true,
    ])
    expect(upgradePolicy({ ...stored, rules: [{ ...older, from: null }] }).rules[0]?.when).toEqual([])
  })

  test('receives the shipped rules of new operations, but none that its admins removed', () => {
    expect(needsApproval(upgradePolicy(stored), 'payouts.create', { amount: 500_000 })).toBe(true)
    expect(needsApproval(upgradePolicy(stored), 'customers.delete', {})).toBe(false)
  })
})

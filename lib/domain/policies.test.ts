import { describe, expect, test } from 'vitest'
import type { Policy, PolicyCondition, PolicyRule } from '@/lib/operations/policies'
import { getServiceOperation, serviceOperationIds } from '@/lib/operations/service-operations'
import {
  defaultPolicy,
  findRule,
  type PolicyFacts,
  pickStricterRule,
  upgradePolicy,
} from './policies'

const productionScope = { environment: 'production', account: null } as const
const noFacts: PolicyFacts = {
  amount: null,
  day_sum: 0,
  first_payment: false,
  bank_account_age: 400,
  raise: false,
}
type PolicyOperationId = (typeof serviceOperationIds)[number]

const needsApproval = (policy: Policy, operation: PolicyOperationId, facts: Partial<PolicyFacts>) =>
  (findRule(policy, { ...productionScope, operation, facts: { ...noFacts, ...facts } })?.second
    .length ?? 0) > 0

describe('the shipped policy', () => {
  const outgoingOperations = serviceOperationIds.filter(
    (id) => getServiceOperation(id).money === 'out',
  )

  test('requires a second person for outgoing money from 5,000.00 on, and if the amount is unknown', () => {
    expect(outgoingOperations).toEqual(
      expect.arrayContaining([
        'payouts.create',
        'payouts.update',
        'payouts.resubmit',
        'payouts.release',
        'charges.refund',
      ]),
    )
    for (const id of [...outgoingOperations, 'charges.release' as const]) {
      const approvalNeeds = [499_999, 500_000, 'unknown' as const].map((amount) =>
        needsApproval(defaultPolicy, id, { amount }),
      )
      expect([id, ...approvalNeeds]).toEqual([id, false, true, true])
    }
  })

  test('requires a second person above 25,000.00 per person and day', () => {
    for (const id of outgoingOperations) {
      const daySumApprovalNeeds = [2_500_000, 2_500_001, 'unknown' as const].map((day_sum) =>
        needsApproval(defaultPolicy, id, { amount: 1, day_sum }),
      )
      expect([id, ...daySumApprovalNeeds]).toEqual([id, false, true, true])
    }
  })

  test('requires a second person for every increase after a decision', () => {
    expect(
      [false, true, 'unknown' as const].map((raise) =>
        needsApproval(defaultPolicy, 'payouts.update', { amount: 1, raise }),
      ),
    ).toEqual([false, true, true])
  })
})

const createRule = (when: PolicyRule['when'], overrides: Partial<PolicyRule> = {}): PolicyRule => ({
  operation: 'payouts.create',
  environment: null,
  account: null,
  when,
  control: 'approve',
  ask: ['operator'],
  second: ['reviewer', 'admin'],
  ...overrides,
})
const createPolicy = (...rules: PolicyRule[]): Policy => ({ ...defaultPolicy, rules })
const createAmountCondition = (from: number): PolicyCondition => ({ is: 'amount', from })

describe('conditions', () => {
  test('match if all conditions of at least one group are true', () => {
    const policyWithTwoGroups = createPolicy(
      createRule([
        [createAmountCondition(100), { is: 'first_payment' }],
        [{ is: 'new_bank_account', days: 3 }],
      ]),
    )
    const conditionCases: [Partial<PolicyFacts>, boolean][] = [
      [{ amount: 100 }, false],
      [{ amount: 99, first_payment: true }, false],
      [{ amount: 100, first_payment: true }, true],
      [{ amount: 1, bank_account_age: 2.9 }, true],
      [{ amount: 1, bank_account_age: 3 }, false],
      [{ amount: 1, bank_account_age: 'unknown' }, true],
    ]
    for (const [facts, expected] of conditionCases)
      expect([facts, needsApproval(policyWithTwoGroups, 'payouts.create', facts)]).toEqual([
        facts,
        expected,
      ])
  })

  test('without conditions a rule always applies', () =>
    expect(needsApproval(createPolicy(createRule([])), 'payouts.create', {})).toBe(true))
})

describe('if several rules apply', () => {
  const largeAmountRule = createRule([[createAmountCondition(1000)]], { second: ['admin'] })
  const governedWrite = {
    ...productionScope,
    operation: 'payouts.create',
    facts: { ...noFacts, amount: 1000 },
  } as const

  test('the rule with the largest amount governs', () => {
    expect(
      findRule(
        createPolicy(createRule([[createAmountCondition(10)]]), largeAmountRule),
        governedWrite,
      ),
    ).toBe(largeAmountRule)
  })

  test('a blocking rule governs before all others', () => {
    const blockRule = createRule([[createAmountCondition(1)]], { control: 'block' })
    expect(findRule(createPolicy(largeAmountRule, blockRule), governedWrite)).toBe(blockRule)
    expect([
      pickStricterRule(largeAmountRule, blockRule),
      pickStricterRule(blockRule, largeAmountRule),
      pickStricterRule(null, blockRule),
      pickStricterRule(largeAmountRule, null),
    ]).toEqual([blockRule, blockRule, blockRule, largeAmountRule])
  })

  test('versions without a common approver role keep the approvers of the older version', () => {
    const [now, before] = [
      createRule([], { second: ['operator'] }),
      createRule([], { second: ['reviewer', 'admin'] }),
    ]
    expect(pickStricterRule(now, before)?.second).toEqual(['reviewer', 'admin'])
    expect(
      pickStricterRule(createRule([], { second: ['operator', 'admin'] }), before)?.second,
    ).toEqual(['admin'])
  })

  test('account rules replace general rules', () => {
    const noApprovalRule = createRule([], { account: 'acct_1', second: [] })
    expect(
      findRule(createPolicy(largeAmountRule, noApprovalRule), {
        ...governedWrite,
        account: 'acct_1',
      }),
    ).toBe(noApprovalRule)
    expect(findRule(createPolicy(largeAmountRule, noApprovalRule), governedWrite)).toBe(
      largeAmountRule,
    )
  })
})

describe('a policy version from before conditions existed', () => {
  const {
    when: _when,
    control: _control,
    ...older
  } = createRule([], { operation: 'payouts.release' })
  const storedPolicy = {
    rules: [{ ...older, from: 300_000 }],
    cooling_off_hours: { sandbox: 0, production: 24 },
  }

  test('keeps its amounts', () => {
    expect(
      [299_999, 300_000].map((each) =>
        needsApproval(upgradePolicy(storedPolicy), 'payouts.release', { amount: each }),
      ),
    ).toEqual([false, true])
    expect(
      upgradePolicy({ ...storedPolicy, rules: [{ ...older, from: null }] }).rules[0]?.when,
    ).toEqual([])
  })

  test('receives the shipped rules of new operations, but none that its admins removed', () => {
    expect(needsApproval(upgradePolicy(storedPolicy), 'payouts.create', { amount: 500_000 })).toBe(
      true,
    )
    expect(needsApproval(upgradePolicy(storedPolicy), 'customers.delete', {})).toBe(false)
  })
})

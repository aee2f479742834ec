import { describe, expect, test } from 'vitest'
import { listResubmitWarnings } from '@/lib/features/payments/form'
import { paymentStatuses } from '@/lib/operations/enumerations'
import type { PaymentKind } from './payment-kind'
import {
  allowedStates,
  listPaymentActions,
  type PaymentAction,
  type PaymentRuleInput,
  whyActionUnavailable,
} from './payment-rules'
import { returnCodes } from './return-codes'
import { formatWarning } from './warnings'

const paymentKinds: PaymentKind[] = ['charge', 'payout']
const paymentActions = Object.keys(allowedStates) as PaymentAction[]
const stateLimitedActions = paymentActions.filter((action) => action !== 'authorize')
const kindActionPairs = paymentKinds
  .flatMap((kind) => stateLimitedActions.map((action) => [kind, action] as const))
  .filter(([kind, action]) => kind === 'charge' || action !== 'refund')

const createPayment = (
  status: string,
  overrides: Partial<PaymentRuleInput> = {},
): PaymentRuleInput => ({
  status,
  amount: '10000',
  status_details: undefined,
  has_resubmit: false,
  has_refund: false,
  ...overrides,
})
const createPaykeyResult = (status: string) => ({ data: { status } })
const createReturnCodeFields = (code: string) => ({
  status_details: {
    code,
    message: undefined,
    reason: undefined,
    source: undefined,
    changed_at: undefined,
  },
})

describe.each(kindActionPairs)('a %s: %s', (kind, action) => {
  const minorUnitContext = { unit: 'minor', kind } as const

  test.each(paymentStatuses)('is allowed from %s only if the table lists it', (status) => {
    const isAllowed = allowedStates[action].includes(status)
    expect(whyActionUnavailable(action, createPayment(status), minorUnitContext) === null).toBe(
      isAllowed,
    )
  })

  test('explains why it is not allowed, also for an unknown status', () => {
    const otherState = allowedStates[action].includes('paid') ? 'failed' : 'paid'
    expect(whyActionUnavailable(action, createPayment(otherState), minorUnitContext)).toContain(
      kind === 'payout' && action === 'refund' ? 'Only a charge' : `only a ${kind} that is`,
    )
    expect(whyActionUnavailable(action, createPayment('quarantined'), minorUnitContext)).toContain(
      '“quarantined”',
    )
  })

  test('is not allowed if the amount is unreadable', () => {
    const [from] = allowedStates[action]
    expect(
      whyActionUnavailable(
        action,
        createPayment(from ?? '', { amount: '100.00' }),
        minorUnitContext,
      ),
    ).toContain('amount cannot be read')
    expect(
      whyActionUnavailable(action, createPayment(from ?? '', { amount: '100.00' }), {
        ...minorUnitContext,
        unit: 'major',
      }),
    ).toBeNull()
  })
})

describe.each(paymentKinds)('the bank account of a %s', (kind) => {
  const ruleContext = { unit: 'minor', kind } as const

  test.each(['blocked', 'rejected', 'inactive'])(
    'that is %s disallows release and resubmission, and nothing else',
    (paykeyStatus) => {
      expect(
        whyActionUnavailable('release', createPayment('on_hold'), { ...ruleContext, paykeyStatus }),
      ).toContain('would fail at once')
      expect(
        whyActionUnavailable('resubmit', createPayment('failed'), { ...ruleContext, paykeyStatus }),
      ).toContain('would fail at once')
      expect(
        whyActionUnavailable('cancel', createPayment('on_hold'), { ...ruleContext, paykeyStatus }),
      ).toBeNull()
      expect(
        whyActionUnavailable('update', createPayment('on_hold'), { ...ruleContext, paykeyStatus }),
      ).toBeNull()
    },
  )

  test('in review disallows only the release', () => {
    expect(
      whyActionUnavailable('release', createPayment('on_hold'), {
        ...ruleContext,
        paykeyStatus: 'review',
      }),
    ).toContain('until the bank account is approved or rejected')
    expect(
      whyActionUnavailable('resubmit', createPayment('failed'), {
        ...ruleContext,
        paykeyStatus: 'review',
      }),
    ).toBeNull()
    expect(
      listResubmitWarnings(createPayment('failed'), createPaykeyResult('review')),
    ).toHaveLength(1)
  })

  test('that is unreadable requires a tick before a resubmission', () => {
    expect(
      listResubmitWarnings(createPayment('failed'), { error: 'It could not be read.' }),
    ).toEqual([{ code: 'paykey_unknown' }])
  })

  test('that is active or unknown disallows nothing', () => {
    expect(
      whyActionUnavailable('release', createPayment('on_hold'), {
        ...ruleContext,
        paykeyStatus: 'active',
      }),
    ).toBeNull()
    expect(whyActionUnavailable('release', createPayment('on_hold'), ruleContext)).toBeNull()
  })

  test('that is blocked disallows a refund', () => {
    const refundUnavailableText = whyActionUnavailable('refund', createPayment('paid'), {
      ...ruleContext,
      paykeyStatus: 'blocked',
    })
    expect(refundUnavailableText).toBe(
      kind === 'charge'
        ? 'The bank account is blocked: a refund would fail at once.'
        : 'Only a charge can be refunded.',
    )
  })

  test('a second resubmission or refund is not allowed, also if the service omits the flags', () => {
    expect(
      whyActionUnavailable(
        'resubmit',
        createPayment('failed', { has_resubmit: true }),
        ruleContext,
      ),
    ).toBe(`This ${kind} was already resubmitted.`)
    expect(
      whyActionUnavailable(
        'resubmit',
        createPayment('failed', { has_resubmit: undefined }),
        ruleContext,
      ),
    ).toContain('does not say')
    if (kind === 'payout') return
    expect(
      whyActionUnavailable('refund', createPayment('paid', { has_refund: true }), ruleContext),
    ).toBe('This charge was already refunded.')
    expect(
      whyActionUnavailable('refund', createPayment('paid', { has_refund: undefined }), ruleContext),
    ).toContain('does not say')
  })

  test('a proof may be added in every status', () => {
    for (const state of [...paymentStatuses, 'quarantined'])
      expect(
        whyActionUnavailable('authorize', createPayment(state, { amount: 'x' }), ruleContext),
      ).toBeNull()
  })

  test.each([...paymentStatuses, 'quarantined'])(
    'the actions offered at %s include every allowed action',
    (status) => {
      const availableActions = paymentActions.filter(
        (action) => whyActionUnavailable(action, createPayment(status), ruleContext) === null,
      )
      expect(listPaymentActions(kind, status)).toEqual(expect.arrayContaining(availableActions))
    },
  )
})

describe.each(Object.entries(returnCodes))('%s', (code, { again, first }) => {
  test('determines if the payment may be resubmitted', () => {
    const disabledReason = whyActionUnavailable(
      'resubmit',
      createPayment('failed', createReturnCodeFields(code)),
      {
        unit: 'minor',
        kind: 'payout',
      },
    )
    if (again === 'never')
      expect(disabledReason).toContain('the same bank account would return the payment again')
    else expect(disabledReason).toBeNull()
    expect(
      listResubmitWarnings(
        createPayment('failed', createReturnCodeFields(code)),
        createPaykeyResult('active'),
      ).map(formatWarning),
    ).toEqual(again === 'after' ? [`${code}: ${first}`] : [])
  })
})

test('an unknown code allows a resubmission with a warning', () => {
  expect(
    whyActionUnavailable('resubmit', createPayment('failed', createReturnCodeFields('R77')), {
      unit: 'minor',
      kind: 'charge',
    }),
  ).toBeNull()
  expect(
    listResubmitWarnings(
      createPayment('failed', createReturnCodeFields('R77')),
      createPaykeyResult('active'),
    ).map(formatWarning)[0],
  ).toContain('R77 is a code Paydesk does not know')
})

test.each([
  ['update', 'scheduled', 'A scheduled payout cannot be edited. Hold it first, then edit it.'],
  ['update', 'pending', 'This payout is with the bank network and can no longer be edited.'],
  ['hold', 'validating', 'The payments service is checking this payout. Try again in a moment.'],
  [
    'release',
    'scheduled',
    'This payout is scheduled: only a payout that is on hold can be released.',
  ],
] as const)('the reason why %s is not allowed at %s names that status', (action, status, why) => {
  expect(
    whyActionUnavailable(action, createPayment(status), { kind: 'payout', unit: 'minor' }),
  ).toBe(why)
})

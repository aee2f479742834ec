import { describe, expect, test } from 'vitest'
import { listResubmitWarnings } from '@/lib/features/payments/form'
import { paymentStatuses } from '@/lib/operations/enumerations'
import type { PaymentKind } from './payment-kind'
import { allowedStates, listActions, type PaymentAction, type RulePayment, whyActionUnavailable } from './payment-rules'
import { returnCodes } from './return-codes'
import { warningText } from './warnings'

const kinds: PaymentKind[] = ['charge', 'payout']
const actions = Object.keys(allowedStates) as PaymentAction[]
const stateActions = actions.filter((action) => action !== 'authorize')
const cases = kinds
  .flatMap((kind) => stateActions.map((action) => [kind, action] as const))
  .filter(([kind, action]) => kind === 'charge' || action !== 'refund')

const payment = (status: string, more: Partial<RulePayment> = {}): RulePayment => ({
  status,
  amount: '10000',
  status_details: undefined,
  has_resubmit: false,
  has_refund: false,
  ...more,
})
const onPaykey = (status: string) => ({ data: { status } })
const withCode = (code: string) => ({
  status_details: { code, message: undefined, reason: undefined, source: undefined, changed_at: undefined },
})

describe.each(cases)('a %s: %s', (kind, action) => {
  const minor = { unit: 'minor', kind } as const

  test.each(paymentStatuses)('is allowed from %s only if the table lists it', (status) => {
    const isAllowed = allowedStates[action].includes(status)
    expect(whyActionUnavailable(action, payment(status), minor) === null).toBe(isAllowed)
  })

  test('explains why it is not allowed, also for an unknown status', () => {
    const otherState = allowedStates[action].includes('paid') ? 'failed' : 'paid'
    expect(whyActionUnavailable(action, payment(otherState), minor)).toContain(
      kind === 'payout' && action === 'refund' ? 'Only a charge' : `only a ${kind} that is`,
    )
    expect(whyActionUnavailable(action, payment('quarantined'), minor)).toContain('“quarantined”')
  })

  test('is not allowed if the amount is unreadable', () => {
    const [from] = allowedStates[action]
    expect(whyActionUnavailable(action, payment(from ?? '', { amount: '100.00' }), minor)).toContain('amount cannot be read')
    expect(whyActionUnavailable(action, payment(from ?? '', { amount: '100.00' }), { ...minor, unit: 'major' })).toBeNull()
  })
})

describe.each(kinds)('the bank account of a %s', (kind) => {
  const context = { unit: 'minor', kind } as const

  test.each(['blocked', 'rejected', 'inactive'])('that is %s disallows release and resubmission, and nothing else', (paykeyStatus) => {
    expect(whyActionUnavailable('release', payment('on_hold'), { ...context, paykeyStatus })).toContain('would fail at once')
    expect(whyActionUnavailable('resubmit', payment('failed'), { ...context, paykeyStatus })).toContain('would fail at once')
    expect(whyActionUnavailable('cancel', payment('on_hold'), { ...context, paykeyStatus })).toBeNull()
    expect(whyActionUnavailable('update', payment('on_hold'), { ...context, paykeyStatus })).toBeNull()
  })

  test('in review disallows only the release', () => {
    expect(whyActionUnavailable('release', payment('on_hold'), { ...context, paykeyStatus: 'review' })).toContain(
      'until the bank account is approved or rejected',
    )
    expect(whyActionUnavailable('resubmit', payment('failed'), { ...context, paykeyStatus: 'review' })).toBeNull()
    expect(listResubmitWarnings(payment('failed'), onPaykey('review'))).toHaveLength(1)
  })

  test('that is unreadable requires a tick before a resubmission', () => {
    expect(listResubmitWarnings(payment('failed'), { error: 'It could not be read.' })).toEqual([{ code: 'paykey_unknown' }])
  })

  test('that is active or unknown disallows nothing', () => {
    expect(whyActionUnavailable('release', payment('on_hold'), { ...context, paykeyStatus: 'active' })).toBeNull()
    expect(whyActionUnavailable('release', payment('on_hold'), context)).toBeNull()
  })

  test('that is blocked disallows a refund', () => {
    const whyNotRefund = whyActionUnavailable('refund', payment('paid'), { ...context, paykeyStatus: 'blocked' })
    expect(whyNotRefund).toBe(
      kind === 'charge' ? 'The bank account is blocked: a refund would fail at once.' : 'Only a charge can be refunded.',
    )
  })

  test('a second resubmission or refund is not allowed, also if the service omits the flags', () => {
    expect(whyActionUnavailable('resubmit', payment('failed', { has_resubmit: true }), context)).toBe(
      `This ${kind} was already resubmitted.`,
    )
    expect(whyActionUnavailable('resubmit', payment('failed', { has_resubmit: undefined }), context)).toContain('does not say')
    if (kind === 'payout') return
    expect(whyActionUnavailable('refund', payment('paid', { has_refund: true }), context)).toBe('This charge was already refunded.')
    expect(whyActionUnavailable('refund', payment('paid', { has_refund: undefined }), context)).toContain('does not say')
  })

  test('a proof may be added in every status', () => {
    for (const state of [...paymentStatuses, 'quarantined'])
      expect(whyActionUnavailable('authorize', payment(state, { amount: 'x' }), context)).toBeNull()
  })

  test.each([...paymentStatuses, 'quarantined'])('the actions offered at %s include every allowed action', (status) => {
    const openActions = actions.filter((action) => whyActionUnavailable(action, payment(status), context) === null)
    expect(listActions(kind, status)).toEqual(expect.arrayContaining(openActions))
  })
})

describe.each(Object.entries(returnCodes))('%s', (code, { again, first }) => {
  test('determines if the payment may be resubmitted', () => {
    const why = whyActionUnavailable('resubmit', payment('failed', withCode(code)), { unit: 'minor', kind: 'payout' })
    if (again === 'never') expect(why).toContain('the same bank account would return the payment again')
    else expect(why).toBeNull()
    expect(listResubmitWarnings(payment('failed', withCode(code)), onPaykey('active')).map(warningText)).toEqual(
      again === 'after' ? [`${code}: ${first}`] : [],
    )
  })
})

test('an unknown code allows a resubmission with a warning', () => {
  expect(whyActionUnavailable('resubmit', payment('failed', withCode('R77')), { unit: 'minor', kind: 'charge' })).toBeNull()
  expect(listResubmitWarnings(payment('failed', withCode('R77')), onPaykey('active')).map(warningText)[0]).toContain(
    'R77 is a code Paydesk does not know',
  )
})

test.each([
  ['update', 'scheduled', 'A scheduled payout cannot be edited. Hold it first, then edit it.'],
  ['update', 'pending', 'This payout is with the bank network and can no longer be edited.'],
  ['hold', 'validating', 'The payments service is checking this payout. Try again in a moment.'],
  ['release', 'scheduled', 'This payout is scheduled: only a payout that is on hold can be released.'],
] as const)('the reason why %s is not allowed at %s names that status', (action, status, why) => {
  expect(whyActionUnavailable(action, payment(status), { kind: 'payout', unit: 'minor' })).toBe(why)
})

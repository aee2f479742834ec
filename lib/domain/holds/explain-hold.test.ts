import { describe, expect, test } from 'vitest'
import { formatRoles } from '@/lib/domain/permissions'
import { describeStatusSource } from '@/lib/domain/source-text'
import { type Role, roles } from '@/lib/operations/define'
import type { ServiceOperationId } from '@/lib/operations/service-operations'
import { getServiceOperation } from '@/lib/operations/service-operations'
import { explainHold, type HeldPaymentFacts } from './explain-hold'

const createStatusDetails = (
  reason: string | undefined,
  source: string | undefined = 'watchtower',
  message?: string,
) => ({
  reason,
  source,
  message,
  code: undefined,
  changed_at: undefined,
})

test.each([
  ['auto_hold', 'auto_hold'],
  ['amount_too_large', 'over_limit'],
  ['user_request', 'held_by_person'],
  ['risk_review', 'risk'],
  ['watchtower_review', 'risk'],
  ['invalid_paykey', 'bank_account'],
  ['insufficient_funds', 'funds'],
  ['duplicate_entry', 'duplicate'],
])('%s maps to %s', (reason, id) => {
  expect(explainHold({ details: createStatusDetails(reason) }).id).toBe(id)
})

test('a hold requested at creation is shown as such, whatever its source', () => {
  const heldPaymentFacts = {
    details: createStatusDetails('auto_hold', 'watchtower', 'First payout to a new vendor'),
  }
  expect(explainHold(heldPaymentFacts)).toMatchObject({
    line: 'Held by a user at creation: “First payout to a new vendor”',
    clears: 'Ask whoever set this hold, then release.',
  })
  expect(
    explainHold({ ...heldPaymentFacts, autoHold: true, autoHoldMessage: 'Another text' }).line,
  ).toContain('First payout to a new vendor')
  expect(
    explainHold({
      ...heldPaymentFacts,
      paykey: { status: 'review' },
      limits: { max_amount: 1 },
      amount: 2,
    }).id,
  ).toBe('auto_hold')
  expect(describeStatusSource('watchtower', 'auto_hold')).toBe('its creator')
})

test('a hold requested at creation is the explanation only if the service gives no other reason', () => {
  const autoHoldConfig = { autoHold: true, autoHoldMessage: 'Talk first' }
  expect(explainHold({ details: createStatusDetails(undefined), ...autoHoldConfig }).line).toBe(
    'Held by a user at creation: “Talk first”',
  )
  expect(
    explainHold({ details: createStatusDetails('amount_too_large'), ...autoHoldConfig }).id,
  ).toBe('over_limit')
  expect(
    explainHold({
      details: createStatusDetails('user_request', 'user_action', 'Ask Ann'),
      ...autoHoldConfig,
    }).line,
  ).toBe('Held by a user: “Ask Ann”')
})

test('a long message is cut to 80 characters', () => {
  const { line } = explainHold({
    details: createStatusDetails('user_request', 'user_action', 'x'.repeat(500)),
  })
  expect(line).toBe(`Held by a user: “${'x'.repeat(80)}…”`)
  expect(
    explainHold({ details: createStatusDetails('user_request', 'user_action', '🏦'.repeat(80)) })
      .line,
  ).toBe(`Held by a user: “${'🏦'.repeat(80)}”`)
})

test('a paykey in review takes precedence over the service’s reason', () => {
  expect(
    explainHold({ details: createStatusDetails('watchtower_review'), paykey: { status: 'review' } })
      .id,
  ).toBe('paykey_review')
  expect(
    explainHold({
      details: createStatusDetails('user_request'),
      paykey: { status: 'blocked', code: 'R29' },
    }).line,
  ).toContain('R29')
})

test('a paykey that cannot be unblocked is shown as permanently blocked', () => {
  const createUnblockFacts = (unblockEligible?: boolean): HeldPaymentFacts => ({
    details: createStatusDetails('invalid_paykey'),
    paykey: { status: 'blocked', code: 'R02', unblockEligible },
  })
  expect(explainHold(createUnblockFacts(false))).toMatchObject({
    id: 'paykey_lost',
    line: 'Bank account permanently blocked (R02)',
  })
  expect(explainHold(createUnblockFacts(true)).id).toBe('paykey_blocked')
  expect(explainHold(createUnblockFacts()).id).toBe('paykey_blocked')
})

const limits = { max_amount: 100_000, daily_amount: 200_000, monthly_amount: 500_000 }
const explainTooLargeHold = (amount: number | null, spent?: HeldPaymentFacts['spent']) =>
  explainHold({ details: createStatusDetails('amount_too_large'), amount, limits, spent }).line

test('the limit that is exceeded is named, and by how much', () => {
  expect(explainTooLargeHold(108_700)).toBe('Over the single-payment limit by $87.00')
  expect(explainTooLargeHold(90_000, { day: 150_000, month: 150_000 })).toBe(
    'Over the daily limit by $400.00 (our estimate)',
  )
  expect(explainTooLargeHold(90_000, { day: 0, month: 450_000 })).toBe(
    'Over the monthly limit by $400.00 (our estimate)',
  )
  expect(explainTooLargeHold(108_700, { day: 200_000, month: 500_000 })).toBe(
    'Over the single-payment limit by $87.00',
  )
})

test('the explanation names a limit only if both figures are known', () => {
  const unnamedLimitLine = 'Over a limit of the account'
  expect(explainTooLargeHold(90_000)).toBe(unnamedLimitLine)
  expect(explainTooLargeHold(90_000, null)).toBe(unnamedLimitLine)
  expect(explainTooLargeHold(null, { day: 0, month: 450_000 })).toBe(unnamedLimitLine)
  expect(explainTooLargeHold(90_000, { day: 0, month: 0 })).toBe(unnamedLimitLine)
  expect(
    explainHold({
      details: createStatusDetails('amount_too_large'),
      amount: 108_700,
      spent: { day: 9e9, month: 9e9 },
    }).line,
  ).toBe(unnamedLimitLine)
})

test('a reason of the service takes precedence over a guess from the limits', () => {
  expect(
    explainHold({ details: createStatusDetails('risk_review'), amount: 108_700, limits }).line,
  ).toBe('Flagged for manual risk review')
  expect(
    explainHold({
      details: createStatusDetails('user_request', 'user_action'),
      amount: 108_700,
      limits,
    }).line,
  ).toBe('Held by a user')
  expect(explainHold({ details: undefined, amount: 108_700, limits }).id).toBe('over_max_amount')
})

test('a missing proof is the last guess, and only for the risk engine', () => {
  expect(explainHold({ details: createStatusDetails('something_new'), documents: 0 }).id).toBe(
    'no_document',
  )
  expect(
    explainHold({ details: createStatusDetails('something_new', 'system'), documents: 0 }).id,
  ).toBe('unknown')
})

test('an unmatched hold has an unknown reason', () => {
  expect(explainHold({ details: createStatusDetails('brand_new', 'nobody') })).toMatchObject({
    id: 'unknown',
    line: 'Hold reason not known',
  })
  expect(explainHold({ details: undefined }).id).toBe('unknown')
})

test('a known source has a label, and an unknown one stays unchanged', () => {
  expect(describeStatusSource('Watchtower')).toBe('the provider’s risk engine')
  expect(describeStatusSource('oracle')).toBe('oracle')
  expect(describeStatusSource(undefined)).toBe('an unnamed source')
})

const releaseOperation: ServiceOperationId = 'payouts.release'
const tooLargeDetails = createStatusDetails('amount_too_large')
const threeLimits = { limits: { max_amount: 5, daily_amount: 10, monthly_amount: 20 } }

describe('the roles that can clear a hold come from the permissions', () => {
  test.each<[string, HeldPaymentFacts, readonly ServiceOperationId[]]>([
    ['auto_hold', { details: createStatusDetails('auto_hold') }, [releaseOperation]],
    [
      'paykey_review',
      { details: createStatusDetails('ok'), paykey: { status: 'review' } },
      ['paykeys.decide'],
    ],
    [
      'paykey_lost',
      { details: createStatusDetails('ok'), paykey: { status: 'blocked', unblockEligible: false } },
      ['payouts.cancel'],
    ],
    [
      'paykey_blocked',
      { details: createStatusDetails('ok'), paykey: { status: 'blocked' } },
      ['paykeys.unblock'],
    ],
    ['held_by_person', { details: createStatusDetails('user_request') }, [releaseOperation]],
    [
      'over_max_amount',
      { details: tooLargeDetails, amount: 6, ...threeLimits },
      [releaseOperation],
    ],
    [
      'over_daily_amount',
      { details: tooLargeDetails, amount: 4, ...threeLimits, spent: { day: 8, month: 8 } },
      [releaseOperation],
    ],
    [
      'over_monthly_amount',
      { details: tooLargeDetails, amount: 4, ...threeLimits, spent: { day: 0, month: 18 } },
      [releaseOperation],
    ],
    ['over_limit', { details: tooLargeDetails }, [releaseOperation]],
    ['risk', { details: createStatusDetails('watchtower_review') }, [releaseOperation]],
    [
      'bank_account_again',
      { details: createStatusDetails('invalid_paykey'), paykey: { status: 'active' } },
      [releaseOperation],
    ],
    [
      'bank_account',
      { details: createStatusDetails('invalid_paykey') },
      ['bridge.bank_account', 'paykeys.decide'],
    ],
    ['funds', { details: createStatusDetails('insufficient_funds') }, [releaseOperation]],
    ['duplicate', { details: createStatusDetails('duplicate_entry') }, [releaseOperation]],
    ['no_document', { details: createStatusDetails('other'), documents: 0 }, [releaseOperation]],
    ['unknown', { details: createStatusDetails('other', 'system') }, [releaseOperation]],
  ])('%s', (id, facts, operations) => {
    const holdExplanation = explainHold(facts)
    const canRunAnyOperation = (role: Role) =>
      operations.some((operation) => getServiceOperation(operation).allow.includes(role))
    expect([holdExplanation.id, holdExplanation.who]).toEqual([
      id,
      formatRoles(roles.filter(canRunAnyOperation)),
    ])
  })
})

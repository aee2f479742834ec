import type { AccountLimits } from '@/sandbox/accounts/account'
import { type Payment, stepDelaysMs } from '@/sandbox/payments/payment'
import { findMaxAmountError } from '@/sandbox/payments/payment-checks'
import { makeFirstStatusChange } from '@/sandbox/payments/payment-moves'
import type { StatusReason, StatusSource } from '@/sandbox/payments/payment-values'
import type { Sandbox } from '@/sandbox/sandbox'
import { toIsoTime } from '@/sandbox/store/clock'
import type { Random } from '@/sandbox/store/random'
import type { SeededPaykey } from './seed-paykeys'
import { addPaymentDocument, makeBasePayment } from './seed-payments'
import type { SeedTime } from './seed-time'

type HoldSpec = {
  reason: StatusReason
  source: StatusSource
  message: string
  paykey?: 'review' | 'blocked'
  over?: boolean
  auto?: boolean
}

/** Kinds of holds, used in turn: with 24 held payouts, each kind occurs four times. */
const holdSpecs: readonly HoldSpec[] = [
  {
    reason: 'auto_hold',
    source: 'watchtower',
    message: 'First payout to a new vendor: check the contract before release',
    auto: true,
  },
  {
    reason: 'amount_too_large',
    source: 'watchtower',
    message: 'Over a limit of the account',
    over: true,
  },
  {
    reason: 'user_request',
    source: 'user_action',
    message: 'Customer asked us to wait until the dispute is settled',
  },
  {
    reason: 'risk_review',
    source: 'watchtower',
    message: 'The payment is being reviewed for risk',
  },
  {
    reason: 'watchtower_review',
    source: 'watchtower',
    message: 'The paykey is in review; the payment waits until it is decided',
    paykey: 'review',
  },
  {
    reason: 'invalid_paykey',
    source: 'watchtower',
    message: 'The paykey is blocked after a return',
    paykey: 'blocked',
  },
]

export const heldPayoutCount = 24

const minuteMs = 60_000
const youngestHoldAgeMs = 10 * minuteMs
const oldestHoldAgeMs = 6 * 24 * 60 * minuteMs

/** Returns the age of a hold: ten minutes to six days. Most held payouts are recent. */
const getHoldAgeMs = (index: number) =>
  Math.round(
    youngestHoldAgeMs * (oldestHoldAgeMs / youngestHoldAgeMs) ** (index / (heldPayoutCount - 1)),
  )

const findPayoutLimits = (sandbox: Sandbox, account: number): AccountLimits | undefined =>
  sandbox.accounts.at(account)?.doc.settings.payouts

/**
 * Returns a paykey of a verified customer: the payout of another customer would be held again or
 * fail after its release. The search starts at a place that depends on `index`, so that every
 * account has held payouts.
 */
function findPaykeyForHold(
  { customers }: Sandbox,
  random: Random,
  paykeys: readonly SeededPaykey[],
  hold: HoldSpec,
  index: number,
): SeededPaykey {
  const matchingPaykeys = paykeys.filter(({ status }) => status === (hold.paykey ?? 'active'))
  const rotatedPaykeys = matchingPaykeys.map(
    (_, step) => matchingPaykeys[(index * 7 + step) % matchingPaykeys.length],
  )
  return (
    rotatedPaykeys.find(
      (paykey) => paykey && customers.at(paykey.customer)?.doc.status === 'verified',
    ) ?? random.pick(paykeys)
  )
}

function addHold(
  payment: Payment,
  hold: HoldSpec,
  at: number,
  limits: AccountLimits | undefined,
  returnCode: string | null,
): void {
  const { doc } = payment
  if (hold.auto) {
    doc.config = { sandbox_outcome: 'standard', auto_hold: true, auto_hold_message: hold.message }
    doc.status_history = [makeFirstStatusChange(doc.config, at)]
    return
  }
  const holdMessage = (hold.over && limits && findMaxAmountError(limits, payment)) || hold.message
  doc.status_history.push({
    status: 'on_hold',
    reason: hold.reason,
    source: hold.source,
    message: holdMessage,
    changed_at: toIsoTime(at),
    code: returnCode,
  })
}

/**
 * Makes a held payout. Its amount exceeds the limit of the account only if that is the reason for
 * the hold.
 */
export function makeHeldPayout(
  sandbox: Sandbox,
  random: Random,
  time: SeedTime,
  paykeys: readonly SeededPaykey[],
  heldPayoutIndex: number,
  paymentIndex: number,
): Payment {
  const holdSpec = holdSpecs[heldPayoutIndex % holdSpecs.length] ?? random.pick(holdSpecs)
  const createdAt = time.end - getHoldAgeMs(heldPayoutIndex)
  const paykey = findPaykeyForHold(sandbox, random, paykeys, holdSpec, heldPayoutIndex)
  const payment = makeBasePayment(random, time, paykey, 'payout', createdAt, paymentIndex)
  const limits = findPayoutLimits(sandbox, payment.account)
  const maxAmount = limits?.max_amount ?? payment.amount
  payment.amount = holdSpec.over
    ? maxAmount + random.int(1, 400) * 100
    : Math.min(payment.amount, maxAmount)
  const heldAt = createdAt + (holdSpec.auto ? 0 : stepDelaysMs.check)
  // The hold for a blocked paykey contains the return code of the block.
  addHold(payment, holdSpec, heldAt, limits, holdSpec.paykey === 'blocked' ? paykey.code : null)
  payment.updated_at = heldAt
  if (heldPayoutIndex % 5 === 0) addPaymentDocument(payment, random, time, heldAt + minuteMs)
  return payment
}

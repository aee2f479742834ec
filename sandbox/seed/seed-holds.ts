import type { Limits } from '@/sandbox/accounts/account'
import { type Payment, stepDelays } from '@/sandbox/payments/payment'
import { findMaxAmountError } from '@/sandbox/payments/payment-checks'
import { makeFirstState } from '@/sandbox/payments/payment-moves'
import type { StatusReason, StatusSource } from '@/sandbox/payments/payment-values'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import type { Random } from '@/sandbox/store/random'
import type { SeededPaykey } from './seed-customers'
import { addDocument, makeBasePayment } from './seed-payments'
import type { SeedTime } from './seed-time'

type HoldSpec = {
  reason: StatusReason
  source: StatusSource
  message: string
  paykey?: 'review' | 'blocked'
  over?: boolean
  auto?: boolean
}

/** Holds of the seeded payouts, used in turn; four payouts have each. */
const holds: readonly HoldSpec[] = [
  { reason: 'auto_hold', source: 'watchtower', message: 'First payout to a new vendor: check the contract before release', auto: true },
  { reason: 'amount_too_large', source: 'watchtower', message: 'Over a limit of the account', over: true },
  { reason: 'user_request', source: 'user_action', message: 'Customer asked us to wait until the dispute is settled' },
  { reason: 'risk_review', source: 'watchtower', message: 'The payment is being reviewed for risk' },
  {
    reason: 'watchtower_review',
    source: 'watchtower',
    message: 'The paykey is in review; the payment waits until it is decided',
    paykey: 'review',
  },
  { reason: 'invalid_paykey', source: 'watchtower', message: 'The paykey is blocked after a return', paykey: 'blocked' },
]

export const heldCount = 24

const minute = 60_000
const youngest = 10 * minute
const oldest = 6 * 24 * 60 * minute

/** Returns an age in milliseconds, between ten minutes and six days. Most ages are recent. */
const pickAge = (index: number) => Math.round(youngest * (oldest / youngest) ** (index / (heldCount - 1)))

const findPayoutLimits = (sandbox: Sandbox, account: number): Limits | undefined => sandbox.accounts.at(account)?.doc.settings.payouts

/**
 * Returns the paykey of a held payout. Its status matches the hold, and its customer is verified, so that a release or decision has a
 * result. Goes through the paykeys in steps instead of picking at random, so that every account has held payouts.
 */
function pickPaykey({ customers }: Sandbox, random: Random, paykeys: readonly SeededPaykey[], hold: HoldSpec, index: number): SeededPaykey {
  const matchingPaykeys = paykeys.filter(({ status }) => status === (hold.paykey ?? 'active'))
  const rotatedPaykeys = matchingPaykeys.map((_, step) => matchingPaykeys[(index * 7 + step) % matchingPaykeys.length])
  return rotatedPaykeys.find((paykey) => paykey && customers.at(paykey.customer)?.doc.status === 'verified') ?? random.pick(paykeys)
}

function addHold(payment: Payment, hold: HoldSpec, at: number, limits: Limits | undefined, code: string | null): void {
  const { doc } = payment
  if (hold.auto) {
    doc.config = { sandbox_outcome: 'standard', auto_hold: true, auto_hold_message: hold.message }
    doc.status_history = [makeFirstState(doc.config, at)]
    return
  }
  const message = (hold.over && limits && findMaxAmountError(limits, payment)) || hold.message
  doc.status_history.push({ status: 'on_hold', reason: hold.reason, source: hold.source, message, changed_at: iso(at), code })
}

/** Creates one held payout: first `created`, then held. Its amount exceeds the account's limit only if that is the reason for the hold. */
export function makeHeldPayout(
  sandbox: Sandbox,
  random: Random,
  time: SeedTime,
  paykeys: readonly SeededPaykey[],
  index: number,
  number: number,
): Payment {
  const hold = holds[index % holds.length] ?? random.pick(holds)
  const at = time.end - pickAge(index)
  const paykey = pickPaykey(sandbox, random, paykeys, hold, index)
  const payment = makeBasePayment(random, time, paykey, 'payout', at, number)
  const limits = findPayoutLimits(sandbox, paykey.account)
  const maxAmount = limits?.max_amount ?? payment.amount
  payment.amount = hold.over ? maxAmount + random.int(1, 400) * 100 : Math.min(payment.amount, maxAmount)
  const heldAt = at + (hold.auto ? 0 : stepDelays.check)
  // The hold for a blocked paykey contains the return code of the block.
  addHold(payment, hold, heldAt, limits, hold.paykey === 'blocked' ? paykey.code : null)
  payment.updated_at = heldAt
  if (index % 5 === 0) addDocument(payment, random, time, heldAt + minute)
  return payment
}

import type { Limits } from '@/sandbox/accounts/account'
import type { Payment, StatusReason, StatusSource } from '@/sandbox/payments/payment'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import type { Random } from '@/sandbox/store/random'
import { addDocument, basePayment } from './seed-payments'
import type { SeededPaykey } from './seed-people'
import type { SeedTime } from './seed-time'

type Hold = {
  reason: StatusReason
  source: StatusSource
  message: string
  paykey?: 'review' | 'blocked'
  over?: boolean
  auto?: boolean
}

/** The reasons of the held payouts, in turn; four of each. */
const holds: readonly Hold[] = [
  { reason: 'auto_hold', source: 'watchtower', message: 'First payout to a new vendor: check the contract before release', auto: true },
  { reason: 'amount_too_large', source: 'watchtower', message: 'The daily limit of the account was reached', over: true },
  { reason: 'user_request', source: 'user_action', message: 'Customer asked us to wait until the dispute is settled' },
  { reason: 'risk_review', source: 'watchtower', message: 'The payment is being reviewed for risk' },
  { reason: 'watchtower_review', source: 'watchtower', message: 'The paykey is in review', paykey: 'review' },
  { reason: 'invalid_paykey', source: 'watchtower', message: 'The paykey is blocked after a return', paykey: 'blocked' },
]

/** How many payouts are seeded on hold. */
export const heldCount = 24

const minute = 60_000
const youngest = 10 * minute
const oldest = 6 * 24 * 60 * minute

/** Ages from ten minutes to six days, closer together among the young. */
const ageOf = (index: number) => Math.round(youngest * (oldest / youngest) ** (index / (heldCount - 1)))

const limitOf = (sandbox: Sandbox, account: number): Limits | undefined =>
  sandbox.accounts.get(sandbox.accounts.idOf(account))?.settings.payouts

/** One held payout: created, then held four seconds later for its reason. */
export function makeHeld(
  sandbox: Sandbox,
  random: Random,
  time: SeedTime,
  paykeys: readonly SeededPaykey[],
  index: number,
  number: number,
): Payment {
  const hold = holds[index % holds.length] ?? random.pick(holds)
  const at = time.end - ageOf(index)
  const fitting = paykeys.filter((paykey) => paykey.status === (hold.paykey ?? 'active'))
  // Spread over the accounts rather than picked at random, so that none is without a held payout.
  const paykey = fitting[(index * 7) % fitting.length] ?? random.pick(paykeys)
  const payment = basePayment(random, time, paykey, 'payout', at, number)
  if (hold.over) payment.amount = (limitOf(sandbox, paykey.account)?.max_amount ?? 0) + random.int(1, 400) * 100
  if (hold.auto) payment.doc.config = { sandbox_outcome: 'standard', auto_hold: true, auto_hold_message: hold.message }
  const heldAt = at + (hold.auto ? 0 : 4_000)
  const { reason, source, message } = hold
  // The code of a hold for a blocked paykey is the return that blocked it.
  const { code } = hold.paykey === 'blocked' ? paykey : { code: null }
  payment.doc.status_history.push({ status: 'on_hold', reason, source, message, changed_at: iso(heldAt), code })
  payment.updated_at = heldAt
  if (index % 5 === 0) addDocument(payment, random, time, heldAt + minute)
  return payment
}

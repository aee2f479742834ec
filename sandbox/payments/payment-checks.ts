import type { Sandbox } from '@/sandbox/sandbox'
import { overLimit } from './account-limits'
import { oneTooMany } from './original-of'
import type { Payment } from './payment'
import { type Cause, forcedBy } from './payment-outcomes'
import { missingRight } from './payment-rights'
import type { StatusReason } from './payment-values'

/** Result of a check; undefined if the payment passes. */
export type Verdict = { move: 'check_hold' | 'check_fail' | 'check_cancel'; cause: Cause } | undefined

type Check = (sandbox: Sandbox, payment: Payment, at: number) => Verdict

const stop = (move: NonNullable<Verdict>['move'], reason: StatusReason, message: string, code: string | null = null): Verdict => ({
  move,
  cause: { reason, source: 'watchtower', message, code },
})

/** A second refund or resubmit is accepted and then cancelled (provider-facts 3.1). */
const duplicate: Check = (sandbox, payment) => {
  const message = oneTooMany(sandbox, payment)
  return message === undefined ? undefined : stop('check_cancel', 'payment_blocked', message)
}

const blockedPaykey: Check = ({ paykeys }, { paykey }) => {
  const { status, status_details } = paykeys.at(paykey)?.doc ?? {}
  if (status !== 'blocked') return undefined
  return stop('check_fail', 'invalid_paykey', 'The paykey is blocked after a return', status_details?.code)
}

const paykeyStanding: Check = (sandbox, payment, at) => {
  const paykey = sandbox.paykeys.at(payment.paykey)?.doc
  switch (paykey?.status) {
    case 'blocked':
      return blockedPaykey(sandbox, payment, at)
    case 'pending':
    case 'review':
      return stop('check_hold', 'watchtower_review', `The paykey is in ${paykey.status}; the payment waits until it is decided`)
    case 'active': {
      const expired = Date.parse(paykey.expires_at) <= at
      return expired ? stop('check_fail', 'invalid_paykey', 'The paykey has expired') : undefined
    }
    default:
      return stop('check_fail', 'invalid_paykey', `The paykey is ${paykey?.status ?? 'gone'}`)
  }
}

const customerStanding: Check = (sandbox, payment) => {
  const status = sandbox.customers.at(payment.customer)?.doc.status
  if (status === 'verified') return undefined
  if (status === 'review' || status === 'pending')
    return stop('check_hold', 'watchtower_review', `The customer is in ${status}; the payment waits until that is decided`)
  return stop('check_fail', 'payment_blocked', `The customer is ${status ?? 'gone'}`)
}

/** A hold that a person released is not forced again. */
const outcome: Check = (_, { doc: { config, released_amount } }) => {
  const forced = forcedBy(config.sandbox_outcome)
  if (forced?.move === 'check_cancel') return { move: forced.move, cause: forced.cause }
  return forced?.move === 'check_hold' && released_amount === undefined ? { move: forced.move, cause: forced.cause } : undefined
}

/** A payment released over a limit passes, up to the released amount. */
const limits: Check = (sandbox, payment) => {
  if (payment.amount <= (payment.doc.released_amount ?? 0)) return undefined
  const message = overLimit(sandbox, payment)
  return message === undefined ? undefined : stop('check_hold', 'amount_too_large', message)
}

/** Applies only to charges with the `standard` outcome: every other outcome defines how the payment ends. */
const balance: Check = ({ paykeys }, { type, amount, paykey, doc: { config } }) => {
  const requested = config.balance_check ?? 'disabled'
  if (type !== 'charge' || requested === 'disabled' || config.sandbox_outcome !== 'standard') return undefined
  const read = paykeys.at(paykey)?.doc.balance
  const accountBalance = read?.status === 'completed' ? read.account_balance : null
  if (accountBalance === null)
    return requested === 'required' ? stop('check_fail', 'insufficient_funds', 'The balance could not be retrieved') : undefined
  return accountBalance < amount ? stop('check_fail', 'insufficient_funds', 'The balance is lower than the amount') : undefined
}

/** An account that was ended or lost a capability makes no payments; its earlier unsent payments fail (provider-facts 3.1). */
const accountStanding: Check = (sandbox, payment) => {
  const customer = sandbox.customers.at(payment.customer)?.doc
  // A deleted customer's type is unknown, and the deletion alone stops the payment.
  if (!customer) return undefined
  const need = { type: payment.type, customerType: customer.type, consent: payment.doc.consent_type }
  const message = missingRight(sandbox, payment, need)
  return message === undefined ? undefined : stop('check_fail', 'payment_blocked', message)
}

const standing: readonly Check[] = [accountStanding, paykeyStanding, customerStanding]

function firstOf(checks: readonly Check[], sandbox: Sandbox, payment: Payment, at: number): Verdict {
  for (const check of checks) {
    const verdict = check(sandbox, payment, at)
    if (verdict) return verdict
  }
  return undefined
}

/** The instant checks: duplicates and blocked paykeys. */
export const firstLook: Check = (sandbox, payment, at) => firstOf([duplicate, blockedPaykey], sandbox, payment, at)

/** All checks of a created payment; the first failure decides. */
export const wholeCheck: Check = (sandbox, payment, at) => firstOf([...standing, outcome, limits, balance], sandbox, payment, at)

/**
 * Checks account, paykey and customer: undefined if all pass. A hold for a review recurs while the review is open, even after a release
 * (interface document, "Moves that are described").
 */
export const standingOf: Check = (sandbox, payment, at) => firstOf(standing, sandbox, payment, at)

import { describeDeparture } from '@/lib/domain/bank-time'
import { type Check, toCheck } from '@/lib/domain/check'
import { createLimitChecks } from '@/lib/domain/holds/limit-checks'
import type { PaymentKind } from '@/lib/domain/payment-kind'
import { type AmountUnit, minorUnits } from '@/lib/money'
import { balanceFinding, type CheckFacts, customerFinding, duplicatesFinding, paykeyFinding } from './checks'

/** The form values of a payment that is to be created. `cents` is null until an amount is typed. */
export type Plan = { kind: PaymentKind; cents: number | null; payment_date: string; auto_hold: boolean; balance_check: string }

/** The input of the checks before a payment exists. Times are milliseconds, and the service's amounts are in `unit`. */
export type PlanFacts = Pick<CheckFacts, 'paykey' | 'customer' | 'account' | 'spent' | 'recent' | 'now'> & { unit: AmountUnit }

/** Returns recent payments with their amounts in cents, so that they can be compared with the amount of the new payment. */
const inCents = (recent: PlanFacts['recent'], unit: AmountUnit): PlanFacts['recent'] => ({
  ...recent,
  data: recent.data?.map((other) => ({ ...other, amount: String(minorUnits(other.amount, unit) ?? other.amount) })),
})

/** Returns the checks of a payment that does not exist yet. */
export function planChecks(plan: Plan, facts: PlanFacts): Check[] {
  const { kind, cents } = plan
  const { now, unit } = facts
  const need = { kind, amount: cents, balanceCheck: plan.balance_check, now, unit }
  return [
    toCheck('paykey', 'Bank account', facts.paykey, (paykey) => paykeyFinding(paykey, now)),
    ...(kind === 'charge' ? [toCheck('balance', 'Balance', facts.paykey, (paykey) => balanceFinding(paykey, need))] : []),
    toCheck('customer', 'Customer', facts.customer, customerFinding),
    ...createLimitChecks(kind, cents, facts.account, facts.spent),
    toCheck('duplicates', 'Duplicates', inCents(facts.recent, unit), (recent) =>
      duplicatesFinding(recent, { id: null, amount: String(cents) }, kind),
    ),
  ]
}

/** Returns the consequences of creating a payment, as sentences. `now` is in milliseconds. */
export function planText({ kind, payment_date, auto_hold }: Plan, now: number): string {
  if (auto_hold) return 'The payment is on hold from its creation until someone releases it.'
  const { when, why } = describeDeparture(payment_date, now)
  const end = `${kind === 'charge' ? 'the money is taken' : 'the money leaves'} ${when}`
  const checked = 'The service checks the payment within seconds'
  const course = why === null ? `${checked} and ${end}.` : `${checked}. ${why}: ${end}.`
  return `${course} The payment can be held or canceled until it is with the bank network.`
}

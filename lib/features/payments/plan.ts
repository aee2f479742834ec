import { leavingOf } from '@/lib/domain/bank-time'
import { type Check, checkOf } from '@/lib/domain/check'
import { limitChecks } from '@/lib/domain/holds/limit-checks'
import type { PaymentKind } from '@/lib/domain/payment-kind'
import { type AmountUnit, minorUnits } from '@/lib/money'
import { balanceFinding, type CheckFacts, customerFinding, duplicatesFinding, paykeyFinding } from './checks'

/** A payment that is about to be created; `cents` is null while no amount is typed. */
export type Plan = { kind: PaymentKind; cents: number | null; payment_date: string; auto_hold: boolean; balance_check: string }

/** Facts for the checks of a plan; times in milliseconds, amounts of the service in `unit`. */
export type PlanFacts = Pick<CheckFacts, 'paykey' | 'customer' | 'account' | 'spent' | 'recent' | 'now'> & { unit: AmountUnit }

/** Converts the service's amounts to cents, so that they can be compared with those of the plan. */
const inCents = (recent: PlanFacts['recent'], unit: AmountUnit): PlanFacts['recent'] => ({
  ...recent,
  data: recent.data?.map((other) => ({ ...other, amount: String(minorUnits(other.amount, unit) ?? other.amount) })),
})

/** Returns the checks of a payment before it exists. */
export function planChecks(plan: Plan, facts: PlanFacts): Check[] {
  const { kind, cents } = plan
  const { now, unit } = facts
  const need = { kind, amount: cents, balanceCheck: plan.balance_check, now, unit }
  return [
    checkOf('paykey', 'Bank account', facts.paykey, (paykey) => paykeyFinding(paykey, now)),
    ...(kind === 'charge' ? [checkOf('balance', 'Balance', facts.paykey, (paykey) => balanceFinding(paykey, need))] : []),
    checkOf('customer', 'Customer', facts.customer, customerFinding),
    ...limitChecks(kind, cents, facts.account, facts.spent),
    checkOf('duplicates', 'Duplicates', inCents(facts.recent, unit), (recent) =>
      duplicatesFinding(recent, { id: null, amount: String(cents) }, kind),
    ),
  ]
}

/** Returns the consequences of sending a plan, as plain sentences. `now` in milliseconds. */
export function planText({ kind, payment_date, auto_hold }: Plan, now: number): string {
  if (auto_hold) return 'The payment is on hold from its creation until someone releases it.'
  const { when, why } = leavingOf(payment_date, now)
  const end = `${kind === 'charge' ? 'the money is taken' : 'the money leaves'} ${when}`
  const checked = 'The service checks the payment within seconds'
  const course = why === null ? `${checked} and ${end}.` : `${checked}. ${why}: ${end}.`
  return `${course} The payment can be held or canceled until it is with the bank network.`
}

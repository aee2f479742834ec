import { bankDay, dayText } from '@/lib/dates'
import { type AmountUnit, minorUnits } from '@/lib/money'
import { type Check, checkOf } from './fact'
import { limitChecks } from './limit-checks'
import { balanceFinding, type CheckFacts, duplicatesFinding } from './payment-checks'
import type { PaymentKind } from './payment-kind'
import { customerFinding, paykeyFinding } from './payment-party-checks'

/** A payment that is about to be made; `cents` is null while no amount is typed. */
export type Plan = { kind: PaymentKind; cents: number | null; payment_date: string; auto_hold: boolean; balance_check: string }

/** What is read beside a plan; times in milliseconds, amounts of the service in `unit`. */
export type PlanFacts = Pick<CheckFacts, 'paykey' | 'customer' | 'account' | 'spent' | 'recent' | 'now'> & { unit: AmountUnit }

/** The service's amount in the one form that the plan's cents have too, so that both can be compared. */
const inCents = (recent: PlanFacts['recent'], unit: AmountUnit): PlanFacts['recent'] =>
  recent.state === 'known'
    ? { ...recent, value: recent.value.map((other) => ({ ...other, amount: String(minorUnits(other.amount, unit) ?? other.amount) })) }
    : recent

/** The checks of a payment before it exists, as those of one that does. */
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

/** What has to be ticked before a plan is sent: every check that found something, in its words. What is not known yet is no warning. */
export const planCautions = (checks: readonly Check[]): string[] =>
  checks
    .filter(({ result }) => result === 'warn' || result === 'fail')
    .map(({ label, sentence }) => `${label}: ${sentence} Send it all the same.`)

/** What will happen to a plan once it is sent, in plain sentences. `now` in milliseconds. */
export function planText({ kind, payment_date, auto_hold }: Plan, now: number): string {
  if (auto_hold) return 'It is held as soon as it is created, until somebody releases it.'
  const when = payment_date <= bankDay(now) ? 'today, with the next bank window' : `on ${dayText(payment_date)}`
  const end = kind === 'charge' ? 'the money is taken' : 'the money leaves'
  return `The service checks it within seconds and ${end} ${when}. Until it is with the bank network it can be held or cancelled.`
}

import { describeDeparture } from '@/lib/domain/bank-time'
import { type CheckResult, toCheckResult } from '@/lib/domain/check'
import { createLimitChecks } from '@/lib/domain/holds/limit-checks'
import type { PaymentKind } from '@/lib/domain/payment-kind'
import { type AmountUnit, toMinorUnits } from '@/lib/money'
import { assessDuplicates, type PaymentCheckFacts } from './checks'
import { assessBalance, assessCustomer, assessPaykey } from './party-checks'

/** `cents` is null until an amount is typed. */
export type PaymentPlan = {
  kind: PaymentKind
  cents: number | null
  payment_date: string
  auto_hold: boolean
  balance_check: string
}

/** The facts about a payment that does not exist yet. `unit`: the unit of the service's amounts. */
export type PaymentPlanFacts = Pick<
  PaymentCheckFacts,
  'paykey' | 'customer' | 'account' | 'spent' | 'recent' | 'now'
> & {
  unit: AmountUnit
}

/** Makes the amounts comparable with the amount of the new payment. */
const convertAmountsToCents = (
  recent: PaymentPlanFacts['recent'],
  unit: AmountUnit,
): PaymentPlanFacts['recent'] => ({
  ...recent,
  data: recent.data?.map((other) => ({
    ...other,
    amount: String(toMinorUnits(other.amount, unit) ?? other.amount),
  })),
})

export function createPlanChecks(plan: PaymentPlan, facts: PaymentPlanFacts): CheckResult[] {
  const { kind, cents } = plan
  const { now, unit } = facts
  const balanceCheckInput = { kind, amount: cents, balanceCheck: plan.balance_check, now, unit }
  return [
    toCheckResult('paykey', 'Bank account', facts.paykey, (paykey) => assessPaykey(paykey, now)),
    ...(kind === 'charge'
      ? [
          toCheckResult('balance', 'Balance', facts.paykey, (paykey) =>
            assessBalance(paykey, balanceCheckInput),
          ),
        ]
      : []),
    toCheckResult('customer', 'Customer', facts.customer, assessCustomer),
    ...createLimitChecks(kind, cents, facts.account, facts.spent),
    toCheckResult('duplicates', 'Duplicates', convertAmountsToCents(facts.recent, unit), (recent) =>
      assessDuplicates(recent, { id: null, amount: String(cents) }, kind),
    ),
  ]
}

export function formatPaymentPlan(
  { kind, payment_date, auto_hold }: PaymentPlan,
  now: number,
): string {
  if (auto_hold) return 'The payment is on hold from its creation until someone releases it.'
  const { when, why } = describeDeparture(payment_date, now)
  const departureClause = `${kind === 'charge' ? 'the money is taken' : 'the money leaves'} ${when}`
  const checkClause = 'The service checks the payment within seconds'
  const consequenceText =
    why === null
      ? `${checkClause} and ${departureClause}.`
      : `${checkClause}. ${why}: ${departureClause}.`
  return `${consequenceText} The payment can be held or canceled until it is with the bank network.`
}

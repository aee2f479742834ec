import { monthStart } from '@/lib/dates'
import { type AmountUnit, formatMinor, minorUnits } from '@/lib/money'
import type { Account } from '@/lib/operations/accounts.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { type Check, checkOf, type Fact } from './fact'
import { type PaymentKind, resourceOfKind } from './payment-kind'

/** What an account's payments of one kind add up to, by our own adding; amounts in minor units. */
export type Spent = { day: number; month: number }

/** States that use up a limit: everything on its way or there, not what was stopped or came back. */
export const usedStates = ['created', 'validating', 'scheduled', 'pending', 'paid'] as const

/** Whether a payment uses up a limit, by its state. */
export const usesLimit = ({ status }: Pick<PaymentSummary, 'status'>): boolean => (usedStates as readonly string[]).includes(status)

/**
 * Adds the payments of a month up, in minor units, without the payment itself. Null when one amount cannot be read or not all rows were given
 * (`total` is the service's count), because a sum of a part would look like headroom.
 */
export function spentOf(
  payments: readonly PaymentSummary[],
  total: number,
  payment: { id: string | null; payment_date?: string | undefined },
  unit: AmountUnit,
): Spent | null {
  if (total > payments.length) return null
  const others = payments.filter((other) => other.id !== payment.id && usesLimit(other))
  const amounts = others.map((other) => ({ day: other.payment_date === payment.payment_date, minor: minorUnits(other.amount, unit) }))
  if (amounts.some((amount) => amount.minor === null)) return null
  const sum = (rows: typeof amounts) => rows.reduce((total, row) => total + (row.minor ?? 0), 0)
  return { day: sum(amounts.filter((amount) => amount.day)), month: sum(amounts) }
}

/** The filter that finds the payments `spentOf` adds up: those of a kind in the calendar month of the payment date. */
export function monthFilter(
  kind: PaymentKind,
  paymentDate: string,
): {
  payment_type: PaymentKind
  min_payment_date: string
  max_payment_date: string
  page_size: number
} {
  const last = new Date(Date.UTC(Number(paymentDate.slice(0, 4)), Number(paymentDate.slice(5, 7)), 0)).toISOString().slice(0, 10)
  return { payment_type: kind, min_payment_date: monthStart(paymentDate), max_payment_date: last, page_size: 1000 }
}

type Against = { before: number; amount: number; limit: number | null | undefined; estimate: boolean }

function judgeLimit({ before, amount, limit, estimate }: Against): Pick<Check, 'result' | 'sentence'> {
  const ours = estimate ? ' (our estimate)' : ''
  if (limit === null || limit === undefined) return { result: 'unknown', sentence: 'The account states no such limit.' }
  const sum = before + amount
  if (sum > limit)
    return { result: 'warn', sentence: `Over by ${formatMinor(sum - limit)}: ${formatMinor(sum)} of ${formatMinor(limit)}${ours}.` }
  return { result: 'pass', sentence: `${formatMinor(sum)} of ${formatMinor(limit)}${ours}.` }
}

/** An amount in minor units against the single, daily and monthly limits of the account; the sums are ours and say so. */
export function limitChecks(kind: PaymentKind, amount: number | null, account: Fact<Account>, spent: Fact<Spent | null>): Check[] {
  if (amount === null)
    return [{ id: 'limit_single', label: 'Single limit', result: 'unknown', sentence: 'The amount cannot be read.', at: null }]
  const limits = account.state === 'known' ? account.value.settings?.[resourceOfKind[kind]] : undefined
  const single = checkOf('limit_single', 'Single limit', account, () =>
    judgeLimit({ before: 0, amount, limit: limits?.max_amount, estimate: false }),
  )
  const sums = [
    { id: 'limit_day', label: 'Daily limit', part: 'day', limit: limits?.daily_amount },
    { id: 'limit_month', label: 'Monthly limit', part: 'month', limit: limits?.monthly_amount },
  ] as const
  const fact = account.state === 'known' ? spent : account
  return [
    single,
    ...sums.map(({ id, label, part, limit }) =>
      checkOf<Account | Spent | null>(id, label, fact, (value) => {
        if (value === null || !('day' in value))
          return { result: 'unknown', sentence: `Too many ${resourceOfKind[kind]} this month to add up here.` }
        return judgeLimit({ before: value[part], amount, limit, estimate: true })
      }),
    ),
  ]
}

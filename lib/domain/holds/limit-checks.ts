import { daysBefore, monthStart } from '@/lib/dates'
import { type Check, type Finding, type ReadResult, toCheck } from '@/lib/domain/check'
import { type Payment, type PaymentKind, resourceByKind } from '@/lib/domain/payment-kind'
import { isFieldUnreadable } from '@/lib/domain/unreadable-rules'
import { type AmountUnit, moneyText, toMinorUnits } from '@/lib/money'
import type { Account } from '@/lib/operations/accounts.schema'
import { findTotalRowCount, type ListPage } from '@/lib/operations/list-count'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { explainHold, type HeldFacts, type HeldPaykey } from './explain-hold'

/**
 * Sums of an account's payments of one type for a day and a month, in minor units. Paydesk computes
 * them.
 */
export type SpentSums = { day: number; month: number }

/**
 * Payments in these states use up a limit: they are in progress or paid. Payments on hold,
 * canceled, failed or reversed do not.
 */
export const limitUsingStates = ['created', 'validating', 'scheduled', 'pending', 'paid'] as const

export const usesLimit = ({ status }: Pick<PaymentSummary, 'status'>): boolean =>
  (limitUsingStates as readonly string[]).includes(status)

/**
 * Returns the sums for the day and the month of `payment`, without `payment` itself, in minor
 * units. Null if a state, date or amount cannot be read, or if `total`, the service's count, shows
 * that rows are missing: a partial sum would make the remaining limit look larger.
 */
export function sumSpent(
  payments: readonly PaymentSummary[],
  total: number,
  payment: { id: string | null; payment_date?: string | undefined },
  unit: AmountUnit,
): SpentSums | null {
  if (total > payments.length) return null
  const otherPayments = payments.filter((other) => other.id !== payment.id)
  if (otherPayments.some(({ status, payment_date }) => status === '' || !payment_date)) return null
  const countedPayments = otherPayments.filter(usesLimit)
  const amounts = countedPayments.map((other) => ({
    day: other.payment_date === payment.payment_date,
    minor: toMinorUnits(other.amount, unit),
  }))
  if (amounts.some((amount) => amount.minor === null)) return null
  const sumPart = (rows: typeof amounts) => rows.reduce((total, row) => total + (row.minor ?? 0), 0)
  return { day: sumPart(amounts.filter((amount) => amount.day)), month: sumPart(amounts) }
}

/**
 * Returns the filter for the payments that `sumSpent` adds up: those of one type in the calendar
 * month of the payment date.
 */
export function toMonthFilter(
  kind: PaymentKind,
  paymentDate: string,
): {
  payment_type: PaymentKind
  min_payment_date: string
  max_payment_date: string
  page_size: number
} {
  const lastDay = new Date(
    Date.UTC(Number(paymentDate.slice(0, 4)), Number(paymentDate.slice(5, 7)), 0),
  )
    .toISOString()
    .slice(0, 10)
  return {
    payment_type: kind,
    min_payment_date: monthStart(paymentDate),
    max_payment_date: lastDay,
    page_size: 1000,
  }
}

type LimitInput = {
  before: number
  amount: number
  limit: number | null | undefined
  estimate: boolean
}

function assessLimit({ before, amount, limit, estimate }: LimitInput): Finding {
  const estimateNote = estimate ? ' (our estimate)' : ''
  if (limit === null || limit === undefined)
    return { result: 'unknown', sentence: 'This account has no such limit.', ordinary: true }
  const sum = before + amount
  const excess = sum - limit
  if (excess > 0)
    return {
      result: 'warn',
      sentence: `Over by ${moneyText(excess)}: ${moneyText(sum)} of ${moneyText(limit)}${estimateNote}.`,
      about: String(excess),
    }
  return { result: 'pass', sentence: `${moneyText(sum)} of ${moneyText(limit)}${estimateNote}.` }
}

/**
 * Returns the checks of an amount, in minor units, against the account's single, daily and monthly
 * limits. Paydesk computes the daily and monthly sums itself, so the sentences call them an
 * estimate.
 */
export function createLimitChecks(
  kind: PaymentKind,
  amount: number | null,
  account: ReadResult<Account>,
  spent: ReadResult<SpentSums | null>,
): Check[] {
  if (amount === null)
    return [
      {
        id: 'limit_single',
        label: 'Single-payment limit',
        result: 'unknown',
        sentence: 'The amount cannot be read.',
        at: null,
      },
    ]
  const limits = account.data?.settings?.[resourceByKind[kind]]
  const singleCheck = toCheck('limit_single', 'Single-payment limit', account, () =>
    assessLimit({ before: 0, amount, limit: limits?.max_amount, estimate: false }),
  )
  const periodLimits = [
    { id: 'limit_day', label: 'Daily limit', part: 'day', limit: limits?.daily_amount },
    { id: 'limit_month', label: 'Monthly limit', part: 'month', limit: limits?.monthly_amount },
  ] as const
  const spentResult = account.data ? spent : account
  return [
    singleCheck,
    ...periodLimits.map(({ id, label, part, limit }) =>
      toCheck<Account | SpentSums | null>(id, label, spentResult, (value) => {
        if (value === null || !('day' in value))
          return {
            result: 'unknown',
            sentence: `Not all ${resourceByKind[kind]} of this month could be read, so usage is unknown.`,
          }
        return assessLimit({ before: value[part], amount, limit, estimate: true })
      }),
    ),
  ]
}

/** Returns the fields of a paykey that can explain a hold. */
export const toHeldPaykey = ({
  status,
  status_details,
  unblock_eligible,
}: Pick<PaykeySummary, 'status' | 'status_details' | 'unblock_eligible'>): HeldPaykey => ({
  status,
  code: status_details?.code,
  unblockEligible: unblock_eligible,
})

/**
 * Returns the facts about a hold that only a single payment has. The rows of a search do not
 * contain these fields.
 */
export const toHeldPaymentFacts = (
  payment: Pick<Payment, 'config' | 'documents'>,
): Pick<HeldFacts, 'autoHold' | 'autoHoldMessage' | 'documents'> => ({
  autoHold: payment.config?.auto_hold,
  autoHoldMessage: payment.config?.auto_hold_message,
  documents:
    isFieldUnreadable(payment, 'documents') && payment.documents.length === 0
      ? undefined
      : payment.documents.length,
})

/**
 * Returns the filter for possible duplicates: payments of one type on the same bank account,
 * created up to seven days before the given time (milliseconds).
 */
export const toDuplicatesFilter = (kind: PaymentKind, paykeyId: string, beforeTime: number) => ({
  paykey_id: paykeyId,
  payment_type: kind,
  min_created_at: daysBefore(beforeTime, 7),
})

/**
 * Adds up the payments in the response to a request with the filter of `toMonthFilter`, without
 * `payment` itself. Null if rows are missing or unreadable, or if the total number of rows is
 * unknown.
 */
export function sumSpentInPage(
  response: ListPage & { data: readonly PaymentSummary[] },
  filter: ReturnType<typeof toMonthFilter>,
  payment: Parameters<typeof sumSpent>[2],
  unit: AmountUnit,
): SpentSums | null {
  if (response.meta.unreadable_rows?.length) return null
  return sumSpent(
    response.data,
    findTotalRowCount(response, { size: filter.page_size }) ?? Number.POSITIVE_INFINITY,
    payment,
    unit,
  )
}

/**
 * Returns which data must still be read to explain a hold as exactly as possible. Every screen
 * reads this data, so all screens show the same explanation.
 */
export function findMissingFacts(facts: HeldFacts): {
  limits: boolean
  sums: boolean
  paykey: boolean
} {
  const { id } = explainHold(facts)
  const { paykey, limits, spent } = facts
  return {
    limits: (id === 'over_limit' || id === 'unknown') && limits === undefined,
    sums: id === 'over_limit' && limits !== undefined && spent === undefined,
    paykey: paykey === undefined && id !== 'auto_hold',
  }
}

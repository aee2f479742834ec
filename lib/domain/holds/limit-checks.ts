import { getMonthStart, getTimestampDaysBefore } from '@/lib/dates'
import {
  type CheckFinding,
  type CheckResult,
  type ReadResult,
  toCheckResult,
} from '@/lib/domain/check'
import { type Payment, type PaymentKind, resourceByKind } from '@/lib/domain/payment-kind'
import { isFieldUnreadable } from '@/lib/domain/unreadable-rules'
import { type AmountUnit, moneyText, toMinorUnits } from '@/lib/money'
import type { Account } from '@/lib/operations/accounts.schema'
import { findTotalRowCount, type ListPage } from '@/lib/operations/list-count'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { explainHold, type HeldPaymentFacts, type HeldPaymentPaykey } from './explain-hold'

/** The sums for one payment type of an account, in minor units. */
export type SpentSums = { day: number; month: number }

/** In progress or paid. Payments on hold, canceled, failed or reversed do not use up a limit. */
export const statesCountedInLimits = [
  'created',
  'validating',
  'scheduled',
  'pending',
  'paid',
] as const

export const countsTowardLimit = ({ status }: Pick<PaymentSummary, 'status'>): boolean =>
  (statesCountedInLimits as readonly string[]).includes(status)

/**
 * In minor units, without `payment` itself. Null if a value cannot be read, or if `total`, the
 * service's count, shows missing rows: a partial sum makes the remaining limit look larger.
 */
export function sumSpentAmounts(
  payments: readonly PaymentSummary[],
  total: number,
  payment: { id: string | null; payment_date?: string | undefined },
  unit: AmountUnit,
): SpentSums | null {
  if (total > payments.length) return null
  const otherPayments = payments.filter((other) => other.id !== payment.id)
  if (otherPayments.some(({ status, payment_date }) => status === '' || !payment_date)) return null
  const countedPayments = otherPayments.filter(countsTowardLimit)
  const countedAmounts = countedPayments.map((other) => ({
    day: other.payment_date === payment.payment_date,
    minor: toMinorUnits(other.amount, unit),
  }))
  if (countedAmounts.some((amount) => amount.minor === null)) return null
  const sumMinorUnits = (rows: typeof countedAmounts) =>
    rows.reduce((total, row) => total + (row.minor ?? 0), 0)
  return {
    day: sumMinorUnits(countedAmounts.filter((amount) => amount.day)),
    month: sumMinorUnits(countedAmounts),
  }
}

/** The payments that `sumSpentAmounts` adds up: one type, in the calendar month of the payment date. */
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
    min_payment_date: getMonthStart(paymentDate),
    max_payment_date: lastDay,
    page_size: 1000,
  }
}

type LimitCheckInput = {
  before: number
  amount: number
  limit: number | null | undefined
  estimate: boolean
}

function assessLimit({ before, amount, limit, estimate }: LimitCheckInput): CheckFinding {
  const estimateNote = estimate ? ' (our estimate)' : ''
  if (limit === null || limit === undefined)
    return { result: 'unknown', sentence: 'This account has no such limit.', ordinary: true }
  const totalAfterPayment = before + amount
  const excess = totalAfterPayment - limit
  if (excess > 0)
    return {
      result: 'warn',
      sentence: `Over by ${moneyText(excess)}: ${moneyText(totalAfterPayment)} of ${moneyText(limit)}${estimateNote}.`,
      about: String(excess),
    }
  return {
    result: 'pass',
    sentence: `${moneyText(totalAfterPayment)} of ${moneyText(limit)}${estimateNote}.`,
  }
}

/** `amount` is in minor units. The sums are Paydesk's own: the sentences call them an estimate. */
export function createLimitChecks(
  kind: PaymentKind,
  amount: number | null,
  account: ReadResult<Account>,
  spent: ReadResult<SpentSums | null>,
): CheckResult[] {
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
  const singleCheck = toCheckResult('limit_single', 'Single-payment limit', account, () =>
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
      toCheckResult<Account | SpentSums | null>(id, label, spentResult, (value) => {
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

export const toHeldPaymentPaykey = ({
  status,
  status_details,
  unblock_eligible,
}: Pick<PaykeySummary, 'status' | 'status_details' | 'unblock_eligible'>): HeldPaymentPaykey => ({
  status,
  code: status_details?.code,
  unblockEligible: unblock_eligible,
})

/** The payment must be read by its id, because the rows of a search do not contain these fields. */
export const toHeldPaymentFacts = (
  payment: Pick<Payment, 'config' | 'documents'>,
): Pick<HeldPaymentFacts, 'autoHold' | 'autoHoldMessage' | 'documents'> => ({
  autoHold: payment.config?.auto_hold,
  autoHoldMessage: payment.config?.auto_hold_message,
  documents:
    isFieldUnreadable(payment, 'documents') && payment.documents.length === 0
      ? undefined
      : payment.documents.length,
})

/**
 * Possible duplicates are payments that were created later than seven days before `beforeTime`
 * (milliseconds).
 */
export const toDuplicatesFilter = (kind: PaymentKind, paykeyId: string, beforeTime: number) => ({
  paykey_id: paykeyId,
  payment_type: kind,
  min_created_at: getTimestampDaysBefore(beforeTime, 7),
})

/** Null if rows are missing or unreadable, or if the total number of rows is unknown. */
export function sumSpentInPage(
  response: ListPage & { data: readonly PaymentSummary[] },
  filter: ReturnType<typeof toMonthFilter>,
  payment: Parameters<typeof sumSpentAmounts>[2],
  unit: AmountUnit,
): SpentSums | null {
  if (response.meta.unreadable_rows?.length) return null
  return sumSpentAmounts(
    response.data,
    findTotalRowCount(response, { size: filter.page_size }) ?? Number.POSITIVE_INFINITY,
    payment,
    unit,
  )
}

/**
 * Returns which facts must still be read to explain the hold. All screens use it, so that they show
 * the same explanation.
 */
export function findMissingFacts(facts: HeldPaymentFacts): {
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

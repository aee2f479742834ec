'use client'

import { usePageContext } from '@/components/kits/layout/page-context'
import {
  type OwnerAccount,
  type RelatedRead,
  useRelatedRead,
} from '@/components/kits/record/side-reads'
import {
  type SpentSums,
  sumSpentInPage,
  toDuplicatesFilter,
  toMonthFilter,
} from '@/lib/domain/holds/limit-checks'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import { isFieldUnreadable } from '@/lib/domain/unreadable-rules'

const toIdInput = (id: string | null | undefined) => (id ? { id } : undefined)

/**
 * Reads the data shown beside a payment, in parallel. A failed read does not affect the others;
 * `again` repeats the failed ones. `since` (milliseconds) is part of a query key: if it changed
 * while the payment is open, the recent payments would be read again.
 */
export function usePaymentFacts(
  kind: PaymentKind,
  payment: Payment,
  owner: OwnerAccount,
  since: number,
) {
  const context = usePageContext()
  const explainMissingPart = (part: string, what: string) =>
    isFieldUnreadable(payment, part)
      ? `The ${what} the ${kind} names could not be read.`
      : `The ${kind} has no ${what}.`
  const noPaykeyReason = explainMissingPart('paykey_details', 'bank account')
  const paykeyId = payment.paykey_details?.id
  const noAccountReason =
    owner.account === null && !owner.finding ? 'Unknown until the account is known.' : undefined

  const paykey = useRelatedRead(context, 'paykeys.get', toIdInput(paykeyId), noPaykeyReason)
  const customer = useRelatedRead(
    context,
    'customers.get',
    toIdInput(payment.customer_details?.id),
    explainMissingPart('customer_details', 'customer'),
  )
  const account = useRelatedRead(
    context,
    'accounts.get',
    toIdInput(owner.account?.replace(/^acct_/, '')),
    noAccountReason,
  )
  const recentPayments = useRelatedRead(
    context,
    'payments.search',
    paykeyId ? toDuplicatesFilter(kind, paykeyId, since) : undefined,
    noPaykeyReason,
  )
  const monthlyTotal = useMonthlyTotal(kind, payment, owner.account, noAccountReason)

  return {
    paykey,
    customer,
    account,
    spent: monthlyTotal,
    recent: recentPayments,
    again: () => {
      for (const reading of [paykey, customer, account, recentPayments, monthlyTotal])
        reading.again()
    },
  }
}

export type PaymentFacts = ReturnType<typeof usePaymentFacts>

type DatedPayment = { id: string | null; payment_date?: string | undefined }

/**
 * Returns the sums of the account's other payments of this kind, on the day and in the month of the
 * payment date, to compare them with the account's limits. Reads nothing if the account is unknown
 * (null); `why` is then the reason to show.
 */
export function useMonthlyTotal(
  kind: PaymentKind,
  payment: DatedPayment,
  account: string | null,
  why: string | undefined,
): RelatedRead<SpentSums | null> {
  const context = usePageContext()
  const monthFilter =
    payment.payment_date && account ? toMonthFilter(kind, payment.payment_date) : undefined
  const noFilterReason = payment.payment_date ? why : `The ${kind} has no payment date.`
  const monthlyPayments = useRelatedRead(
    { ...context, account },
    'payments.search',
    monthFilter,
    noFilterReason,
  )
  if (!monthlyPayments.data) return { ...monthlyPayments, data: undefined }
  const monthlyAnswer = { data: monthlyPayments.data, meta: monthlyPayments.meta ?? {} }
  return {
    ...monthlyPayments,
    data: monthFilter
      ? sumSpentInPage(monthlyAnswer, monthFilter, payment, context.amountUnit)
      : null,
    unread: undefined,
  }
}

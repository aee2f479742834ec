'use client'

import { usePageContext } from '@/components/kits/layout/page-context'
import {
  type OwnerAccount,
  type RelatedReadResult,
  useRelatedRead,
} from '@/components/kits/record/side-reads'
import { belongsToPlatform, getLimitAccount } from '@/lib/client/page-context'
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
 * `again` repeats the failed ones. `since` (milliseconds) is part of a query key, so it must stay
 * the same while the payment is open: otherwise the recent payments would be read again.
 */
export function usePaymentRelatedReads(
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
    owner.of === 'unknown' && !owner.finding ? 'Unknown until the account is known.' : undefined

  const paykeyRead = useRelatedRead(context, 'paykeys.get', toIdInput(paykeyId), noPaykeyReason)
  const customerRead = useRelatedRead(
    context,
    'customers.get',
    toIdInput(payment.customer_details?.id),
    explainMissingPart('customer_details', 'customer'),
  )
  const accountRead = useRelatedRead(
    context,
    'accounts.get',
    toIdInput(getLimitAccount(context, owner.account)?.replace(/^acct_/, '')),
    noAccountReason,
  )
  const recentPaymentsRead = useRelatedRead(
    context,
    'payments.search',
    paykeyId ? toDuplicatesFilter(kind, paykeyId, since) : undefined,
    noPaykeyReason,
  )
  const monthlyTotal = useMonthlyTotal(kind, payment, owner.account, noAccountReason)

  return {
    paykey: paykeyRead,
    customer: customerRead,
    account: accountRead,
    spent: monthlyTotal,
    recent: recentPaymentsRead,
    again: () => {
      for (const reading of [
        paykeyRead,
        customerRead,
        accountRead,
        recentPaymentsRead,
        monthlyTotal,
      ])
        reading.again()
    },
  }
}

export type PaymentRelatedReads = ReturnType<typeof usePaymentRelatedReads>

type PaymentIdAndDate = { id: string | null; payment_date?: string | undefined }

/**
 * Returns the sums of the account's other payments of this kind, on the day and in the month of the
 * payment date, to compare them with the account's limits. Reads nothing if the account is unknown
 * (null); `why` is then the reason to show.
 */
export function useMonthlyTotal(
  kind: PaymentKind,
  payment: PaymentIdAndDate,
  account: string | null,
  why: string | undefined,
): RelatedReadResult<SpentSums | null> {
  const context = usePageContext()
  const monthFilter =
    payment.payment_date && (account || belongsToPlatform(context, 'payments'))
      ? toMonthFilter(kind, payment.payment_date)
      : undefined
  const noMonthFilterReason = payment.payment_date ? why : `The ${kind} has no payment date.`
  const monthlyPaymentsRead = useRelatedRead(
    { ...context, account },
    'payments.search',
    monthFilter,
    noMonthFilterReason,
  )
  if (!monthlyPaymentsRead.data) return { ...monthlyPaymentsRead, data: undefined }
  const monthlyPaymentsPage = {
    data: monthlyPaymentsRead.data,
    meta: monthlyPaymentsRead.meta ?? {},
  }
  return {
    ...monthlyPaymentsRead,
    data: monthFilter
      ? sumSpentInPage(monthlyPaymentsPage, monthFilter, payment, context.amountUnit)
      : null,
    unread: undefined,
  }
}

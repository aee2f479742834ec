'use client'

import { usePageContext } from '@/components/kits/layout/page-context'
import { type Owner, type SideRead, useSideRead } from '@/components/kits/record/side-reads'
import { type SpentSums, sumSpentInPage, toMonthFilter, toRecentFilter } from '@/lib/domain/holds/limit-checks'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import { isUnreadable } from '@/lib/domain/unreadable-rules'

const toIdInput = (id: string | null | undefined) => (id ? { id } : undefined)

/**
 * Reads the data beside a payment, all in parallel. Each read can fail without affecting the others; `again` repeats those that failed.
 * `since` (milliseconds) must not change while the payment is open, so that the search keeps its query key.
 */
export function usePaymentFacts(kind: PaymentKind, payment: Payment, owner: Owner, since: number) {
  const context = usePageContext()
  const toMissingReason = (part: string, what: string) =>
    isUnreadable(payment, part) ? `The ${what} the ${kind} names could not be read.` : `The ${kind} has no ${what}.`
  const noPaykeyReason = toMissingReason('paykey_details', 'bank account')
  const paykeyId = payment.paykey_details?.id
  const noAccountReason = owner.account === null && !owner.finding ? 'Unknown until the account is known.' : undefined

  const paykey = useSideRead(context, 'paykeys.get', toIdInput(paykeyId), noPaykeyReason)
  const customer = useSideRead(
    context,
    'customers.get',
    toIdInput(payment.customer_details?.id),
    toMissingReason('customer_details', 'customer'),
  )
  const account = useSideRead(context, 'accounts.get', toIdInput(owner.account?.replace(/^acct_/, '')), noAccountReason)
  const recentPayments = useSideRead(
    context,
    'payments.search',
    paykeyId ? toRecentFilter(kind, paykeyId, since) : undefined,
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
      for (const reading of [paykey, customer, account, recentPayments, monthlyTotal]) reading.again()
    },
  }
}

export type PaymentFacts = ReturnType<typeof usePaymentFacts>

type DatedPayment = { id: string | null; payment_date?: string | undefined }

/** Returns the sum of the account's payments of a kind in a month. Reads nothing without an account, because only accounts have limits. */
export function useMonthlyTotal(
  kind: PaymentKind,
  payment: DatedPayment,
  account: string | null,
  why: string | undefined,
): SideRead<SpentSums | null> {
  const context = usePageContext()
  const filter = payment.payment_date && account ? toMonthFilter(kind, payment.payment_date) : undefined
  const missingReason = payment.payment_date ? why : `The ${kind} has no payment date.`
  const monthlyPayments = useSideRead({ ...context, account }, 'payments.search', filter, missingReason)
  if (!monthlyPayments.data) return { ...monthlyPayments, data: undefined }
  const answer = { data: monthlyPayments.data, meta: monthlyPayments.meta ?? {} }
  return { ...monthlyPayments, data: filter ? sumSpentInPage(answer, filter, payment, context.amountUnit) : null, unread: undefined }
}

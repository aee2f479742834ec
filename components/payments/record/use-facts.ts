'use client'

import { usePageContext } from '@/components/kits/layout/page-context'
import { type Owner, type SideRead, useSideRead } from '@/components/kits/record/readings'
import { monthFilter, recentFilter, type SpentSums, sumSpentOfPage } from '@/lib/domain/holds/limit-checks'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import { isUnreadable } from '@/lib/domain/unreadable-rules'

const byId = (id: string | null | undefined) => (id ? { id } : undefined)

/**
 * Reads the data beside a payment, all in parallel. Each read can fail without affecting the others; `again` repeats those that failed.
 * `since` (milliseconds) must not change while the payment is open, so that the search keeps its query key.
 */
export function usePaymentFacts(kind: PaymentKind, payment: Payment, owner: Owner, since: number) {
  const context = usePageContext()
  const toMissingReason = (part: string, what: string) =>
    isUnreadable(payment, part) ? `The ${what} the ${kind} names could not be read.` : `The ${kind} has no ${what}.`
  const noPaykey = toMissingReason('paykey_details', 'bank account')
  const paykeyId = payment.paykey_details?.id
  const ownerWhy = owner.account === null && !owner.finding ? 'Unknown until the account is known.' : undefined

  const paykey = useSideRead(context, 'paykeys.get', byId(paykeyId), noPaykey)
  const customer = useSideRead(
    context,
    'customers.get',
    byId(payment.customer_details?.id),
    toMissingReason('customer_details', 'customer'),
  )
  const account = useSideRead(context, 'accounts.get', byId(owner.account?.replace(/^acct_/, '')), ownerWhy)
  const recent = useSideRead(context, 'payments.search', paykeyId ? recentFilter(kind, paykeyId, since) : undefined, noPaykey)
  const spent = useMonthlyTotal(kind, payment, owner.account, ownerWhy)

  return {
    paykey,
    customer,
    account,
    spent,
    recent,
    again: () => {
      for (const reading of [paykey, customer, account, recent, spent]) reading.again()
    },
  }
}

export type PaymentFacts = ReturnType<typeof usePaymentFacts>

type Dated = { id: string | null; payment_date?: string | undefined }

/** Returns the sum of the account's payments of a kind in a month. Reads nothing without an account, because only accounts have limits. */
export function useMonthlyTotal(
  kind: PaymentKind,
  payment: Dated,
  account: string | null,
  why: string | undefined,
): SideRead<SpentSums | null> {
  const context = usePageContext()
  const filter = payment.payment_date && account ? monthFilter(kind, payment.payment_date) : undefined
  const missing = payment.payment_date ? why : `The ${kind} has no payment date.`
  const search = useSideRead({ ...context, account }, 'payments.search', filter, missing)
  if (!search.data) return { ...search, data: undefined }
  const answer = { data: search.data, meta: search.meta ?? {} }
  return { ...search, data: filter ? sumSpentOfPage(answer, filter, payment, context.amountUnit) : null, unread: undefined }
}

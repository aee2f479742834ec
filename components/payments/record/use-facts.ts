'use client'

import { usePageContext } from '@/components/kits/layout/page-context'
import { type LoadableRead, type Owner, useLoadable } from '@/components/kits/record/readings'
import { monthFilter, recentFilter, type Spent, spentIn } from '@/lib/domain/holds/limit-checks'
import { knownValue, type Loadable } from '@/lib/domain/loadable'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import { isUnreadable } from '@/lib/domain/unreadable-rules'
import type { Account } from '@/lib/operations/accounts.schema'
import type { Customer } from '@/lib/operations/customers.schema'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'

/** Data read beside a payment. Each read can fail on its own. */
export type PaymentFacts = {
  paykey: Loadable<Paykey>
  customer: Loadable<Customer>
  account: Loadable<Account>
  spent: Loadable<Spent | null>
  recent: Loadable<readonly PaymentSummary[]>
  /** Retries the reads. */
  again: () => void
}

const byId = (id: string | null | undefined) => (id ? { id } : undefined)

/** Starts all reads in parallel. `since` is fixed when the payment is opened, so that the search has a stable query key. */
export function usePaymentFacts(kind: PaymentKind, payment: Payment, owner: Owner, since: number): PaymentFacts {
  const context = usePageContext()
  const none = (part: string, what: string) =>
    isUnreadable(payment, part) ? `The ${what} the ${kind} names could not be read.` : `The ${kind} has no ${what}.`
  const noPaykey = none('paykey_details', 'bank account')
  const paykeyId = payment.paykey_details?.id
  const ownerWhy = owner.account === null && !owner.finding ? 'Unknown until the account is known.' : undefined

  const paykey = useLoadable(context, 'paykeys.get', byId(paykeyId), noPaykey)
  const customer = useLoadable(context, 'customers.get', byId(payment.customer_details?.id), none('customer_details', 'customer'))
  const account = useLoadable(context, 'accounts.get', byId(owner.account?.replace(/^acct_/, '')), ownerWhy)
  const recent = useLoadable(context, 'payments.search', paykeyId ? recentFilter(kind, paykeyId, since) : undefined, noPaykey)
  const month = useMonth(kind, payment, owner.account, ownerWhy)

  return {
    paykey: paykey.loadable,
    customer: customer.loadable,
    account: account.loadable,
    spent: month.loadable,
    recent: recent.loadable,
    again: () => {
      for (const reading of [paykey, customer, account, recent, month]) reading.again()
    },
  }
}

type Dated = { id: string | null; payment_date?: string | undefined }

/**
 * Sums the account's payments of a kind in the payment's month. Reads nothing without an account, because the whole platform has no limit.
 */
export function useMonth(
  kind: PaymentKind,
  payment: Dated,
  account: string | null,
  why: string | undefined,
): Pick<LoadableRead<Spent | null>, 'loadable' | 'again'> {
  const context = usePageContext()
  const filter = payment.payment_date && account ? monthFilter(kind, payment.payment_date) : undefined
  const missing = payment.payment_date ? why : `The ${kind} has no payment date.`
  const { loadable, meta, again } = useLoadable({ ...context, account }, 'payments.search', filter, missing)
  if (loadable.state !== 'known') return { loadable, again }
  const answer = { data: loadable.value, meta: meta ?? {} }
  return { loadable: knownValue(filter ? spentIn(answer, filter, payment, context.amountUnit) : null, loadable.at), again }
}

'use client'

import { useDesk } from '@/components/kits/layout/desk-context'
import { type FactOf, useFact } from '@/components/kits/record/use-fact'
import type { Owner } from '@/components/kits/record/use-owner'
import { daysBefore } from '@/lib/dates'
import { type Fact, known } from '@/lib/domain/fact'
import { monthFilter, type Spent, spentOf } from '@/lib/domain/limit-checks'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import type { Account } from '@/lib/operations/accounts.schema'
import type { Customer } from '@/lib/operations/customers.schema'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'

/** What is read beside a payment, each on its own, so that one that fails takes nothing else with it. */
export type PaymentFacts = {
  paykey: Fact<Paykey>
  customer: Fact<Customer>
  account: Fact<Account>
  spent: Fact<Spent | null>
  recent: Fact<readonly PaymentSummary[]>
  /** Reads once more what failed. */
  again: () => void
}

const byId = (id: string | null | undefined) => (id ? { id } : undefined)

/** Reads them all at once; `since` is fixed when the payment is opened, so that the search keeps one key. */
export function usePaymentFacts(kind: PaymentKind, payment: Payment, owner: Owner, since: number): PaymentFacts {
  const desk = useDesk()
  const noPaykey = `The ${kind} names no bank account.`
  const paykeyId = payment.paykey_details?.id
  const week = paykeyId && { paykey_id: paykeyId, payment_type: kind, min_created_at: daysBefore(since, 7) }
  const ownerWhy = owner.account === null && !owner.finding ? 'Not known while the account is not.' : undefined

  const paykey = useFact(desk, 'paykeys.get', byId(paykeyId), noPaykey)
  const customer = useFact(desk, 'customers.get', byId(payment.customer_details?.id), `The ${kind} names no customer.`)
  const account = useFact(desk, 'accounts.get', byId(owner.account?.replace(/^acct_/, '')), ownerWhy)
  const recent = useFact(desk, 'payments.search', week || undefined, noPaykey)
  const month = useMonth(kind, payment, owner.account, ownerWhy)

  return {
    paykey: paykey.fact,
    customer: customer.fact,
    account: account.fact,
    spent: month.fact,
    recent: recent.fact,
    again: () => {
      for (const each of [paykey, customer, account, recent, month]) each.again()
    },
  }
}

type Dated = { id: string | null; payment_date?: string | undefined }

/** What the account's payments of a kind add up to in the month of one; only within the account, since the whole platform has no limit. */
export function useMonth(
  kind: PaymentKind,
  payment: Dated,
  account: string | null,
  why: string | undefined,
): Pick<FactOf<Spent | null>, 'fact' | 'again'> {
  const desk = useDesk()
  const filter = payment.payment_date && account ? monthFilter(kind, payment.payment_date) : undefined
  const missing = payment.payment_date ? why : `The ${kind} has no payment date.`
  const { fact, meta, again } = useFact({ ...desk, account }, 'payments.search', filter, missing)
  if (fact.state !== 'known') return { fact, again }
  return { fact: known(spentOf(fact.value, meta?.total_items ?? Number.POSITIVE_INFINITY, payment, desk.amountUnit), fact.at), again }
}

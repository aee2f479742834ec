'use client'

import { useDesk } from '@/components/kits/layout/desk-context'
import { useFact } from '@/components/kits/record/use-fact'
import type { Owner } from '@/components/kits/record/use-owner'
import { daysBefore } from '@/lib/dates'
import { type Fact, known } from '@/lib/domain/fact'
import { monthFilter, type Spent, spentOf } from '@/lib/domain/limit-checks'
import type { Account } from '@/lib/operations/accounts.schema'
import type { Customer } from '@/lib/operations/customers.schema'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import type { Payout } from '@/lib/operations/payouts.schema'

/** What is read beside a payout, each on its own, so that one that fails takes nothing else with it. */
export type PayoutFacts = {
  paykey: Fact<Paykey>
  customer: Fact<Customer>
  account: Fact<Account>
  spent: Fact<Spent | null>
  recent: Fact<readonly PaymentSummary[]>
  /** Reads once more what failed. */
  again: () => void
}

const byId = (id: string | null | undefined) => (id ? { id } : undefined)
const noPaykey = 'The payout names no bank account.'

/** Reads them all at once; `since` is fixed when the payout is opened, so that the search keeps one key. */
export function usePayoutFacts(payout: Payout, owner: Owner, since: number): PayoutFacts {
  const desk = useDesk()
  const paykeyId = payout.paykey_details?.id
  const week = paykeyId && { paykey_id: paykeyId, payment_type: 'payout', min_created_at: daysBefore(since, 7) }
  const ownerWhy = owner.account === null && !owner.finding ? 'Not known while the account is not.' : undefined

  const paykey = useFact(desk, 'paykeys.get', byId(paykeyId), noPaykey)
  const customer = useFact(desk, 'customers.get', byId(payout.customer_details?.id), 'The payout names no customer.')
  const account = useFact(desk, 'accounts.get', byId(owner.account?.replace(/^acct_/, '')), ownerWhy)
  const recent = useFact(desk, 'payments.search', week || undefined, noPaykey)
  const month = useMonth(payout, owner, ownerWhy)

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

/** What the account's payouts of the month add up to; only within the account, since the whole platform has no limit. */
function useMonth(payout: Payout, owner: Owner, ownerWhy: string | undefined): { fact: Fact<Spent | null>; again: () => void } {
  const desk = useDesk()
  const filter = payout.payment_date && owner.account ? monthFilter(payout.payment_date) : undefined
  const why = payout.payment_date ? ownerWhy : 'The payout has no payment date.'
  const { fact, meta, again } = useFact({ ...desk, account: owner.account }, 'payments.search', filter, why)
  if (fact.state !== 'known') return { fact, again }
  return { fact: known(spentOf(fact.value, meta?.total_items ?? Number.POSITIVE_INFINITY, payout, desk.amountUnit), fact.at), again }
}

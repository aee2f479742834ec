'use client'

import { useState } from 'react'
import { useNow } from '@/components/kits/layout/clock'
import { useDesk } from '@/components/kits/layout/desk-context'
import { useFact } from '@/components/kits/record/use-fact'
import { daysBefore } from '@/lib/dates'
import type { PaymentKind } from '@/lib/domain/payment-kind'
import type { PlanFacts } from '@/lib/domain/payment-plan'
import { useMonth } from './use-payment-facts'

type Planned = { kind: PaymentKind; account: string; paykey: string; payment_date: string }

const noPaykey = 'No bank account is chosen yet.'

/** What is read beside a payment that is being made; each on its own, as it becomes known what to read. */
export function usePlanFacts({ kind, account, paykey: paykeyId, payment_date }: Planned): PlanFacts {
  const desk = useDesk()
  const scope = { ...desk, account }
  const now = useNow()
  const [since] = useState(() => daysBefore(Date.now(), 7))
  const chosen = paykeyId !== ''
  const paykey = useFact(scope, 'paykeys.get', chosen ? { id: paykeyId } : undefined, noPaykey)
  const customerId = paykey.fact.state === 'known' ? paykey.fact.value.customer_id : undefined
  const why = paykey.fact.state === 'known' ? 'The bank account names no customer.' : noPaykey
  const customer = useFact(scope, 'customers.get', customerId ? { id: customerId } : undefined, why)
  const owner = useFact(scope, 'accounts.get', { id: account.replace(/^acct_/, '') })
  const week = { paykey_id: paykeyId, payment_type: kind, min_created_at: since }
  const recent = useFact(scope, 'payments.search', chosen ? week : undefined, noPaykey)
  const spent = useMonth(kind, { id: null, payment_date: payment_date || undefined }, account, undefined)
  return {
    now,
    unit: desk.amountUnit,
    paykey: paykey.fact,
    customer: customer.fact,
    account: owner.fact,
    spent: spent.fact,
    recent: recent.fact,
  }
}

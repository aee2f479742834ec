'use client'

import { useDesk } from '@/components/kits/layout/desk-context'
import { useFact } from '@/components/kits/record/use-fact'
import { known } from '@/lib/domain/fact'
import { alikeOf } from '@/lib/domain/paykey-checks'
import { waitingStates } from '@/lib/domain/paykey-payments'
import type { Paykey } from '@/lib/operations/paykeys.schema'

/** Payments and paykeys that are looked at, at most. */
export const mostRead = 100

/** What is read beside a paykey, each on its own, so that one that fails takes nothing else with it. */
export function usePaykeyFacts(paykey: Paykey) {
  const desk = useDesk()
  const { id, customer_id, bank_data } = paykey
  const digits = bank_data?.account_number?.slice(-4)
  const review = useFact(desk, 'paykeys.review', { id })
  const customer = useFact(desk, 'customers.get', customer_id ? { id: customer_id } : undefined, 'The paykey names no customer.')
  const waiting = useFact(desk, 'payments.search', { paykey_id: id, payment_status: [...waitingStates], page_size: mostRead })
  const lost = useFact(desk, 'payments.search', { paykey_id: id, payment_status: ['failed', 'reversed'], page_size: mostRead })
  const siblings = useFact(
    desk,
    'paykeys.list',
    customer_id ? { customer_id, page_size: mostRead } : undefined,
    'The paykey names no customer.',
  )
  const search = useFact(
    desk,
    'paykeys.list',
    digits ? { search_text: digits, page_size: mostRead } : undefined,
    'The service does not show the last digits of this account.',
  )
  const found = search.fact
  return {
    review,
    customer,
    waiting,
    lost,
    siblings,
    alike: { ...search, fact: found.state === 'known' ? known(alikeOf(found.value, paykey), found.at) : found },
  }
}

export type PaykeyReads = ReturnType<typeof usePaykeyFacts>

/** How many there are in all, where the service counts them. */
export const totalOf = (read: PaykeyReads['waiting' | 'lost']): number | undefined => read.meta?.total_items

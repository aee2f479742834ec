'use client'

import { usePageContext } from '@/components/kits/layout/page-context'
import { useSideRead } from '@/components/kits/record/side-reads'
import { filterSameAccount, maxRelated, toSameAccountFilter, waitingStates } from '@/lib/features/paykeys/related'
import { findTotal } from '@/lib/operations/list-count'
import type { Paykey } from '@/lib/operations/paykeys.schema'

/** Reads the data shown beside a paykey. Each read can fail without affecting the others. */
export function usePaykeyFacts(paykey: Paykey) {
  const context = usePageContext()
  const { id, customer_id } = paykey
  const review = useSideRead(context, 'paykeys.review', { id })
  const customer = useSideRead(context, 'customers.get', customer_id ? { id: customer_id } : undefined, 'The paykey has no customer.')
  const waitingPayments = useSideRead(context, 'payments.search', {
    paykey_id: id,
    payment_status: [...waitingStates],
    page_size: maxRelated,
  })
  const lostPayments = useSideRead(context, 'payments.search', {
    paykey_id: id,
    payment_status: ['failed', 'reversed'],
    page_size: maxRelated,
  })
  const siblings = useSideRead(
    context,
    'paykeys.list',
    customer_id ? { customer_id, page_size: maxRelated } : undefined,
    'The paykey has no customer.',
  )
  const noDigitsReason = 'The service does not show the last digits of this account.'
  const sameAccountRead = useSideRead(context, 'paykeys.list', toSameAccountFilter(paykey) ?? undefined, noDigitsReason)
  return {
    review,
    customer,
    waiting: waitingPayments,
    lost: lostPayments,
    siblings,
    alike: { ...sameAccountRead, ...filterSameAccount(sameAccountRead, paykey) },
  }
}

export type PaykeyReads = ReturnType<typeof usePaykeyFacts>

/** Returns the total number of payments, including unreadable ones. Null while loading or if the total is unknown. */
export const countPayments = ({ data, meta }: PaykeyReads['waiting' | 'lost']): number | null =>
  data ? findTotal({ data, meta: meta ?? {} }, { size: maxRelated }) : null

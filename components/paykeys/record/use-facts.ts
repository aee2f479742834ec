'use client'

import { usePageContext } from '@/components/kits/layout/page-context'
import { useRelatedRead } from '@/components/kits/record/side-reads'
import {
  filterSameAccountPaykeys,
  maxRelatedRecords,
  toSameAccountFilter,
  waitingStates,
} from '@/lib/features/paykeys/related'
import { findTotalRowCount } from '@/lib/operations/list-count'
import type { Paykey } from '@/lib/operations/paykeys.schema'

/** Reads the data shown beside a paykey. Each read can fail without affecting the others. */
export function usePaykeyFacts(paykey: Paykey) {
  const context = usePageContext()
  const { id, customer_id } = paykey
  const review = useRelatedRead(context, 'paykeys.review', { id })
  const customer = useRelatedRead(
    context,
    'customers.get',
    customer_id ? { id: customer_id } : undefined,
    'The paykey has no customer.',
  )
  const waitingPayments = useRelatedRead(context, 'payments.search', {
    paykey_id: id,
    payment_status: [...waitingStates],
    page_size: maxRelatedRecords,
  })
  const failedPayments = useRelatedRead(context, 'payments.search', {
    paykey_id: id,
    payment_status: ['failed', 'reversed'],
    page_size: maxRelatedRecords,
  })
  const customerPaykeys = useRelatedRead(
    context,
    'paykeys.list',
    customer_id ? { customer_id, page_size: maxRelatedRecords } : undefined,
    'The paykey has no customer.',
  )
  const noDigitsReason = 'The service does not show the last digits of this account.'
  const sameBankAccountRead = useRelatedRead(
    context,
    'paykeys.list',
    toSameAccountFilter(paykey) ?? undefined,
    noDigitsReason,
  )
  return {
    review,
    customer,
    waiting: waitingPayments,
    lost: failedPayments,
    siblings: customerPaykeys,
    alike: { ...sameBankAccountRead, ...filterSameAccountPaykeys(sameBankAccountRead, paykey) },
  }
}

export type PaykeyReads = ReturnType<typeof usePaykeyFacts>

/**
 * Returns the total number of payments, including unreadable ones. Null while loading or if the
 * total is unknown.
 */
export const countPayments = ({ data, meta }: PaykeyReads['waiting' | 'lost']): number | null =>
  data ? findTotalRowCount({ data, meta: meta ?? {} }, { size: maxRelatedRecords }) : null

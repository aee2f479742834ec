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
export function usePaykeyRelatedReads(paykey: Paykey) {
  const context = usePageContext()
  const { id, customer_id } = paykey
  const reviewRead = useRelatedRead(context, 'paykeys.review', { id })
  const customerRead = useRelatedRead(
    context,
    'customers.get',
    customer_id ? { id: customer_id } : undefined,
    'The paykey has no customer.',
  )
  const waitingPaymentsRead = useRelatedRead(context, 'payments.search', {
    paykey_id: id,
    payment_status: [...waitingStates],
    page_size: maxRelatedRecords,
  })
  const failedPaymentsRead = useRelatedRead(context, 'payments.search', {
    paykey_id: id,
    payment_status: ['failed', 'reversed'],
    page_size: maxRelatedRecords,
  })
  const customerPaykeysRead = useRelatedRead(
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
    review: reviewRead,
    customer: customerRead,
    waiting: waitingPaymentsRead,
    lost: failedPaymentsRead,
    siblings: customerPaykeysRead,
    alike: { ...sameBankAccountRead, ...filterSameAccountPaykeys(sameBankAccountRead, paykey) },
  }
}

export type PaykeyRelatedReads = ReturnType<typeof usePaykeyRelatedReads>

/**
 * Returns the total number of payments, including unreadable ones. Null while loading or if the
 * total is unknown.
 */
export const findTotalPaymentCount = ({
  data,
  meta,
}: PaykeyRelatedReads['waiting' | 'lost']): number | null =>
  data ? findTotalRowCount({ data, meta: meta ?? {} }, { size: maxRelatedRecords }) : null

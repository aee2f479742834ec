'use client'

import { usePageContext } from '@/components/kits/layout/page-context'
import { useRelatedRead } from '@/components/kits/record/side-reads'

/** Pending payments block a deletion, and a decision on the customer can change them. */
const pendingPaymentStatuses = 'created,validating,scheduled,on_hold,pending'

/** `waiting` are the pending payments. If one read fails, the others are still shown. */
export function useCustomerRelatedReads(id: string) {
  const context = usePageContext()
  return {
    review: useRelatedRead(context, 'customers.review', { id }),
    paykeys: useRelatedRead(context, 'paykeys.list', { customer_id: id, page_size: 10 }),
    payments: useRelatedRead(context, 'payments.search', { customer_id: id, page_size: 6 }),
    waiting: useRelatedRead(context, 'payments.search', {
      customer_id: id,
      page_size: 1,
      payment_status: pendingPaymentStatuses,
    }),
  }
}

export type CustomerRelatedReads = ReturnType<typeof useCustomerRelatedReads>

'use client'

import { usePageContext } from '@/components/kits/layout/page-context'
import { useSideRead } from '@/components/kits/record/side-reads'

/** Statuses of a pending payment. A customer with a pending payment cannot be deleted, and a decision on the customer can change it. */
const pendingStatuses = 'created,validating,scheduled,on_hold,pending'

/**
 * Reads the data beside a customer: review, bank accounts, payments and pending payments. Each read can fail without affecting the others.
 */
export function useCustomerFacts(id: string) {
  const context = usePageContext()
  return {
    review: useSideRead(context, 'customers.review', { id }),
    paykeys: useSideRead(context, 'paykeys.list', { customer_id: id, page_size: 10 }),
    payments: useSideRead(context, 'payments.search', { customer_id: id, page_size: 6 }),
    waiting: useSideRead(context, 'payments.search', { customer_id: id, page_size: 1, payment_status: pendingStatuses }),
  }
}

export type CustomerFacts = ReturnType<typeof useCustomerFacts>

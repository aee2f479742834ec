'use client'

import { usePageContext } from '@/components/kits/layout/page-context'
import { useSideRead } from '@/components/kits/record/side-reads'

/**
 * Statuses of a pending payment, as a filter value. The page shows pending payments, because they
 * block the deletion of the customer, and a decision on the customer can change them.
 */
const pendingStatuses = 'created,validating,scheduled,on_hold,pending'

/**
 * Reads the data that the page shows beside a customer: review, bank accounts, payments and pending
 * payments (`waiting`). If one read fails, the others are still shown.
 */
export function useCustomerFacts(id: string) {
  const context = usePageContext()
  return {
    review: useSideRead(context, 'customers.review', { id }),
    paykeys: useSideRead(context, 'paykeys.list', { customer_id: id, page_size: 10 }),
    payments: useSideRead(context, 'payments.search', { customer_id: id, page_size: 6 }),
    waiting: useSideRead(context, 'payments.search', {
      customer_id: id,
      page_size: 1,
      payment_status: pendingStatuses,
    }),
  }
}

export type CustomerFacts = ReturnType<typeof useCustomerFacts>

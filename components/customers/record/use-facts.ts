'use client'

import { usePageContext } from '@/components/kits/layout/page-context'
import { useReadBeside } from '@/components/kits/record/readings'

/** States of a pending payment. A customer with one cannot be deleted, and a decision on the customer can move it. */
const waiting = 'created,validating,scheduled,on_hold,pending'

/** Reads the data beside a customer, each independently: review, bank accounts, payments, and the number of pending ones. */
export function useCustomerFacts(id: string) {
  const context = usePageContext()
  return {
    review: useReadBeside(context, 'customers.review', { id }),
    paykeys: useReadBeside(context, 'paykeys.list', { customer_id: id, page_size: 10 }),
    payments: useReadBeside(context, 'payments.search', { customer_id: id, page_size: 6 }),
    waiting: useReadBeside(context, 'payments.search', { customer_id: id, page_size: 1, payment_status: waiting }),
  }
}

export type CustomerFacts = ReturnType<typeof useCustomerFacts>

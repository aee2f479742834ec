'use client'

import { usePageContext } from '@/components/kits/layout/page-context'
import { useLoadable } from '@/components/kits/record/readings'

/** States in which a payment still waits or travels; such a customer cannot be deleted, and a decision on them moves it. */
const waiting = 'created,validating,scheduled,on_hold,pending'

/** What is read beside a customer, each on its own: the evidence of the review, bank accounts, payments and how many of them wait. */
export function useCustomerFacts(id: string) {
  const context = usePageContext()
  return {
    review: useLoadable(context, 'customers.review', { id }),
    paykeys: useLoadable(context, 'paykeys.list', { customer_id: id, page_size: 10 }),
    payments: useLoadable(context, 'payments.search', { customer_id: id, page_size: 6 }),
    waiting: useLoadable(context, 'payments.search', { customer_id: id, page_size: 1, payment_status: waiting }),
  }
}

export type CustomerFacts = ReturnType<typeof useCustomerFacts>

'use client'

import { useDesk } from '@/components/kits/layout/desk-context'
import { useFact } from '@/components/kits/record/use-fact'

/** States in which a payment still waits or travels; such a customer cannot be deleted, and a decision on them moves it. */
const waiting = 'created,validating,scheduled,on_hold,pending'

/** What is read beside a customer, each on its own: the evidence of the review, bank accounts, payments and how many of them wait. */
export function useCustomerFacts(id: string) {
  const desk = useDesk()
  return {
    review: useFact(desk, 'customers.review', { id }),
    paykeys: useFact(desk, 'paykeys.list', { customer_id: id, page_size: 10 }),
    payments: useFact(desk, 'payments.search', { customer_id: id, page_size: 6 }),
    waiting: useFact(desk, 'payments.search', { customer_id: id, page_size: 1, payment_status: waiting }),
  }
}

export type CustomerFacts = ReturnType<typeof useCustomerFacts>

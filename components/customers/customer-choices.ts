import type { ActionChoice } from '@/components/kits/action/action-area'
import { type CustomerAction, whyNotCustomer } from '@/lib/domain/customer-rules'
import type { Customer } from '@/lib/operations/customers.schema'
import type { WriteId } from '@/lib/operations/rows'

/** The names of what can be done to a customer in place. */
export type CustomerChoice = 'verify' | 'reject' | 'customers.refresh_review' | 'edit' | 'deactivate' | 'reactivate'

type Closed = (operation: WriteId, rule: string | null) => string | null

/** What can be done to a customer: a decision first while it is in review, and always in the same places. */
export function customerChoices(customer: Customer, closedOf: Closed, edit: () => void): ActionChoice<CustomerChoice>[] {
  const closed = (operation: WriteId, action: CustomerAction) => closedOf(operation, whyNotCustomer(action, customer))
  const off = customer.status === 'inactive'
  const status: ActionChoice<CustomerChoice> = off
    ? { operation: 'customers.update', name: 'reactivate', opens: 'Reactivate…', closed: closed('customers.update', 'reactivate') }
    : { operation: 'customers.update', name: 'deactivate', opens: 'Deactivate…', closed: closed('customers.update', 'deactivate') }
  const decide = 'customers.decide'
  const refresh = 'customers.refresh_review'
  return [
    { operation: decide, name: 'verify', opens: 'Verify…', key: 'v', variant: 'primary', closed: closed(decide, 'verify') },
    { operation: decide, name: 'reject', opens: 'Reject…', key: 'x', closed: closed(decide, 'reject') },
    { operation: refresh, opens: 'Verify anew…', variant: 'quiet', closed: closed(refresh, 'refresh_review') },
    { ...status, variant: 'quiet' },
    {
      operation: 'customers.update',
      name: 'edit',
      opens: 'Edit',
      key: 'e',
      closed: closed('customers.update', 'edit'),
      aside: true,
      press: edit,
    },
  ]
}

import type { ActionChoice } from '@/components/kits/action/action-area'
import { type CustomerAction, isDecidedBy, whyNotCustomer } from '@/lib/features/customers/rules'
import type { Customer } from '@/lib/operations/customers.schema'
import type { WriteId } from '@/lib/operations/service-operations'

export type CustomerChoice = 'verify' | 'reject' | 'customers.refresh_review' | 'edit' | 'deactivate' | 'reactivate'

type WriteDisabledReason = (operation: WriteId, rule: string | null) => string | null

/** Returns the actions on a customer as buttons. Decisions are first, in every status. */
export function customerChoices(
  customer: Customer,
  writeDisabledReason: WriteDisabledReason,
  edit: () => void,
): ActionChoice<CustomerChoice>[] {
  const disabledReasonOf = (operation: WriteId, action: CustomerAction) => writeDisabledReason(operation, whyNotCustomer(action, customer))
  const off = customer.status === 'inactive'
  // Deactivating a customer who is not verified counts as a decision, which needs the role for decisions.
  const decidedReason = isDecidedBy(customer.status, 'inactive') ? writeDisabledReason('customers.decide', null) : null
  const status: ActionChoice<CustomerChoice> = off
    ? {
        operation: 'customers.update',
        name: 'reactivate',
        opens: 'Reactivate…',
        done: 'Reactivated',
        disabledReason: disabledReasonOf('customers.update', 'reactivate'),
      }
    : {
        operation: 'customers.update',
        name: 'deactivate',
        opens: 'Deactivate…',
        done: 'Deactivated',
        disabledReason: disabledReasonOf('customers.update', 'deactivate') ?? decidedReason,
      }
  const decide = 'customers.decide'
  const refresh = 'customers.refresh_review'
  return [
    {
      operation: decide,
      name: 'verify',
      opens: 'Verify…',
      done: 'Verified',
      key: 'v',
      variant: 'primary',
      disabledReason: disabledReasonOf(decide, 'verify'),
    },
    { operation: decide, name: 'reject', opens: 'Reject…', done: 'Rejected', key: 'x', disabledReason: disabledReasonOf(decide, 'reject') },
    { operation: refresh, opens: 'Re-verify…', variant: 'quiet', disabledReason: disabledReasonOf(refresh, 'refresh_review') },
    { ...status, variant: 'quiet' },
    {
      operation: 'customers.update',
      name: 'edit',
      opens: 'Edit',
      key: 'e',
      disabledReason: disabledReasonOf('customers.update', 'edit'),
      aside: true,
      press: edit,
    },
  ]
}

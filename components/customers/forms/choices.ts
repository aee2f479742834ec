import type { ActionChoice } from '@/components/kits/action/action-choices'
import {
  type CustomerAction,
  isStatusDecision,
  whyNotCustomerAction,
} from '@/lib/features/customers/rules'
import type { Customer } from '@/lib/operations/customers.schema'
import type { WriteId } from '@/lib/operations/service-operations'

export type CustomerActionName =
  | 'verify'
  | 'reject'
  | 'customers.refresh_review'
  | 'edit'
  | 'deactivate'
  | 'reactivate'

type GetWriteDisabledReason = (operation: WriteId, rule: string | null) => string | null

/** The decisions, verify and reject, come first in every status. */
export function listCustomerActions(
  customer: Customer,
  getWriteDisabledReason: GetWriteDisabledReason,
  openEditPage: () => void,
): ActionChoice<CustomerActionName>[] {
  const getDisabledReason = (operation: WriteId, action: CustomerAction) =>
    getWriteDisabledReason(operation, whyNotCustomerAction(action, customer))
  const isInactive = customer.status === 'inactive'
  // Deactivating a customer who is not verified is a decision and needs the role for decisions.
  const decisionDisabledReason = isStatusDecision(customer.status, 'inactive')
    ? getWriteDisabledReason('customers.decide', null)
    : null
  const activationChoice: ActionChoice<CustomerActionName> = isInactive
    ? {
        operation: 'customers.update',
        name: 'reactivate',
        opens: 'Reactivate…',
        done: 'Reactivated',
        disabledReason: getDisabledReason('customers.update', 'reactivate'),
      }
    : {
        operation: 'customers.update',
        name: 'deactivate',
        opens: 'Deactivate…',
        done: 'Deactivated',
        disabledReason:
          getDisabledReason('customers.update', 'deactivate') ?? decisionDisabledReason,
      }
  const decideOperation = 'customers.decide'
  const refreshOperation = 'customers.refresh_review'
  return [
    {
      operation: decideOperation,
      name: 'verify',
      opens: 'Mark as verified…',
      done: 'Verified',
      key: 'v',
      disabledReason: getDisabledReason(decideOperation, 'verify'),
    },
    {
      operation: decideOperation,
      name: 'reject',
      opens: 'Reject…',
      done: 'Rejected',
      key: 'x',
      disabledReason: getDisabledReason(decideOperation, 'reject'),
    },
    {
      operation: refreshOperation,
      opens: 'Re-verify…',
      disabledReason: getDisabledReason(refreshOperation, 'refresh_review'),
    },
    activationChoice,
    {
      operation: 'customers.update',
      name: 'edit',
      opens: 'Edit',
      key: 'e',
      disabledReason: getDisabledReason('customers.update', 'edit'),
      press: openEditPage,
    },
  ]
}

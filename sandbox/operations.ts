import { accountOperations } from './accounts/account-operations'
import { bridgeOperations } from './bridge/bridge-operations'
import { capabilityRequestOperations } from './capability-requests/capability-request-operations'
import { customerOperations } from './customers/customer-operations'
import { fundingEventOperations } from './funding/funding-event-operations'
import { linkedBankAccountOperations } from './linked-bank-accounts/linked-bank-account-operations'
import type { Operation } from './operation'
import { organizationOperations } from './organizations/organization-operations'
import { paykeyOperations } from './paykeys/paykey-operations'
import { paymentOperations } from './payments/payment-operations'
import { searchPayments } from './payments/search-payments'
import { representativeOperations } from './representatives/representative-operations'

/**
 * All operations under /v1, used by router, faults and the OpenAPI document. A fixed path must come before a path with a parameter that
 * matches it.
 */
export const operations: readonly Operation[] = [
  ...customerOperations,
  ...bridgeOperations,
  ...paykeyOperations,
  ...paymentOperations,
  searchPayments,
  ...fundingEventOperations,
  ...capabilityRequestOperations,
  ...accountOperations,
  ...organizationOperations,
  ...representativeOperations,
  ...linkedBankAccountOperations,
]

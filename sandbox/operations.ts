import { accountOperations } from '@/sandbox/accounts/account-operations'
import { bridgeOperations } from '@/sandbox/bridge/bridge-operations'
import { capabilityRequestOperations } from '@/sandbox/capability-requests/capability-request-operations'
import { customerOperations } from '@/sandbox/customers/customer-operations'
import { fundingEventOperations } from '@/sandbox/funding/funding-event-operations'
import { linkedBankAccountOperations } from '@/sandbox/linked-bank-accounts/linked-bank-account-operations'
import { organizationOperations } from '@/sandbox/organizations/organization-operations'
import { paykeyOperations } from '@/sandbox/paykeys/paykey-operations'
import { paymentOperations } from '@/sandbox/payments/payment-operations'
import { searchPaymentsOperation } from '@/sandbox/payments/payment-reads'
import { representativeOperations } from '@/sandbox/representatives/representative-operations'
import type { Operation } from './operation'

/** The router takes the first match: list a fixed path before a path whose parameter matches it. */
export const operations: readonly Operation[] = [
  ...customerOperations,
  ...bridgeOperations,
  ...paykeyOperations,
  ...paymentOperations,
  searchPaymentsOperation,
  ...fundingEventOperations,
  ...capabilityRequestOperations,
  ...accountOperations,
  ...organizationOperations,
  ...representativeOperations,
  ...linkedBankAccountOperations,
]

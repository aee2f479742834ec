import { accountOperations } from './accounts/account-operations'
import { customerOperations } from './customers/customer-operations'
import type { Operation } from './operation'
import { paykeyOperations } from './paykeys/paykey-operations'
import { paymentOperations } from './payments/payment-operations'
import { searchPayments } from './payments/search-payments'

/** Everything the sandbox answers under /v1; the router is made from this list. */
export const operations: readonly Operation[] = [
  ...paymentOperations,
  searchPayments,
  ...customerOperations,
  ...paykeyOperations,
  ...accountOperations,
]

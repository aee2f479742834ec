import type { AccountTable } from './accounts/account-book'
import type { CapabilityRequestTable } from './capability-requests/capability-request-book'
import type { CustomerTable } from './customers/customer-book'
import type { DeliveryBook } from './events/delivery-book'
import type { EventBook } from './events/event-book'
import type { FundingEventTable } from './funding/funding-event-book'
import type { ApiKeys } from './http/api-keys'
import type { FaultBook } from './http/fault-book'
import type { IdempotencyBook } from './http/idempotency'
import type { Journal } from './http/journal'
import type { RateLimit } from './http/rate-limit'
import type { RequestLog } from './http/request-log'
import type { LinkedBankAccountTable } from './linked-bank-accounts/linked-bank-account-book'
import type { OrganizationTable } from './organizations/organization-book'
import type { PaykeyTable } from './paykeys/paykey-book'
import type { PaymentBook } from './payments/payment-book'
import type { RepresentativeTable } from './representatives/representative-book'
import type { Clock } from './store/clock'
import type { Store } from './store/store'
import type { Timers } from './store/timers'

/** What is seeded: the generator's number and how many charges and payouts to make. */
export type SeedPlan = { seed: number; payments: number }

/** The service's two environments: no real money in the one, rate limits and no simulation in the other. */
export type Environment = 'sandbox' | 'production'

/** Everything one running sandbox is made of; operations and control plane get it whole. */
export type Sandbox = {
  /** Which of the service's two environments it plays. */
  environment: Environment
  store: Store
  clock: Clock
  timers: Timers
  events: EventBook
  deliveries: DeliveryBook
  accounts: AccountTable
  customers: CustomerTable
  paykeys: PaykeyTable
  organizations: OrganizationTable
  representatives: RepresentativeTable
  linkedBankAccounts: LinkedBankAccountTable
  capabilityRequests: CapabilityRequestTable
  fundingEvents: FundingEventTable
  payments: PaymentBook
  keys: ApiKeys
  idempotency: IdempotencyBook
  journal: Journal
  faults: FaultBook
  requests: RequestLog
  rate: RateLimit
  plan: SeedPlan
  /** False while the first seeding or a reset runs; requests get 503 meanwhile. */
  ready: boolean
}

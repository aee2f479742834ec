import type { AccountTable } from './accounts/account-store'
import type { CapabilityRequestTable } from './capability-requests/capability-request-store'
import type { CustomerTable } from './customers/customer-store'
import type { Decisions } from './decisions'
import type { Dialect } from './dialects/dialect'
import type { Environment } from './environment'
import type { DeliveryStore } from './events/delivery-store'
import type { EventStore } from './events/event-store'
import type { FundingEventTable } from './funding/funding-event-store'
import type { ApiKeys } from './http/api-keys'
import type { IdempotencyStore } from './http/idempotency'
import type { Journal } from './http/journal'
import type { PlannedFaults } from './http/planned-faults'
import type { RateLimit } from './http/rate-limit'
import type { RequestLog } from './http/request-log'
import type { LinkedBankAccountTable } from './linked-bank-accounts/linked-bank-account-store'
import type { OrganizationTable } from './organizations/organization-store'
import type { PaykeyTable } from './paykeys/paykey-store'
import type { PaymentStore } from './payments/payment-store'
import type { RepresentativeTable } from './representatives/representative-store'
import type { Clock } from './store/clock'
import type { Store } from './store/store'
import type { Timers } from './store/timers'

/** Seed plan: the random seed, and the number of charges and payouts. */
export type SeedPlan = { seed: number; payments: number }

/** All parts of a running sandbox; operations and the control plane receive it. */
export type Sandbox = {
  environment: Environment
  /** Current dialect; the control plane can change it. */
  dialect: Dialect
  store: Store
  clock: Clock
  timers: Timers
  events: EventStore
  deliveries: DeliveryStore
  /** Notifies payments of decisions about the paykeys and customers they wait for. */
  decisions: Decisions
  accounts: AccountTable
  customers: CustomerTable
  paykeys: PaykeyTable
  organizations: OrganizationTable
  representatives: RepresentativeTable
  linkedBankAccounts: LinkedBankAccountTable
  capabilityRequests: CapabilityRequestTable
  fundingEvents: FundingEventTable
  payments: PaymentStore
  keys: ApiKeys
  idempotency: IdempotencyStore
  journal: Journal
  faults: PlannedFaults
  requests: RequestLog
  rate: RateLimit
  plan: SeedPlan
  /** False during the first seeding or a reset; requests then get a 503. */
  ready: boolean
}

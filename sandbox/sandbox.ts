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

/** What is seeded: the generator's number and how many charges and payouts to make. */
export type SeedPlan = { seed: number; payments: number }

/** Everything one running sandbox is made of; operations and control plane get it whole. */
export type Sandbox = {
  /** Which of the service's two environments it plays. */
  environment: Environment
  /** How it speaks on the wire; the control plane changes it while it runs. */
  dialect: Dialect
  store: Store
  clock: Clock
  timers: Timers
  events: EventStore
  deliveries: DeliveryStore
  /** Tells payments what became of the paykeys and customers they wait for. */
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
  /** False while the first seeding or a reset runs; requests get 503 meanwhile. */
  ready: boolean
}

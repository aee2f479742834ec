import type { AccountTable } from '@/sandbox/accounts/account'
import type { CapabilityRequestTable } from '@/sandbox/capability-requests/capability-request-store'
import type { CustomerTable } from '@/sandbox/customers/customer-store'
import type { Dialect } from '@/sandbox/dialects/dialect'
import type { DeliveryStore } from '@/sandbox/events/delivery-store'
import type { EventStore } from '@/sandbox/events/event-store'
import type { FundingEventTable } from '@/sandbox/funding/funding-event-store'
import type { ApiKeys } from '@/sandbox/http/api-keys'
import type { IdempotencyStore } from '@/sandbox/http/idempotency'
import type { Journal, RequestLog } from '@/sandbox/http/journal'
import type { PlannedFaults } from '@/sandbox/http/planned-faults'
import type { RateLimiter } from '@/sandbox/http/rate-limit'
import type { LinkedBankAccountTable } from '@/sandbox/linked-bank-accounts/linked-bank-account-store'
import type { OrganizationTable } from '@/sandbox/organizations/organization-store'
import type { PaykeyTable } from '@/sandbox/paykeys/paykey-store'
import type { PaymentStore } from '@/sandbox/payments/payment-store'
import type { RepresentativeTable } from '@/sandbox/representatives/representative-store'
import type { Clock, TimerStore } from '@/sandbox/store/clock'
import type { SqliteStore } from '@/sandbox/store/store'
import type { Environment } from './environment'
import type { Integration } from './integration'

type SeedPlan = { seed: number; payments: number }

/**
 * The new status of a paykey or customer, for example after a review. `number` is the number of its
 * row in the sandbox's store. `at` is in milliseconds on the sandbox's clock.
 */
export type StatusDecision = {
  about: 'paykey' | 'customer'
  number: number
  status: string
  at: number
}

export type Sandbox = {
  environment: Environment
  integration: Integration
  dialect: Dialect
  store: SqliteStore
  clock: Clock
  timers: TimerStore
  events: EventStore
  deliveries: DeliveryStore
  /**
   * Resumes or fails the payments that wait for this paykey or customer. Call it in the transaction
   * that saves the new status, after the status is saved.
   */
  decided: (decision: StatusDecision) => void
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
  rate: RateLimiter
  plan: SeedPlan
  /** False during the first seeding and during a reset. Requests then get a 503. */
  ready: boolean
}

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
import type { RateLimit } from '@/sandbox/http/rate-limit'
import type { LinkedBankAccountTable } from '@/sandbox/linked-bank-accounts/linked-bank-account-store'
import type { OrganizationTable } from '@/sandbox/organizations/organization-store'
import type { PaykeyTable } from '@/sandbox/paykeys/paykey-store'
import type { PaymentStore } from '@/sandbox/payments/payment-store'
import type { RepresentativeTable } from '@/sandbox/representatives/representative-store'
import type { Clock, Timers } from '@/sandbox/store/clock'
import type { Store } from '@/sandbox/store/store'
import type { Environment } from './environment'

type SeedPlan = { seed: number; payments: number }

/** A new status of a paykey or customer; `number` is its row number, `at` milliseconds on the sandbox's clock. */
export type Decision = { about: 'paykey' | 'customer'; number: number; status: string; at: number }

export type Sandbox = {
  environment: Environment
  dialect: Dialect
  store: Store
  clock: Clock
  timers: Timers
  events: EventStore
  deliveries: DeliveryStore
  /** Resumes the payments that wait for a decision. Must run in the decision's transaction, after the new status was saved. */
  decided: (decision: Decision) => void
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

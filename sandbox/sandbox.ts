import type { AccountBook } from './accounts/account-book'
import type { CustomerBook } from './customers/customer-book'
import type { ApiKeys } from './http/api-keys'
import type { FaultBook } from './http/fault-book'
import type { IdempotencyBook } from './http/idempotency'
import type { Journal } from './http/journal'
import type { RateLimit } from './http/rate-limit'
import type { RequestLog } from './http/request-log'
import type { PaykeyBook } from './paykeys/paykey-book'
import type { PaymentBook } from './payments/payment-book'
import type { Clock } from './store/clock'
import type { Store } from './store/store'

/** What is seeded: the generator's number and how many charges and payouts to make. */
export type SeedPlan = { seed: number; payments: number }

/** Everything one running sandbox is made of; operations and control plane get it whole. */
export type Sandbox = {
  store: Store
  clock: Clock
  accounts: AccountBook
  customers: CustomerBook
  paykeys: PaykeyBook
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

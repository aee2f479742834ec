import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { accountTable } from './accounts/account-book'
import { bridgeLinksTable } from './bridge/link-from-page'
import { capabilityRequestTable } from './capability-requests/capability-request-book'
import { CustomerTable } from './customers/customer-book'
import { DeliveryBook, deliveriesTable } from './events/delivery-book'
import { EventBook, eventsTable } from './events/event-book'
import { FundingEventTable } from './funding/funding-event-book'
import { ApiKeys } from './http/api-keys'
import { FaultBook } from './http/fault-book'
import { IdempotencyBook, idempotencyTable } from './http/idempotency'
import { Journal, journalTable } from './http/journal'
import { RateLimit } from './http/rate-limit'
import { RequestLog } from './http/request-log'
import { linkedBankAccountTable } from './linked-bank-accounts/linked-bank-account-book'
import { organizationTable } from './organizations/organization-book'
import { PaykeyTable } from './paykeys/paykey-book'
import { PaymentBook } from './payments/payment-book'
import { paymentsTable } from './payments/payment-table'
import { representativeTable } from './representatives/representative-book'
import type { Sandbox } from './sandbox'
import { Clock } from './store/clock'
import { makePrivate } from './store/private-file'
import { settingsTable } from './store/settings'
import { Store } from './store/store'
import { Timers, timersTable } from './store/timers'
import type { World } from './worlds'

/** What every world keeps in its store; making it makes the tables. */
function booksOf(store: Store, webhook: string | undefined) {
  for (const table of [
    settingsTable,
    timersTable,
    eventsTable,
    deliveriesTable,
    paymentsTable,
    idempotencyTable,
    journalTable,
    bridgeLinksTable,
  ]) {
    store.exec(table)
  }
  const deliveries = new DeliveryBook(store, webhook)
  return {
    timers: new Timers(store),
    events: new EventBook(store, deliveries),
    deliveries,
    accounts: accountTable(store),
    customers: new CustomerTable(store),
    paykeys: new PaykeyTable(store),
    organizations: organizationTable(store),
    representatives: representativeTable(store),
    linkedBankAccounts: linkedBankAccountTable(store),
    capabilityRequests: capabilityRequestTable(store),
    fundingEvents: new FundingEventTable(store),
    payments: new PaymentBook(store),
    idempotency: new IdempotencyBook(store),
    journal: new Journal(store),
  }
}

/** The tables as this version of the sandbox makes them. */
function ownSchema(): string {
  const store = new Store(':memory:')
  booksOf(store, undefined)
  const schema = store.schema()
  store.close()
  return schema
}

/** Opens a world's database. What another version wrote is copied to `<name>.before` and emptied: its documents may lack what this one reads. */
function openStore(file: string): Store {
  const store = new Store(file)
  const schema = store.schema()
  if (schema === '' || schema === ownSchema()) return store
  const before = `${file}.before`
  rmSync(before, { force: true })
  store.copyTo(before)
  chmodSync(before, 0o600)
  store.empty()
  console.log(`${file} was written by another version: kept as ${before}, and a new platform is seeded`)
  return store
}

/**
 * Opens everything of a world but its port. `webhook` is the address events are delivered to. Throws `SQLITE_BUSY` for a folder that another
 * process has open.
 */
export async function openSandbox(world: World, webhook: string | undefined): Promise<Sandbox> {
  const file = join(world.data, 'sandbox.db')
  makePrivate(file)
  const store = openStore(file)
  const books = booksOf(store, webhook)
  return {
    environment: world.environment,
    store,
    clock: new Clock(store, world.speed, world.now),
    ...books,
    keys: await ApiKeys.open(world.data, world.environment),
    faults: new FaultBook(),
    requests: new RequestLog(),
    rate: new RateLimit(world.rate),
    plan: { seed: world.seed, payments: world.payments },
    ready: false,
  }
}

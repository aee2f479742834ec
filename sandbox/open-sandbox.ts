import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { accountTable } from '@/sandbox/accounts/account'
import { bridgeLinksTable } from '@/sandbox/bridge/link-from-page'
import { capabilityRequestTable } from '@/sandbox/capability-requests/capability-request-store'
import { CustomerTable } from '@/sandbox/customers/customer-store'
import { type Dialect, documentDialect } from '@/sandbox/dialects/dialect'
import { createDialect } from '@/sandbox/dialects/dialects'
import { DeliveryStore, deliveriesTable } from '@/sandbox/events/delivery-store'
import { EventStore, eventsTable } from '@/sandbox/events/event-store'
import { FundingEventTable } from '@/sandbox/funding/funding-event-store'
import { ApiKeys } from '@/sandbox/http/api-keys'
import { IdempotencyStore, idempotencyTable } from '@/sandbox/http/idempotency'
import { Journal, journalTable, RequestLog } from '@/sandbox/http/journal'
import { PlannedFaults } from '@/sandbox/http/planned-faults'
import { RateLimit } from '@/sandbox/http/rate-limit'
import { linkedBankAccountTable } from '@/sandbox/linked-bank-accounts/linked-bank-account-store'
import { organizationTable } from '@/sandbox/organizations/organization-store'
import { PaykeyTable } from '@/sandbox/paykeys/paykey-store'
import { resumeAfterDecision } from '@/sandbox/payments/payment-moves'
import { PaymentStore, paymentsTable } from '@/sandbox/payments/payment-store'
import { representativeTable } from '@/sandbox/representatives/representative-store'
import { Clock, Timers, timersTable } from '@/sandbox/store/clock'
import { makeFilePrivate, Store, settingsTable } from '@/sandbox/store/store'
import type { EnvironmentSettings } from './environment-settings'
import type { Sandbox } from './sandbox'

function createStores(store: Store, webhook: string | undefined, dialect: () => Dialect) {
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
  const deliveries = new DeliveryStore(store, webhook)
  return {
    timers: new Timers(store),
    events: new EventStore(store, deliveries, (data, resource) => dialect().event(data, resource)),
    deliveries,
    accounts: accountTable(store),
    customers: new CustomerTable(store),
    paykeys: new PaykeyTable(store),
    organizations: organizationTable(store),
    representatives: representativeTable(store),
    linkedBankAccounts: linkedBankAccountTable(store),
    capabilityRequests: capabilityRequestTable(store),
    fundingEvents: new FundingEventTable(store),
    payments: new PaymentStore(store),
    idempotency: new IdempotencyStore(store),
    journal: new Journal(store),
  }
}

function readCurrentSchema(): string {
  const store = new Store(':memory:')
  createStores(store, undefined, () => documentDialect)
  const schema = store.schema()
  store.close()
  return schema
}

/**
 * Opens the database file. If another version of the sandbox wrote it, copies it to `<name>.before` and empties it, because its documents
 * may lack fields that this version reads.
 */
function openStore(file: string): Store {
  const store = new Store(file)
  const schema = store.schema()
  if (schema === '' || schema === readCurrentSchema()) return store
  const backupFile = `${file}.before`
  rmSync(backupFile, { force: true })
  store.copyTo(backupFile)
  chmodSync(backupFile, 0o600)
  store.empty()
  console.log(`${file} was written by another version: kept as ${backupFile}, and a new platform is seeded`)
  return store
}

/**
 * Opens the parts of one sandbox, except its HTTP server. `webhook` is the URL that receives events. Throws `SQLITE_BUSY` if another
 * process uses the data folder.
 */
export async function openSandbox(settings: EnvironmentSettings, webhook: string | undefined): Promise<Sandbox> {
  const file = join(settings.data, 'sandbox.db')
  makeFilePrivate(file)
  const store = openStore(file)
  const stores = createStores(store, webhook, () => sandbox.dialect)
  const sandbox: Sandbox = {
    environment: settings.environment,
    dialect: createDialect(settings.dialect, settings.seed),
    store,
    clock: new Clock(store, settings.speed, settings.now),
    ...stores,
    keys: await ApiKeys.open(settings.data, settings.environment),
    decided: (decision) => resumeAfterDecision(sandbox, decision),
    faults: new PlannedFaults(),
    requests: new RequestLog(),
    rate: new RateLimit(settings.rate),
    plan: { seed: settings.seed, payments: settings.payments },
    ready: false,
  }
  return sandbox
}

import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createAccountTable } from '@/sandbox/accounts/account'
import { bridgeLinksTableSql } from '@/sandbox/bridge/link-from-page'
import { createCapabilityRequestTable } from '@/sandbox/capability-requests/capability-request-store'
import { CustomerTable } from '@/sandbox/customers/customer-store'
import { type Dialect, documentedDialect } from '@/sandbox/dialects/dialect'
import { createDialect } from '@/sandbox/dialects/dialects'
import { DeliveryStore, deliveriesTableSql } from '@/sandbox/events/delivery-store'
import { EventStore, eventsTableSql } from '@/sandbox/events/event-store'
import { FundingEventTable } from '@/sandbox/funding/funding-event-store'
import { ApiKeys } from '@/sandbox/http/api-keys'
import { IdempotencyStore, idempotencyTableSql } from '@/sandbox/http/idempotency'
import { Journal, journalTableSql, RequestLog } from '@/sandbox/http/journal'
import { PlannedFaults } from '@/sandbox/http/planned-faults'
import { RateLimiter } from '@/sandbox/http/rate-limit'
import { createLinkedBankAccountTable } from '@/sandbox/linked-bank-accounts/linked-bank-account-store'
import { createOrganizationTable } from '@/sandbox/organizations/organization-store'
import { PaykeyTable } from '@/sandbox/paykeys/paykey-store'
import { resumeWaitingPayments } from '@/sandbox/payments/payment-moves'
import { PaymentStore, paymentTablesSql } from '@/sandbox/payments/payment-store'
import { createRepresentativeTable } from '@/sandbox/representatives/representative-store'
import { Clock, TimerStore, timersTableSql } from '@/sandbox/store/clock'
import {
  makeFilePrivate,
  readSetting,
  SqliteStore,
  settingsTableSql,
  writeSetting,
} from '@/sandbox/store/store'
import type { EnvironmentSettings } from './environment-settings'
import type { Sandbox } from './sandbox'

function createStores(
  store: SqliteStore,
  webhookUrl: string | undefined,
  getDialect: () => Dialect,
) {
  for (const table of [
    settingsTableSql,
    timersTableSql,
    eventsTableSql,
    deliveriesTableSql,
    paymentTablesSql,
    idempotencyTableSql,
    journalTableSql,
    bridgeLinksTableSql,
  ]) {
    store.exec(table)
  }
  const deliveries = new DeliveryStore(store, webhookUrl)
  return {
    timers: new TimerStore(store),
    events: new EventStore(store, deliveries, (data, resource) =>
      getDialect().event(data, resource),
    ),
    deliveries,
    accounts: createAccountTable(store),
    customers: new CustomerTable(store),
    paykeys: new PaykeyTable(store),
    organizations: createOrganizationTable(store),
    representatives: createRepresentativeTable(store),
    linkedBankAccounts: createLinkedBankAccountTable(store),
    capabilityRequests: createCapabilityRequestTable(store),
    fundingEvents: new FundingEventTable(store),
    payments: new PaymentStore(store),
    idempotency: new IdempotencyStore(store),
    journal: new Journal(store),
  }
}

function readCurrentSchema(): string {
  const store = new SqliteStore(':memory:')
  createStores(store, undefined, () => documentedDialect)
  const schema = store.schema()
  store.close()
  return schema
}

/**
 * Opens the database file. A file of another sandbox version may lack fields, so it is copied to
 * `<name>.before` and emptied. The platform is then seeded again.
 */
function openStore(file: string): SqliteStore {
  const store = new SqliteStore(file)
  const schema = store.schema()
  if (schema === '' || schema === readCurrentSchema()) return store
  const backupFile = `${file}.before`
  rmSync(backupFile, { force: true })
  store.copyTo(backupFile)
  chmodSync(backupFile, 0o600)
  store.empty()
  console.log(
    `${file} was written by another version: kept as ${backupFile}, and a new platform is seeded`,
  )
  return store
}

/**
 * Throws Error if the folder has data of another kind of integration, because the owners of its
 * objects would be wrong.
 */
function requireSameIntegration(
  store: SqliteStore,
  { integration, data }: EnvironmentSettings,
): void {
  store.exec(settingsTableSql)
  const storedIntegration = readSetting(store, 'integration')
  if (storedIntegration === undefined) writeSetting(store, 'integration', integration)
  else if (storedIntegration !== integration)
    throw new Error(
      `the folder ${data} has data of --integration ${storedIntegration}; start with that, or choose another folder with --data`,
    )
}

/**
 * Throws `SQLITE_BUSY` if another process uses the data folder, and Error if the folder has data of
 * another kind of integration.
 */
export async function openSandbox(
  settings: EnvironmentSettings,
  webhookUrl: string | undefined,
): Promise<Sandbox> {
  const storeFile = join(settings.data, 'sandbox.db')
  makeFilePrivate(storeFile)
  const store = openStore(storeFile)
  requireSameIntegration(store, settings)
  const stores = createStores(store, webhookUrl, () => sandbox.dialect)
  const sandbox: Sandbox = {
    environment: settings.environment,
    integration: settings.integration,
    dialect: createDialect(settings.dialect, settings.seed),
    store,
    clock: new Clock(store, settings.speed, settings.now),
    ...stores,
    keys: await ApiKeys.open(settings.data, settings.environment),
    decided: (decision) => resumeWaitingPayments(sandbox, decision),
    faults: new PlannedFaults(),
    requests: new RequestLog(),
    rate: new RateLimiter(settings.rate),
    plan: { seed: settings.seed, payments: settings.payments },
    ready: false,
  }
  return sandbox
}

import type { Sandbox } from '@/sandbox/sandbox'
import { Random } from '@/sandbox/store/random'
import { readSetting, writeSetting } from '@/sandbox/store/store'
import {
  seedCapabilityRequests,
  seedOrganizations,
  seedRepresentatives,
} from './seed-account-objects'
import { seedAccounts } from './seed-accounts'
import { seedCustomers } from './seed-customers'
import { FundingEventSeeder } from './seed-funding'
import { heldPayoutCount, makeHeldPayout } from './seed-holds'
import { seedLinkedBankAccounts } from './seed-linked-bank-accounts'
import { type SeededPaykey, seedPaykeys } from './seed-paykeys'
import { type FollowUpPools, makeSeededPayment } from './seed-payments'
import { makeSeedTime, type SeedTime } from './seed-time'

function seedPlatform(sandbox: Sandbox, random: Random, time: SeedTime): void {
  // Use a separate random generator, so that a change to accounts or organizations does not change
  // the customers and payments of the same seed.
  const platformRandom = new Random(sandbox.plan.seed + 1)
  const organizations = seedOrganizations(sandbox, random, platformRandom, time)
  const accounts = seedAccounts(sandbox, random, platformRandom, time, organizations)
  seedRepresentatives(sandbox, platformRandom, time, accounts)
  seedLinkedBankAccounts(sandbox, platformRandom, time, accounts)
  seedCapabilityRequests(sandbox, platformRandom, time, accounts)
}

export type ReportProgress = (done: number, total: number) => void

const batchSize = 2_000

/**
 * The tables that each seeding empties: all that contain seeded data or data of requests. API keys
 * and the clock stay unchanged.
 */
const tablesToEmpty = [
  'payment_words',
  'payment_facts',
  'payments',
  'funding_events',
  'funding_lines',
  'organizations',
  'representatives',
  'linked_bank_accounts',
  'capability_requests',
  'paykeys',
  'paykey_evidence',
  'blocked_bank_accounts',
  'bridge_links',
  'customer_reviews',
  'customers',
  'accounts',
  'idempotency',
  'journal',
  'timers',
  'events',
  'deliveries',
  'delivery_attempts',
] as const

function deleteAllData(sandbox: Sandbox): void {
  sandbox.store.transaction(() => {
    writeSetting(sandbox.store, 'seeded', '')
    for (const table of tablesToEmpty) sandbox.store.run(`DELETE FROM ${table}`)
    sandbox.store.run('DELETE FROM sqlite_sequence')
  })
  const {
    accounts,
    customers,
    paykeys,
    fundingEvents,
    organizations,
    representatives,
    linkedBankAccounts,
    capabilityRequests,
  } = sandbox
  const docTables = [
    accounts,
    customers,
    paykeys,
    fundingEvents,
    organizations,
    representatives,
    linkedBankAccounts,
    capabilityRequests,
  ]
  for (const table of docTables) table.forget()
  sandbox.deliveries.forget()
}

/** Returns false if a seeding was interrupted. */
export const isSeeded = (sandbox: Sandbox): boolean =>
  (readSetting(sandbox.store, 'seeded') ?? '') !== ''

/**
 * Deletes all data and seeds the sandbox. The same seed and number of payments give the same
 * objects, ids and amounts. Each batch of payments is one transaction, so that other work can run
 * between two batches. The setting `seeded` is written last, so that an interrupted seeding counts
 * as incomplete.
 */
export async function seedSandbox(sandbox: Sandbox, reportProgress: ReportProgress): Promise<void> {
  const { seed, payments } = sandbox.plan
  const random = new Random(seed)
  const seedTime = makeSeedTime(sandbox.clock.now())
  deleteAllData(sandbox)
  const paykeys = sandbox.store.transaction(() => {
    seedPlatform(sandbox, random, seedTime)
    return seedPaykeys(sandbox, random, seedTime, seedCustomers(sandbox, random, seedTime))
  })
  const fundingEventSeeder = new FundingEventSeeder(sandbox, seedTime)
  const seedPaymentRange = createPaymentSeeder(
    sandbox,
    random,
    seedTime,
    paykeys,
    fundingEventSeeder,
  )
  for (let seededCount = 0; seededCount < payments; seededCount += batchSize) {
    sandbox.store.transaction(() =>
      seedPaymentRange(seededCount, Math.min(seededCount + batchSize, payments)),
    )
    reportProgress(Math.min(seededCount + batchSize, payments), payments)
    await new Promise((resolve) => setImmediate(resolve))
  }
  sandbox.store.transaction(() => {
    fundingEventSeeder.write(random)
    sandbox.payments.indexWords()
    writeSetting(sandbox.store, 'seeded', JSON.stringify(sandbox.plan))
  })
  sandbox.store.checkpoint()
  sandbox.payments.load()
}

function createPaymentSeeder(
  sandbox: Sandbox,
  random: Random,
  time: SeedTime,
  paykeys: readonly SeededPaykey[],
  funding: FundingEventSeeder,
) {
  const { payments } = sandbox.plan
  const unheldPaymentCount = payments - Math.min(heldPayoutCount, payments)
  const activePaykeys = paykeys.filter((paykey) => paykey.status === 'active')
  const followUpPools: FollowUpPools = { open: [], linked: [] }
  return (firstIndex: number, endIndex: number): void => {
    for (let index = firstIndex; index < endIndex; index++) {
      const seededPayment =
        index < unheldPaymentCount
          ? makeSeededPayment(
              random,
              time,
              random.pick(activePaykeys),
              index,
              unheldPaymentCount,
              followUpPools,
            )
          : makeHeldPayout(sandbox, random, time, paykeys, index - unheldPaymentCount, index)
      funding.take(seededPayment)
      sandbox.payments.write(seededPayment)
    }
    for (const original of followUpPools.linked.splice(0)) sandbox.payments.rewrite(original)
  }
}

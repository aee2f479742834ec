import type { Sandbox } from '@/sandbox/sandbox'
import { Random } from '@/sandbox/store/random'
import { readSetting, writeSetting } from '@/sandbox/store/store'
import { seedCapabilityRequests, seedOrganizations, seedRepresentatives } from './seed-account-objects'
import { seedAccounts, seedLinkedBankAccounts } from './seed-accounts'
import { type SeededPaykey, seedCustomers, seedPaykeys } from './seed-customers'
import { SeededFunding } from './seed-funding'
import { heldCount, makeHeldPayout } from './seed-holds'
import { type FollowUps, makeSeededPayment } from './seed-payments'
import { makeSeedTime, type SeedTime } from './seed-time'

function seedPlatform(sandbox: Sandbox, random: Random, time: SeedTime): void {
  // A generator of its own, so that changes here do not change the customers and payments of a seed.
  const platformRandom = new Random(sandbox.plan.seed + 1)
  const organizations = seedOrganizations(sandbox, random, platformRandom, time)
  const accounts = seedAccounts(sandbox, random, platformRandom, time, organizations)
  seedRepresentatives(sandbox, platformRandom, time, accounts)
  seedLinkedBankAccounts(sandbox, platformRandom, time, accounts)
  seedCapabilityRequests(sandbox, platformRandom, time, accounts)
}

export type Progress = (done: number, total: number) => void

const batchSize = 2_000

/** Tables whose rows seeding deletes: all that seeding or requests fill. API keys and the clock stay. */
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
  const { accounts, customers, paykeys, fundingEvents, organizations, representatives, linkedBankAccounts, capabilityRequests } = sandbox
  const tables = [accounts, customers, paykeys, fundingEvents, organizations, representatives, linkedBankAccounts, capabilityRequests]
  for (const table of tables) table.forget()
  sandbox.deliveries.forget()
}

/** True if the data folder has complete seeded data. After an interrupted seeding it is false. */
export const isSeeded = (sandbox: Sandbox): boolean => (readSetting(sandbox.store, 'seeded') ?? '') !== ''

/**
 * Deletes all data and seeds it again by the plan. The same seed number and size give the same objects, ids and amounts. Works in batches
 * of one transaction each, and lets other work run between them. Sets the `seeded` setting last.
 */
export async function seedSandbox(sandbox: Sandbox, progress: Progress): Promise<void> {
  const { seed, payments } = sandbox.plan
  const random = new Random(seed)
  const time = makeSeedTime(sandbox.clock.now())
  deleteAllData(sandbox)
  const paykeys = sandbox.store.transaction(() => {
    seedPlatform(sandbox, random, time)
    return seedPaykeys(sandbox, random, time, seedCustomers(sandbox, random, time))
  })
  const funding = new SeededFunding(sandbox, time)
  const makePayment = createPaymentMaker(sandbox, random, time, paykeys, funding)
  for (let done = 0; done < payments; done += batchSize) {
    sandbox.store.transaction(() => makePayment(done, Math.min(done + batchSize, payments)))
    progress(Math.min(done + batchSize, payments), payments)
    await new Promise((resolve) => setImmediate(resolve))
  }
  sandbox.store.transaction(() => {
    funding.write(random)
    sandbox.payments.indexWords()
    writeSetting(sandbox.store, 'seeded', JSON.stringify(sandbox.plan))
  })
  sandbox.store.checkpoint()
  sandbox.payments.load()
}

function createPaymentMaker(sandbox: Sandbox, random: Random, time: SeedTime, paykeys: readonly SeededPaykey[], funding: SeededFunding) {
  const { payments } = sandbox.plan
  const unheldCount = payments - Math.min(heldCount, payments)
  const activePaykeys = paykeys.filter((paykey) => paykey.status === 'active')
  const followUps: FollowUps = { open: [], linked: [] }
  return (from: number, to: number): void => {
    for (let index = from; index < to; index++) {
      const payment =
        index < unheldCount
          ? makeSeededPayment(random, time, random.pick(activePaykeys), index, unheldCount, followUps)
          : makeHeldPayout(sandbox, random, time, paykeys, index - unheldCount, index)
      funding.take(payment)
      sandbox.payments.write(payment)
    }
    for (const original of followUps.linked.splice(0)) sandbox.payments.rewrite(original)
  }
}

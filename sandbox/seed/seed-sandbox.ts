import type { Sandbox } from '@/sandbox/sandbox'
import { Random } from '@/sandbox/store/random'
import { readSetting, writeSetting } from '@/sandbox/store/settings'
import { seedAccounts } from './seed-accounts'
import { heldCount, makeHeld } from './seed-holds'
import { type FollowUps, fundingCount, makePayment } from './seed-payments'
import { type SeededPaykey, seedPeople } from './seed-people'
import { type SeedTime, seedTimeUntil } from './seed-time'

/** Told how many payments are made, of how many. */
export type Progress = (done: number, total: number) => void

const batchSize = 2_000

/** Empties every table that a seed or a request fills. API keys and the clock stay. */
const wiped = [
  'payment_words',
  'payment_facts',
  'payments',
  'funding_events',
  'paykeys',
  'customers',
  'accounts',
  'idempotency',
  'journal',
] as const

function wipe(sandbox: Sandbox): void {
  sandbox.store.transaction(() => {
    writeSetting(sandbox.store, 'seeded', '')
    for (const table of wiped) sandbox.store.run(`DELETE FROM ${table}`)
    sandbox.store.run("DELETE FROM sqlite_sequence WHERE name = 'journal'")
  })
  sandbox.accounts.forget()
}

/** True when the data folder holds a complete platform; a seeding that was interrupted does not count. */
export const isSeeded = (sandbox: Sandbox): boolean => (readSetting(sandbox.store, 'seeded') ?? '') !== ''

/**
 * Wipes and fills the store from the plan: the same seed number and size give the same objects, ids and amounts. It works in
 * batches, each a transaction, and lets the process breathe in between; the mark that says complete is written last.
 */
export async function seedSandbox(sandbox: Sandbox, progress: Progress): Promise<void> {
  const { seed, payments } = sandbox.plan
  const random = new Random(seed)
  const time = seedTimeUntil(sandbox.clock.now())
  wipe(sandbox)
  const paykeys = sandbox.store.transaction(() => {
    seedAccounts(sandbox.accounts, random, time)
    for (let n = 1; n <= fundingCount; n++) {
      sandbox.store.run('INSERT INTO funding_events (n, id) VALUES (?, ?)', n, time.id(random, time.start))
    }
    return seedPeople(sandbox, random, time)
  })
  const make = paymentMaker(sandbox, random, time, paykeys)
  for (let done = 0; done < payments; done += batchSize) {
    sandbox.store.transaction(() => make(done, Math.min(done + batchSize, payments)))
    progress(Math.min(done + batchSize, payments), payments)
    await new Promise((resolve) => setImmediate(resolve))
  }
  sandbox.store.transaction(() => {
    sandbox.payments.indexWords()
    writeSetting(sandbox.store, 'seeded', JSON.stringify(sandbox.plan))
  })
  sandbox.store.checkpoint()
  sandbox.payments.load()
}

/** Gives a function that makes and writes the payments numbered `from` up to, not including, `to`; the held ones come last. */
function paymentMaker(sandbox: Sandbox, random: Random, time: SeedTime, paykeys: readonly SeededPaykey[]) {
  const { payments } = sandbox.plan
  const free = payments - Math.min(heldCount, payments)
  const usable = paykeys.filter((paykey) => paykey.status === 'active')
  const followUps: FollowUps = { open: [], linked: [] }
  return (from: number, to: number): void => {
    for (let index = from; index < to; index++) {
      const payment =
        index < free
          ? makePayment(random, time, random.pick(usable), index, free, followUps)
          : makeHeld(sandbox, random, time, paykeys, index - free, index)
      sandbox.payments.write(payment)
    }
    for (const original of followUps.linked.splice(0)) sandbox.payments.rewrite(original)
  }
}

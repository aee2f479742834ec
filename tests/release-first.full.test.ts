import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CallPriority } from '@/lib/server/auth/scoped-account'
import { shrinkBudget } from '@/lib/server/service/budget'
import { admitCall, waitForRecentWrites } from '@/lib/server/service/rate-limit'
import { getDatabase } from '@/lib/server/store/store'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { configureEnvForSandbox } from './harness/mirror'
import { openTestStore } from './harness/own-store'
import { type Person, signIn } from './harness/person'
import { type Postgres, startPostgres } from './harness/postgres'
import { type Sandbox, startSandbox } from './harness/sandbox'
import { storeKinds } from './harness/store-kinds'
import { waitUntil } from './harness/wait-until'

const callsPerSecond = 20
const tabCount = 50

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ payments: 3000 })
  configureEnvForSandbox(sandbox)
  process.env.SERVICE_SANDBOX_RATE_LIMIT = String(callsPerSecond)
})
afterAll(() => sandbox?.stop())

describe.each(storeKinds)('waiting calls, on %s', (kind) => {
  let closeOwnStore: () => Promise<void>
  beforeEach(async () => {
    // A call that waits for the rate limit times out by the clock of `performance`. While this
    // clock is fake, no call times out, however slow the test is.
    vi.useFakeTimers({ toFake: ['performance'] })
    closeOwnStore = await openTestStore(kind)
  })
  afterEach(async () => {
    vi.useRealTimers()
    await closeOwnStore?.()
  })

  test('are granted by urgency: a release before earlier reads of fifty tabs, and no import call', async () => {
    const grantedPriorities: CallPriority[] = []
    const requestAdmission = async (priority: CallPriority) => {
      const refusal = await admitCall('sandbox', { person: null, priority })
      if (!refusal) grantedPriorities.push(priority)
      return refusal
    }
    await shrinkBudget('sandbox', 60)
    const readPromises = Array.from({ length: tabCount }, () => requestAdmission('read'))
    expect(await requestAdmission('background')).toMatchObject({ fault: 'over_budget' })
    const releasePromises = Array.from({ length: 6 }, () => requestAdmission('write'))
    expect(grantedPriorities).toEqual([])
    await (await getDatabase()).execute(
      sql`update service_budgets set paused_until = now(), share = 1`,
    )
    expect(await Promise.all(releasePromises)).toEqual(releasePromises.map(() => null))
    await Promise.race(readPromises)
    expect(grantedPriorities.slice(0, 7)).toEqual([...releasePromises.map(() => 'write'), 'read'])
    vi.useRealTimers()
    await Promise.all(readPromises)
  })
})

/**
 * Expected values after each step of the fake clock: true if `waitForRecentWrites` has returned. On
 * PGlite it waits for writes, on PostgreSQL it returns at once.
 */
const expectedWaitEndsByStore = { PGlite: [false, false, true], PostgreSQL: [true, true, true] }

test.each(storeKinds)(
  'background work that no request waits for yields on %s during a release',
  async (kind) => {
    const closeStore = await openTestStore(kind)
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] })
    try {
      let hasWaitEnded = false
      await admitCall('sandbox', { person: null, priority: 'write' })
      const waitPromise = waitForRecentWrites().then(() => {
        hasWaitEnded = true
      })
      const waitEndedByStep: boolean[] = []
      for (const milliseconds of [250, 250, 51]) {
        await vi.advanceTimersByTimeAsync(milliseconds)
        waitEndedByStep.push(hasWaitEnded)
        if (waitEndedByStep.length === 1)
          void admitCall('sandbox', { person: null, priority: 'write' })
      }
      expect(waitEndedByStep).toEqual(expectedWaitEndsByStore[kind])
      await waitPromise
    } finally {
      vi.useRealTimers()
      await closeStore()
    }
  },
)

describe('a server whose limit is used up by fifty tabs during an import', () => {
  let postgres: Postgres
  let dashboard: Dashboard
  let db: Client
  let operator: Person

  beforeAll(async () => {
    // The service's limit is higher than Paydesk's own, because calls that Paydesk sends in
    // different seconds may arrive in the same second.
    await sandbox.rateLimit(callsPerSecond * 1.5)
    postgres = await startPostgres()
    dashboard = await startDashboard({
      serviceUrl: sandbox.url,
      apiKey: sandbox.keys.full,
      databaseUrl: postgres.url,
      env: { SERVICE_SANDBOX_RATE_LIMIT: String(callsPerSecond), MIRROR_SYNC: 'on' },
    })
    db = new Client(postgres.url)
    await db.connect()
    operator = await signIn(dashboard.url)
  })
  afterAll(async () => {
    await db?.end()
    await dashboard?.stop()
    await postgres?.stop()
    await sandbox?.rateLimit(null)
  })

  const isImporting = async () =>
    (await db.query('select 1 from sync_state where finished_at is null')).rows.length > 0

  test('handles releases at once, ahead of waiting reads, within the service’s limit', async () => {
    const payouts = await Promise.all(Array.from({ length: 5 }, () => sandbox.makePayout()))
    await waitUntil('the import to begin', async () => ((await isImporting()) ? true : null))
    const seqBefore = await sandbox.lastSeq()
    let areTabsStopped = false
    const rejectedStatuses: number[] = []
    const pollPaymentsLikeTab = async () => {
      while (!areTabsStopped) {
        const { status } = await operator.get('/api/sandbox/v1/payments?page_size=10')
        if (status === 429) rejectedStatuses.push(status)
      }
    }
    const tabPollPromises = Array.from({ length: tabCount }, pollPaymentsLikeTab)
    try {
      await waitUntil('reads to be shed', () => (rejectedStatuses.length > 0 ? true : null))
      for (const payout of payouts) {
        const { status, body } = await operator.decide('release', payout)
        expect([status, body.action?.state]).toEqual([200, 'applied'])
      }
      expect(await isImporting()).toBe(true)
    } finally {
      areTabsStopped = true
      await Promise.all(tabPollPromises)
    }
    for (const { id } of payouts)
      expect((await sandbox.journal(id)).map(({ operation }) => operation)).toEqual([
        'payouts.release',
      ])
    expect((await sandbox.requests(seqBefore)).filter(({ status }) => status === 429)).toEqual([])
  })
})

import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { schemas } from '@/lib/operations/registry'
import { createMirrorScope } from '@/lib/server/auth/scoped-account'
import { upsertObjects } from '@/lib/server/mirror/upsert-objects'
import { readService } from '@/lib/server/service/service-read'
import { database } from '@/lib/server/store/store'
import { runSyncPass } from '@/lib/server/sync/pass'
import { configureForSandbox, expectMirrorAccounts, fetchServiceRows, makeOwnPayout, sendToService } from './harness/mirror'
import { openOwnStore } from './harness/own-store'
import { type Sandbox, startSandbox } from './harness/sandbox'
import { storeKinds } from './harness/store-kinds'
import { waitUntil } from './harness/wait-until'

let sandbox: Sandbox
let accounts: string[]
/** The id of the last account, which a sync reads after all others. */
let lastAccount: string

beforeAll(async () => {
  sandbox = await startSandbox({ payments: 300 })
  configureForSandbox(sandbox)
  accounts = (await fetchServiceRows(sandbox, 'accounts')).filter(({ status }) => status === 'active').map(({ id }) => id)
  lastAccount = [...accounts].sort().at(-1) ?? ''
})
afterAll(() => sandbox?.stop())

const environment = 'sandbox' as const
const runSync = () => runSyncPass({ environment, until: Date.now() + 3_600_000, signal: new AbortController().signal })

const runSql = async <T>(statement: ReturnType<typeof sql>) =>
  ((await (await database()).execute(statement)) as unknown as { rows: T[] }).rows

type Resource = 'payments' | 'customers' | 'paykeys' | 'funding_events'
const readMirrorRow = async (resource: Resource, id: string) =>
  (await runSql<{ account_id: string | null }>(sql`select account_id from ${sql.identifier(`mirror_${resource}`)} where id = ${id}`))[0]

/** Returns the searches that the service received for a single account, not for the whole platform. */
const listSearchesSince = async (seq: number) =>
  (await sandbox.requests(seq)).filter(({ path, account_header }) => account_header !== null && !/\/(payouts|charges)\//.test(path))

/** Stores a payout whose customer and account are unknown. Returns its id. */
async function storeUnknownPayout(more: object = {}): Promise<string> {
  const [object] = schemas['payments.search'].output.parse([
    { id: randomUUID(), payment_type: 'payout', status: 'paid', amount: 100, created_at: new Date().toISOString(), ...more },
  ])
  if (!object) throw new Error('no payment')
  await upsertObjects({ environment, resource: 'payments', account: null, objects: [object], seenBy: 'read', seenAt: new Date() })
  return object.id
}

describe.each(storeKinds)('on %s', (kind) => {
  let stop: () => Promise<void>
  beforeEach(async () => {
    stop = await openOwnStore(kind)
    expect(await runSync()).toBe('done')
  })
  afterEach(() => stop?.())

  test('a new object has no account at its first read, and the next pass finds it', async () => {
    const { customer, payout } = await makeOwnPayout(sandbox, lastAccount)
    await readService('payouts.get', { id: payout.id }, createMirrorScope(environment, null))
    await waitUntil('the row', async () => (await readMirrorRow('payments', payout.id)) ?? null)
    expect(await readMirrorRow('payments', payout.id)).toEqual({ account_id: null })
    const seq = await sandbox.lastSeq()
    expect(await runSync()).toBe('done')
    expect(await readMirrorRow('payments', payout.id)).toEqual({ account_id: lastAccount })
    expect(await readMirrorRow('customers', customer.id)).toEqual({ account_id: lastAccount })
    // Only the customer is searched in each account, because its paykey and payment are in the same account.
    const searches = await listSearchesSince(seq)
    expect(new Set(searches.map(({ path }) => path))).toEqual(new Set(['/v1/customers']))
    expect(searches.length).toBeLessThanOrEqual((await fetchServiceRows(sandbox, 'accounts')).length)
  })

  test('no account is searched for a customer whose account is known', async () => {
    const { customer } = await makeOwnPayout(sandbox, lastAccount)
    await runSync()
    const laterPayout = await makeOwnPayout(sandbox, lastAccount, customer)
    const seq = await sandbox.lastSeq()
    expect(await runSync()).toBe('done')
    expect(await readMirrorRow('payments', laterPayout.payout.id)).toEqual({ account_id: lastAccount })
    expect(await listSearchesSince(seq)).toEqual([])
  })

  test('an object in no account is searched once in each account, and not again', async () => {
    const id = await storeUnknownPayout()
    const seq = await sandbox.lastSeq()
    await runSync()
    const searchedAccounts = (await listSearchesSince(seq)).map(({ account_header }) => account_header)
    expect(searchedAccounts.length).toBeGreaterThan(0)
    expect(new Set(searchedAccounts).size).toBe(searchedAccounts.length)
    const laterSeq = await sandbox.lastSeq()
    await runSync()
    expect(await listSearchesSince(laterSeq)).toEqual([])
    expect(await readMirrorRow('payments', id)).toEqual({ account_id: null })
  })

  test('a pass makes at most fifty such calls, and the next one continues', async () => {
    await runSql(sql`
      insert into mirror_accounts (environment, id, object, seen_at, seen_by, status, name, search)
      select 'sandbox', gen_random_uuid(), '{}', now(), 'read', 'active', '', '' from generate_series(1, 60)`)
    const [{ all } = { all: 0 }] = await runSql<{ all: number }>(sql`select count(*)::int as all from mirror_accounts`)
    await storeUnknownPayout()
    const counts: number[] = []
    while (counts.at(-1) !== 0) {
      const seq = await sandbox.lastSeq()
      await runSync()
      counts.push((await listSearchesSince(seq)).length)
    }
    expect(counts).toEqual([50, all - 50, 0])
  })

  test('rows of one customer share their account', async () => {
    const customer = randomUUID()
    const firstPayout = await storeUnknownPayout({ customer_details: { id: customer } })
    await runSql(sql`update mirror_payments set account_id = ${lastAccount} where id = ${firstPayout}`)
    const secondPayout = await storeUnknownPayout({ customer_details: { id: customer } })
    const seq = await sandbox.lastSeq()
    await runSync()
    expect(await readMirrorRow('payments', secondPayout)).toEqual({ account_id: lastAccount })
    expect(await listSearchesSince(seq)).toEqual([])
  })
})

test('an account that fails does not block the search in the others', async () => {
  const closeStore = await openOwnStore('PostgreSQL')
  await runSync()
  const [first = ''] = [...accounts].sort()
  await sandbox.fault({ operation: 'customers.list', match: first, kind: 'status', status: 404, count: null })
  const { customer } = await makeOwnPayout(sandbox, lastAccount)
  await sendToService(sandbox, 'GET', `/customers/${customer.id}`, lastAccount)
  await runSync()
  expect(await readMirrorRow('customers', customer.id)).toEqual({ account_id: lastAccount })
  await sandbox.clearFaults()
  await expectMirrorAccounts(sandbox, [lastAccount], ['payments', 'customers', 'paykeys'])
  await closeStore()
})

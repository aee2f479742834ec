import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { schemas } from '@/lib/operations/registry'
import { mirrorScope } from '@/lib/server/auth/scoped-account'
import { keepObjects } from '@/lib/server/mirror/keep'
import { readService } from '@/lib/server/service/service-read'
import { database } from '@/lib/server/store/store'
import { syncPass } from '@/lib/server/sync/pass'
import { askService, atService, configureAs, expectAccounts, makeOwnPayout } from './harness/mirror'
import { openOwnStore } from './harness/own-store'
import { type Sandbox, startSandbox } from './harness/sandbox'
import { storeKinds } from './harness/store-kinds'
import { until } from './harness/until'

let sandbox: Sandbox
let accounts: string[]
/** The id of the last account, which a sync reads after all others. */
let far: string

beforeAll(async () => {
  sandbox = await startSandbox({ payments: 300 })
  configureAs(sandbox)
  accounts = (await atService(sandbox, 'accounts')).filter(({ status }) => status === 'active').map(({ id }) => id)
  far = [...accounts].sort().at(-1) ?? ''
})
afterAll(() => sandbox?.stop())

const environment = 'sandbox' as const
const pass = () => syncPass({ environment, until: Date.now() + 3_600_000, signal: new AbortController().signal })

const run = async <T>(statement: ReturnType<typeof sql>) => ((await (await database()).execute(statement)) as unknown as { rows: T[] }).rows

type Resource = 'payments' | 'customers' | 'paykeys' | 'funding_events'
const rowOf = async (resource: Resource, id: string) =>
  (await run<{ account_id: string | null }>(sql`select account_id from ${sql.identifier(`mirror_${resource}`)} where id = ${id}`))[0]

/** Returns the searches that the service received for a single account, not for the whole platform. */
const searchesSince = async (seq: number) =>
  (await sandbox.requests(seq)).filter(({ path, account_header }) => account_header !== null && !/\/(payouts|charges)\//.test(path))

/** Stores a payout whose customer and account are unknown. Returns its id. */
async function keepUnknown(more: object = {}): Promise<string> {
  const [object] = schemas['payments.search'].output.parse([
    { id: randomUUID(), payment_type: 'payout', status: 'paid', amount: 100, created_at: new Date().toISOString(), ...more },
  ])
  if (!object) throw new Error('no payment')
  await keepObjects({ environment, resource: 'payments', account: null, objects: [object], seenBy: 'read', seenAt: new Date() })
  return object.id
}

describe.each(storeKinds)('on %s', (kind) => {
  let stop: () => Promise<void>
  beforeEach(async () => {
    stop = await openOwnStore(kind)
    expect(await pass()).toBe('done')
  })
  afterEach(() => stop?.())

  test('a new object has no account at its first read, and the next pass finds it', async () => {
    const { customer, payout } = await makeOwnPayout(sandbox, far)
    await readService('payouts.get', { id: payout.id }, mirrorScope(environment, null))
    await until('the row', async () => (await rowOf('payments', payout.id)) ?? null)
    expect(await rowOf('payments', payout.id)).toEqual({ account_id: null })
    const seq = await sandbox.lastSeq()
    expect(await pass()).toBe('done')
    expect(await rowOf('payments', payout.id)).toEqual({ account_id: far })
    expect(await rowOf('customers', customer.id)).toEqual({ account_id: far })
    // Only the customer is searched in each account, because its paykey and payment are in the same account.
    const searches = await searchesSince(seq)
    expect(new Set(searches.map(({ path }) => path))).toEqual(new Set(['/v1/customers']))
    expect(searches.length).toBeLessThanOrEqual((await atService(sandbox, 'accounts')).length)
  })

  test('no account is searched for a customer whose account is known', async () => {
    const { customer } = await makeOwnPayout(sandbox, far)
    await pass()
    const more = await makeOwnPayout(sandbox, far, customer)
    const seq = await sandbox.lastSeq()
    expect(await pass()).toBe('done')
    expect(await rowOf('payments', more.payout.id)).toEqual({ account_id: far })
    expect(await searchesSince(seq)).toEqual([])
  })

  test('an object in no account is searched once in each account, and not again', async () => {
    const id = await keepUnknown()
    const seq = await sandbox.lastSeq()
    await pass()
    const searchedAccounts = (await searchesSince(seq)).map(({ account_header }) => account_header)
    expect(searchedAccounts.length).toBeGreaterThan(0)
    expect(new Set(searchedAccounts).size).toBe(searchedAccounts.length)
    const then = await sandbox.lastSeq()
    await pass()
    expect(await searchesSince(then)).toEqual([])
    expect(await rowOf('payments', id)).toEqual({ account_id: null })
  })

  test('a pass makes at most fifty such calls, and the next one continues', async () => {
    await run(sql`
      insert into mirror_accounts (environment, id, object, seen_at, seen_by, status, name, search)
      select 'sandbox', gen_random_uuid(), '{}', now(), 'read', 'active', '', '' from generate_series(1, 60)`)
    const [{ all } = { all: 0 }] = await run<{ all: number }>(sql`select count(*)::int as all from mirror_accounts`)
    await keepUnknown()
    const counts: number[] = []
    while (counts.at(-1) !== 0) {
      const seq = await sandbox.lastSeq()
      await pass()
      counts.push((await searchesSince(seq)).length)
    }
    expect(counts).toEqual([50, all - 50, 0])
  })

  test('rows of one customer share their account', async () => {
    const customer = randomUUID()
    const first = await keepUnknown({ customer_details: { id: customer } })
    await run(sql`update mirror_payments set account_id = ${far} where id = ${first}`)
    const second = await keepUnknown({ customer_details: { id: customer } })
    const seq = await sandbox.lastSeq()
    await pass()
    expect(await rowOf('payments', second)).toEqual({ account_id: far })
    expect(await searchesSince(seq)).toEqual([])
  })
})

test('an account that fails does not block the search in the others', async () => {
  const stop = await openOwnStore('PostgreSQL')
  await pass()
  const [first = ''] = [...accounts].sort()
  await sandbox.fault({ operation: 'customers.list', match: first, kind: 'status', status: 404, count: null })
  const { customer } = await makeOwnPayout(sandbox, far)
  await askService(sandbox, 'GET', `/customers/${customer.id}`, far)
  await pass()
  expect(await rowOf('customers', customer.id)).toEqual({ account_id: far })
  await sandbox.clearFaults()
  await expectAccounts(sandbox, [far], ['payments', 'customers', 'paykeys'])
  await stop()
})

import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { schemasByOperation } from '@/lib/operations/registry'
import { createMirrorScope } from '@/lib/server/auth/scoped-account'
import { upsertObjects } from '@/lib/server/mirror/upsert-objects'
import { readService } from '@/lib/server/service/service-read'
import { getDatabase } from '@/lib/server/store/store'
import { runSyncPass } from '@/lib/server/sync/pass'
import {
  configureEnvForSandbox,
  expectMirrorRowAccounts,
  fetchServiceRows,
  makePayoutWithCustomer,
  sendToService,
} from './harness/mirror'
import { openTestStore } from './harness/own-store'
import { type Sandbox, startSandbox } from './harness/sandbox'
import { storeKinds } from './harness/store-kinds'
import { waitUntil } from './harness/wait-until'

let sandbox: Sandbox
let accountIds: string[]
/**
 * The highest account id. A sync reads the accounts in the order of their ids, so it reads this
 * account last.
 */
let lastAccountId: string

beforeAll(async () => {
  sandbox = await startSandbox({ payments: 300 })
  configureEnvForSandbox(sandbox)
  accountIds = (await fetchServiceRows(sandbox, 'accounts'))
    .filter(({ status }) => status === 'active')
    .map(({ id }) => id)
  lastAccountId = [...accountIds].sort().at(-1) ?? ''
})
afterAll(() => sandbox?.stop())

const environment = 'sandbox' as const
const runSync = () =>
  runSyncPass({ environment, until: Date.now() + 3_600_000, signal: new AbortController().signal })

const runSql = async <T>(statement: ReturnType<typeof sql>) =>
  ((await (await getDatabase()).execute(statement)) as unknown as { rows: T[] }).rows

type SyncedResource = 'payments' | 'customers' | 'paykeys' | 'funding_events'
const readMirrorRow = async (resource: SyncedResource, id: string) =>
  (
    await runSql<{ account_id: string | null }>(
      sql`select account_id from ${sql.identifier(`mirror_${resource}`)} where id = ${id}`,
    )
  )[0]

/**
 * Returns the list requests for a single account that the service received after the request number
 * `seq`. Omits requests for the whole platform and reads of one payment.
 */
const listAccountSearchesSince = async (seq: number) =>
  (await sandbox.requests(seq)).filter(
    ({ path, account_header }) => account_header !== null && !/\/(payouts|charges)\//.test(path),
  )

/**
 * Adds accounts to the mirror (our copy of the service’s objects) that the service does not have.
 */
const addMirrorOnlyAccounts = (count: number) =>
  runSql(sql`
    insert into mirror_accounts (environment, id, object, seen_at, seen_by, status, name, search)
    select 'sandbox', gen_random_uuid(), '{}', now(), 'read', 'active', '', '' from generate_series(1, ${count}::int)`)

/**
 * Stores a payout without its account in the mirror. It has no customer either, unless the given
 * fields contain one. Returns its id.
 */
async function storePayoutWithoutAccount(overrides: object = {}): Promise<string> {
  const [object] = schemasByOperation['payments.search'].output.parse([
    {
      id: randomUUID(),
      payment_type: 'payout',
      status: 'paid',
      amount: 100,
      created_at: new Date().toISOString(),
      ...overrides,
    },
  ])
  if (!object) throw new Error('no payment')
  await upsertObjects({
    environment,
    resource: 'payments',
    account: null,
    objects: [object],
    seenBy: 'read',
    seenAt: new Date(),
  })
  return object.id
}

describe.each(storeKinds)('on %s', (kind) => {
  let closeOwnStore: () => Promise<void>
  beforeEach(async () => {
    closeOwnStore = await openTestStore(kind)
    expect(await runSync()).toBe('done')
  })
  afterEach(() => closeOwnStore?.())

  test('a new object has no account at its first read, and the next pass finds it', async () => {
    const { customer, payout } = await makePayoutWithCustomer(sandbox, lastAccountId)
    await readService('payouts.get', { id: payout.id }, createMirrorScope(environment, null))
    await waitUntil('the row', async () => (await readMirrorRow('payments', payout.id)) ?? null)
    expect(await readMirrorRow('payments', payout.id)).toEqual({ account_id: null })
    const seqBefore = await sandbox.lastSeq()
    expect(await runSync()).toBe('done')
    expect(await readMirrorRow('payments', payout.id)).toEqual({ account_id: lastAccountId })
    expect(await readMirrorRow('customers', customer.id)).toEqual({ account_id: lastAccountId })
    // Paydesk searches each account for the customer only, because the customer's paykey and
    // payment belong to the same account.
    const accountSearches = await listAccountSearchesSince(seqBefore)
    expect(new Set(accountSearches.map(({ path }) => path))).toEqual(new Set(['/v1/customers']))
    expect(accountSearches.length).toBeLessThanOrEqual(
      (await fetchServiceRows(sandbox, 'accounts')).length,
    )
  })

  test('no account is searched for a customer whose account is known', async () => {
    const { customer } = await makePayoutWithCustomer(sandbox, lastAccountId)
    await runSync()
    const laterPayout = await makePayoutWithCustomer(sandbox, lastAccountId, customer)
    const seqBeforeSync = await sandbox.lastSeq()
    expect(await runSync()).toBe('done')
    expect(await readMirrorRow('payments', laterPayout.payout.id)).toEqual({
      account_id: lastAccountId,
    })
    expect(await listAccountSearchesSince(seqBeforeSync)).toEqual([])
  })

  test('an object in no account is searched once in each account, and not again', async () => {
    const payoutId = await storePayoutWithoutAccount()
    const seqBeforePass = await sandbox.lastSeq()
    await runSync()
    const searchedAccounts = (await listAccountSearchesSince(seqBeforePass)).map(
      ({ account_header }) => account_header,
    )
    expect(searchedAccounts.length).toBeGreaterThan(0)
    expect(new Set(searchedAccounts).size).toBe(searchedAccounts.length)
    const seqBeforeSecondSync = await sandbox.lastSeq()
    await runSync()
    expect(await listAccountSearchesSince(seqBeforeSecondSync)).toEqual([])
    expect(await readMirrorRow('payments', payoutId)).toEqual({ account_id: null })
  })

  test('a pass makes at most fifty such calls, and the next one continues', async () => {
    await addMirrorOnlyAccounts(60)
    const [{ all } = { all: 0 }] = await runSql<{ all: number }>(
      sql`select count(*)::int as all from mirror_accounts`,
    )
    await storePayoutWithoutAccount()
    const searchCounts: number[] = []
    while (searchCounts.at(-1) !== 0) {
      const seq = await sandbox.lastSeq()
      await runSync()
      searchCounts.push((await listAccountSearchesSince(seq)).length)
    }
    expect(searchCounts).toEqual([50, all - 50, 0])
  })

  test('rows of one customer share their account', async () => {
    const customerId = randomUUID()
    const firstPayoutId = await storePayoutWithoutAccount({ customer_details: { id: customerId } })
    await runSql(
      sql`update mirror_payments set account_id = ${lastAccountId} where id = ${firstPayoutId}`,
    )
    const secondPayoutId = await storePayoutWithoutAccount({ customer_details: { id: customerId } })
    const seq = await sandbox.lastSeq()
    await runSync()
    expect(await readMirrorRow('payments', secondPayoutId)).toEqual({ account_id: lastAccountId })
    expect(await listAccountSearchesSince(seq)).toEqual([])
  })
})

test('an account that fails does not block the search in the others', async () => {
  const closeStore = await openTestStore('PostgreSQL')
  await runSync()
  const [first = ''] = [...accountIds].sort()
  await sandbox.fault({
    operation: 'customers.list',
    match: first,
    kind: 'status',
    status: 404,
    count: null,
  })
  const { customer } = await makePayoutWithCustomer(sandbox, lastAccountId)
  await sendToService(sandbox, 'GET', `/customers/${customer.id}`, lastAccountId)
  await runSync()
  expect(await readMirrorRow('customers', customer.id)).toEqual({ account_id: lastAccountId })
  await sandbox.clearFaults()
  await expectMirrorRowAccounts(sandbox, [lastAccountId], ['payments', 'customers', 'paykeys'])
  await closeStore()
})

// This test must be the last, because the server does not search a list again for ten minutes after
// a failed call.
test('calls before a failed one count toward the fifty', async () => {
  const closeStore = await openTestStore('PostgreSQL')
  await runSync()
  await addMirrorOnlyAccounts(60)
  const [customer] = schemasByOperation['customers.list'].output.parse([
    { id: randomUUID(), name: 'Ada', created_at: new Date().toISOString() },
  ])
  if (!customer) throw new Error('no customer')
  await upsertObjects({
    environment,
    resource: 'customers',
    account: null,
    objects: [customer],
    seenBy: 'read',
    seenAt: new Date(),
  })
  await storePayoutWithoutAccount()
  const [first = ''] = [...accountIds].sort()
  await sandbox.fault({
    operation: 'customers.list',
    match: first,
    kind: 'status',
    status: 500,
    count: null,
  })
  const seq = await sandbox.lastSeq()
  await runSync()
  await sandbox.clearFaults()
  const searchedPaths = (await listAccountSearchesSince(seq)).map(({ path }) => path)
  expect(new Set(searchedPaths)).toEqual(new Set(['/v1/customers', '/v1/payments']))
  expect(searchedPaths).toHaveLength(50)
  await closeStore()
})

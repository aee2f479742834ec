import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { closeStore, getDatabase } from '@/lib/server/store/store'
import { runSyncPass } from '@/lib/server/sync/pass'
import { readSyncState } from '@/lib/server/sync/state'
import {
  configureEnvForSandbox,
  expectMirrorMatches,
  expectMirrorRowAccounts,
  fetchServiceRows,
  makePayoutWithCustomer,
  readMirrorRows,
  sendToService,
} from './harness/mirror'
import { buildCustomerBody } from './harness/objects'
import { openTestStore } from './harness/own-store'
import { type Sandbox, startSandbox } from './harness/sandbox'
import { storeKinds } from './harness/store-kinds'

let sandbox: Sandbox
let accountIds: string[]

beforeAll(async () => {
  sandbox = await startSandbox({ payments: 700 })
  configureEnvForSandbox(sandbox)
  accountIds = (await fetchServiceRows(sandbox, 'accounts'))
    .filter(({ status }) => status === 'active')
    .map(({ id }) => id)
})
afterAll(() => sandbox?.stop())

const { signal } = new AbortController()
const hourMs = 3_600_000
const runSync = (options = {}) =>
  runSyncPass({ environment: 'sandbox', until: Date.now() + hourMs, signal }, options)

type RecordedCall = { path: string; query: string; account_header: string | null }
const listCallsSince = async (seq: number) =>
  (await sandbox.requests(seq)) as unknown as RecordedCall[]
const readPageSize = ({ query }: RecordedCall) => new URLSearchParams(query).get('page_size')
const toCallKey = ({ path, query, account_header }: RecordedCall) =>
  `${path}?${query} ${account_header}`

const runSql = async (statement: string) => {
  await (await getDatabase()).execute(sql.raw(statement))
}

describe.each(storeKinds)('on %s', (kind) => {
  let closeOwnStore: () => Promise<void>
  beforeEach(async () => {
    closeOwnStore = await openTestStore(kind)
  })
  afterEach(() => closeOwnStore?.())

  test('a first import stores every field of every object with its account, and reports its end', async () => {
    const seqBefore = await sandbox.lastSeq()
    expect(await runSync()).toBe('done')
    const paymentListCalls = (await listCallsSince(seqBefore)).filter(
      (call) => call.path === '/v1/payments' && readPageSize(call) !== '1',
    )
    expect(
      paymentListCalls.map(({ query }) => /payment_status=on_hold/.test(query)).indexOf(true),
    ).toBe(0)
    await expectMirrorMatches(sandbox, runSync)
    await expectMirrorRowAccounts(sandbox, accountIds, [
      'payments',
      'customers',
      'paykeys',
      'funding_events',
    ])
    const syncState = await readSyncState('sandbox')
    expect(syncState).toMatchObject({ done: syncState.total, paused: null })
    expect(syncState.importedAt).toBeInstanceOf(Date)
    expect(syncState.resources.find(({ resource }) => resource === 'payments')).toMatchObject({
      imported: true,
      done: 700,
      total: 700,
    })
  })

  test('a first import stores the details of held payments', async () => {
    expect(await runSync()).toBe('done')
    const { rows } = (await (
      await getDatabase()
    ).execute(sql`select record from mirror_payments where status = 'on_hold'`)) as unknown as {
      rows: { record: object | null }[]
    }
    expect(rows.length).toBeGreaterThan(0)
    for (const { record } of rows) expect(record).toHaveProperty('status_history')
    const seqBeforeSync = await sandbox.lastSeq()
    expect(await runSync()).toBe('done')
    expect(
      (await listCallsSince(seqBeforeSync)).filter(({ path }) =>
        /\/(payouts|charges)\//.test(path),
      ),
    ).toEqual([])
  })

  test('an interrupted import continues where it stopped', async () => {
    let deadlineChecksLeft = 40
    const seq = await sandbox.lastSeq()
    const interruptedPassOptions = {
      environment: 'sandbox' as const,
      signal,
      get until() {
        deadlineChecksLeft -= 1
        return deadlineChecksLeft > 0 ? Date.now() + hourMs : 0
      },
    }
    expect(await runSyncPass(interruptedPassOptions)).toBe('more')
    const syncStateBefore = await readSyncState('sandbox')
    expect(syncStateBefore.done).toBeGreaterThan(0)
    expect(syncStateBefore.done).toBeLessThan(syncStateBefore.total)
    const firstCallKeys = (await listCallsSince(seq))
      .filter((call) => readPageSize(call) !== '1')
      .map(toCallKey)
    // Closes the store, as at the end of the process. The next sync opens the store again and must
    // continue from the stored progress.
    await closeStore()
    const laterSeq = await sandbox.lastSeq()
    expect(await runSync()).toBe('done')
    const secondCallKeys = (await listCallsSince(laterSeq))
      .filter((call) => readPageSize(call) !== '1')
      .map(toCallKey)
    expect(secondCallKeys.filter((call) => firstCallKeys.includes(call)).length).toBeLessThan(
      firstCallKeys.length / 2,
    )
    await expectMirrorMatches(sandbox, runSync)
  })
})

describe('after an import', () => {
  let closeImportedStore: () => Promise<void>
  beforeAll(async () => {
    closeImportedStore = await openTestStore('PostgreSQL')
    await runSync()
  })
  afterAll(() => closeImportedStore?.())

  const readPaymentAccount = async (id: string) =>
    (await readMirrorRows('payments')).find((payment) => payment.id === id)?.account

  test('changes without a webhook arrive with the next pass, in a few calls', async () => {
    const [firstAccountId = '', secondAccountId = ''] = accountIds
    const createdPayouts = [
      await makePayoutWithCustomer(sandbox, firstAccountId),
      await makePayoutWithCustomer(sandbox, secondAccountId),
    ]
    const [changedPayout] = createdPayouts
    await sendToService(
      sandbox,
      'PUT',
      `/payouts/${changedPayout?.payout.id}/hold`,
      firstAccountId,
      { reason: 'Looked at again' },
    )
    await expectMirrorMatches(sandbox, runSync, [
      'payments',
      'customers',
      'paykeys',
      'funding_events',
    ])
    expect(
      await Promise.all(createdPayouts.map(({ payout }) => readPaymentAccount(payout.id))),
    ).toEqual([firstAccountId, secondAccountId])
    const seq = await sandbox.lastSeq()
    await sendToService(
      sandbox,
      'PUT',
      `/payouts/${changedPayout?.payout.id}/release`,
      firstAccountId,
      { reason: 'It is well' },
    )
    await runSync()
    expect((await listCallsSince(seq)).length).toBeLessThan(8)
    await expectMirrorMatches(sandbox, runSync, ['payments'])
  })

  test('a full import finds changes missing from the change lists, and removes deleted customers', async () => {
    const [account = ''] = accountIds
    const customerInReview = (await fetchServiceRows(sandbox, 'customers', account)).find(
      ({ status }) => status === 'review',
    )
    const { customer } = await makePayoutWithCustomer(sandbox, account)
    await runSync()
    if (customerInReview)
      await sendToService(sandbox, 'PATCH', `/customers/${customerInReview.id}/review`, account, {
        status: 'verified',
      })
    const newCustomer = await sendToService(
      sandbox,
      'POST',
      '/customers',
      account,
      buildCustomerBody(),
    )
    await runSync()
    await sendToService(sandbox, 'DELETE', `/customers/${newCustomer.id}`, account)
    await expectMirrorMatches(sandbox, () => runSync({ again: true }))
    const mirrorIds = (await readMirrorRows('customers')).map(({ id }) => id)
    expect(mirrorIds).toContain(customer.id)
    expect(mirrorIds).not.toContain(newCustomer.id)
  })

  test('a full import restores lost and wrong rows', async () => {
    await runSql(
      'delete from mirror_payments where id in (select id from mirror_payments order by id limit 35)',
    )
    await runSql(
      'update mirror_payments set object = object || \'{"description": "changed"}\' where id in (select id from mirror_payments order by id limit 35)',
    )
    await expectMirrorMatches(sandbox, () => runSync({ again: true }))
    await expectMirrorRowAccounts(sandbox, accountIds, ['payments'])
  })

  test.each([
    [401, 'service_key_refused'],
    [429, 'service_busy'],
  ])(
    'a %i pauses the whole sync with a reason, and it continues automatically',
    async (status, reason) => {
      const [account = ''] = accountIds
      const settingsFault = {
        operation: 'account_settings.get',
        match: account,
        kind: 'status',
        status,
        count: 1,
        ...(status === 429 ? { retry_after: 3600 } : {}),
      }
      await sandbox.fault(settingsFault)
      await runSync({ again: true })
      expect((await readSyncState('sandbox')).paused).toMatchObject({ reason })
      const seq = await sandbox.lastSeq()
      await runSync()
      expect(await listCallsSince(seq)).toEqual([])
      await runSql('update sync_state set retry_at = now()')
      await runSync()
      expect((await readSyncState('sandbox')).paused).toBeNull()
      await sandbox.clearFaults()
    },
  )

  test('a 403 pauses only the resource that the API key may not read', async () => {
    const [account = ''] = accountIds
    await sandbox.fault({
      operation: 'account_settings.get',
      match: account,
      kind: 'status',
      status: 403,
      count: null,
    })
    await runSync({ again: true })
    const { paused, resources } = await readSyncState('sandbox')
    expect(paused).toMatchObject({ reason: 'service_forbidden' })
    expect(resources.filter((each) => each.paused).map(({ resource }) => resource)).toEqual([
      'account_settings',
    ])
    const { payout } = await makePayoutWithCustomer(sandbox, account)
    await runSync()
    expect(await readPaymentAccount(payout.id)).toBe(account)
    await sandbox.clearFaults()
    await runSql('update sync_state set retry_at = now()')
    await runSync()
    expect((await readSyncState('sandbox')).paused).toBeNull()
  })
})

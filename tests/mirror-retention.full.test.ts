import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createMirrorScope } from '@/lib/server/auth/scoped-account'
import { startPaymentPruning } from '@/lib/server/mirror/retention'
import { readService } from '@/lib/server/service/service-read'
import { getDatabase } from '@/lib/server/store/store'
import { runSyncPass } from '@/lib/server/sync/pass'
import { readSyncState } from '@/lib/server/sync/state'
import { startDashboard } from './harness/dashboard'
import { configureEnvForSandbox, fetchServiceRows, sendToService } from './harness/mirror'
import { openTestStore } from './harness/own-store'
import { signIn } from './harness/person'
import { type Sandbox, startSandbox } from './harness/sandbox'
import { storeKinds } from './harness/store-kinds'
import { waitUntil } from './harness/wait-until'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ payments: 400 })
  configureEnvForSandbox(sandbox)
  process.env.MIRROR_KEEP_DAYS = '100'
})
afterAll(async () => {
  await sandbox?.stop()
  delete process.env.MIRROR_KEEP_DAYS
})

const environment = 'sandbox' as const
const dayMs = 86_400_000
const runSync = (options = {}) =>
  runSyncPass(
    { environment, until: Date.now() + 3_600_000, signal: new AbortController().signal },
    options,
  )
const runSql = async <T>(statement: ReturnType<typeof sql>) =>
  ((await (await getDatabase()).execute(statement)) as unknown as { rows: T[] }).rows

type StoredPaymentRow = {
  id: string
  account: string
  status: string
  created: string
  changed: string
}
const readStoredRows = () =>
  runSql<StoredPaymentRow>(sql`
    select id, account_id as account, status, created_at::text as created, greatest(created_at, version_at, changed_at)::text as changed
    from mirror_payments order by created_at`)
const readStoredIds = async () => (await readStoredRows()).map(({ id }) => id).sort()
const hasFinalStatus = ({ status }: Pick<StoredPaymentRow, 'status'>) =>
  ['paid', 'failed', 'reversed', 'cancelled'].includes(status)
const createOldRowCheck = (retentionPeriodStart: number) => (row: StoredPaymentRow) =>
  hasFinalStatus(row) && Date.parse(row.changed) < retentionPeriodStart
const listRetainedIds = (rows: readonly StoredPaymentRow[], retentionPeriodStart: number) =>
  rows.filter((row) => !createOldRowCheck(retentionPeriodStart)(row)).map(({ id }) => id)

/**
 * Sets this process's clock so far ahead that final payments that last changed before `time` are
 * older than the retention period of 100 days. Returns the new start of that period.
 */
function advanceClockPastRetention(time: number): number {
  const retentionPeriodStart = Math.ceil(time / dayMs) * dayMs
  vi.setSystemTime(retentionPeriodStart + 100 * dayMs + 3_600_000)
  return retentionPeriodStart
}

/** Returns the median of the times at which the final payments last changed. */
function findMedianChangeTime(rows: readonly StoredPaymentRow[]): number {
  const changeTimes = rows.filter(hasFinalStatus).map((row) => Date.parse(row.changed))
  return changeTimes.sort((one, other) => one - other)[Math.floor(changeTimes.length / 2)] ?? 0
}

const readPaymentType = async (id: string) =>
  (
    await runSql<{ payment_type: 'charge' | 'payout' }>(
      sql`select payment_type from mirror_payments where id = ${id}`,
    )
  )[0]?.payment_type

/** Runs the retention job, which deletes old payments, until it has deleted all these rows. */
async function pruneUntilRowsGone(expiredRows: readonly StoredPaymentRow[]): Promise<void> {
  const retentionJob = startPaymentPruning()
  await waitUntil('what is too old to be gone', async () => {
    const storedIds = await readStoredIds()
    return expiredRows.some(({ id }) => storedIds.includes(id)) ? null : true
  })
  retentionJob.stop()
}

describe.each(storeKinds)('on %s', (kind) => {
  let closeStore: () => Promise<void>
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    closeStore = await openTestStore(kind)
  })
  afterEach(async () => {
    vi.useRealTimers()
    await closeStore?.()
  })

  test('old payments in a final state are deleted, and nothing restores them', async () => {
    expect(await runSync()).toBe('done')
    const allRows = await readStoredRows()
    expect(allRows).toHaveLength(400)
    const retentionStart = advanceClockPastRetention(findMedianChangeTime(allRows))
    const oldRows = allRows.filter(createOldRowCheck(retentionStart))
    expect(oldRows.length).toBeGreaterThan(20)
    const [deletedRow] = oldRows
    const deletedPaymentType = await readPaymentType(deletedRow?.id ?? '')
    await pruneUntilRowsGone(oldRows)
    const remainingIds = listRetainedIds(allRows, retentionStart).sort()
    expect(await readStoredIds()).toEqual(remainingIds)

    const seqBefore = await sandbox.lastSeq()
    expect(await runSync({ again: true })).toBe('done')
    expect(await readStoredIds()).toEqual(expect.arrayContaining(remainingIds))
    expect((await readStoredIds()).filter((id) => oldRows.some((row) => row.id === id))).toEqual([])
    const paymentListRequests = (await sandbox.requests(seqBefore)).filter(
      ({ path, query }) => path === '/v1/payments' && !/page_size=1(&|$)/.test(String(query)),
    )
    expect(
      paymentListRequests.filter(
        ({ query }) => !/min_created_at|min_updated_at|payment_status/.test(String(query)),
      ),
    ).toEqual([])

    // Reads a deleted payment from the service, then a retained one. Paydesk stores reads in their
    // order: when the second read is stored, the first would be stored too.
    const retainedRow = (await readStoredRows()).find(({ id }) => remainingIds.includes(id))
    const retainedPaymentType = retainedRow && (await readPaymentType(retainedRow.id))
    for (const [row, paymentKind = 'payout'] of [
      [deletedRow, deletedPaymentType],
      [retainedRow, retainedPaymentType],
    ] as const)
      await readService(
        `${paymentKind}s.get`,
        { id: row?.id ?? '' },
        createMirrorScope(environment, row?.account ?? null),
      )
    await waitUntil('the second', async () => {
      const [row] = await runSql<{ by: string }>(
        sql`select seen_by as by from mirror_payments where id = ${retainedRow?.id}`,
      )
      return row?.by === 'read' ? true : null
    })
    expect(await readStoredIds()).not.toContain(deletedRow?.id)
  })

  test('a first import skips them, and includes old payments that are open', async () => {
    const listServicePayments = async () =>
      (await fetchServiceRows(sandbox, 'payments')).map(({ id, status }) => ({
        id,
        isFinal: hasFinalStatus({ status: String(status) }),
      }))
    advanceClockPastRetention(Date.now())
    const finalPaymentIds = (await listServicePayments())
      .filter((payment) => payment.isFinal)
      .map(({ id }) => id)
    expect(finalPaymentIds.length).toBeGreaterThan(100)
    expect(await runSync()).toBe('done')
    const storedRows = await readStoredRows()
    expect(storedRows.filter(({ id }) => finalPaymentIds.includes(id))).toEqual([])
    const openPaymentIds = (await listServicePayments())
      .filter((payment) => !payment.isFinal)
      .map(({ id }) => id)
    expect(storedRows.map(({ id }) => id)).toEqual(expect.arrayContaining(openPaymentIds))
    const { resources } = await readSyncState('sandbox')
    expect(resources.find(({ resource }) => resource === 'payments')).toMatchObject({
      imported: true,
    })

    const heldPayment = storedRows.find(({ status }) => status === 'on_hold')
    if (!heldPayment) throw new Error('no payment waits')
    await sendToService(
      sandbox,
      'PUT',
      `/${await readPaymentType(heldPayment.id)}s/${heldPayment.id}/cancel`,
      heldPayment.account,
      {
        reason: 'It is not needed any more',
      },
    )
    await runSync()
    expect((await readStoredRows()).find(({ id }) => id === heldPayment.id)?.status).toBe(
      'cancelled',
    )
  })

  test('a payment that is claimed or has an open action is kept', async () => {
    expect(await runSync()).toBe('done')
    const importedRows = await readStoredRows()
    const laterRetentionStart = advanceClockPastRetention(findMedianChangeTime(importedRows))
    const [actionPaymentId = '', claimedPaymentId = ''] = importedRows
      .filter(createOldRowCheck(laterRetentionStart))
      .map(({ id }) => id)
    const personId = randomUUID()
    await runSql(
      sql`insert into people (id, email, name, password_hash) values (${personId}, 'somebody@paydesk.test', 'Somebody', '')`,
    )
    await runSql(sql`
      insert into actions (id, environment, operation, actor_id, session_hash, idempotency_key, correlation_id, fingerprint, method, path, content_type,
        body_sha256, service_key, exclusive, state, target)
      values (${randomUUID()}, 'sandbox', 'payouts.resubmit', ${personId}, '', ${randomUUID()}, '', '', 'POST', '', '', '', '', false, 'needs_human',
        ${`${await readPaymentType(actionPaymentId)}s/${actionPaymentId}`})`)
    await runSql(sql`
      insert into claims (environment, target, account_id, person_id, ends_at)
      select 'sandbox', payment_type || 's/' || id, account_id, ${personId}, now() + interval '1 hour' from mirror_payments where id = ${claimedPaymentId}`)
    await pruneUntilRowsGone(importedRows.filter(createOldRowCheck(laterRetentionStart)).slice(2))
    expect(
      (await readStoredRows()).filter(createOldRowCheck(laterRetentionStart)).map(({ id }) => id),
    ).toEqual([actionPaymentId, claimedPaymentId])
    await runSql(sql`update actions set state = 'refused'`)
    await runSql(sql`delete from claims`)
    await pruneUntilRowsGone(importedRows.filter(createOldRowCheck(laterRetentionStart)))
    expect((await readStoredRows()).filter(createOldRowCheck(laterRetentionStart))).toEqual([])
  })
})

test('a list shows where the stored payments end, and only there', async () => {
  const env = { MIRROR_KEEP_DAYS: '100' }
  const dashboard = await startDashboard({
    serviceUrl: sandbox.url,
    apiKey: sandbox.keys.full,
    mirror: true,
    env,
  })
  const viewer = await signIn(dashboard.url, 'viewer')
  const fetchPage = async (search: string) =>
    (await (await viewer.send(`/sandbox/payments${search}`)).text()).replaceAll('<!-- -->', '')
  const firstPage = await waitUntil('the import', async () => {
    const text = await fetchPage('')
    return /Page 1 of \d/.test(text) ? text : null
  })
  expect(firstPage).not.toContain('are kept at the provider only')
  expect(await fetchPage('?search_text=nothing-like-it')).toContain('are kept at the provider only')
  expect(await (await viewer.send('/sandbox/customers?name=nothing-like-it')).text()).not.toContain(
    'are kept at the provider only',
  )
  await dashboard.stop()
})

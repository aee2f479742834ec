import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { mirrorScope } from '@/lib/server/auth/scoped-account'
import { startRetention } from '@/lib/server/mirror/retention'
import { readService } from '@/lib/server/service/service-read'
import { database } from '@/lib/server/store/store'
import { syncPass } from '@/lib/server/sync/pass'
import { syncState } from '@/lib/server/sync/state'
import { startDashboard } from './harness/dashboard'
import { askService, atService, configureAs } from './harness/mirror'
import { openOwnStore } from './harness/own-store'
import { signIn } from './harness/person'
import { type Sandbox, startSandbox } from './harness/sandbox'
import { storeKinds } from './harness/store-kinds'
import { until } from './harness/until'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ payments: 400 })
  configureAs(sandbox)
  process.env.MIRROR_KEEP_DAYS = '100'
})
afterAll(async () => {
  await sandbox?.stop()
  delete process.env.MIRROR_KEEP_DAYS
})

const environment = 'sandbox' as const
const day = 86_400_000
const pass = (options = {}) => syncPass({ environment, until: Date.now() + 3_600_000, signal: new AbortController().signal }, options)
const run = async <T>(statement: ReturnType<typeof sql>) => ((await (await database()).execute(statement)) as unknown as { rows: T[] }).rows

type Row = { id: string; account: string; status: string; created: string; changed: string }
const rowsKept = () =>
  run<Row>(sql`
    select id, account_id as account, status, created_at::text as created, greatest(created_at, version_at, changed_at)::text as changed
    from mirror_payments order by created_at`)
const idsKept = async () => (await rowsKept()).map(({ id }) => id).sort()
const isFinal = ({ status }: Pick<Row, 'status'>) => ['paid', 'failed', 'reversed', 'cancelled'].includes(status)
const isOld = (since: number) => (row: Row) => isFinal(row) && Date.parse(row.changed) < since
const idsToRetain = (rows: readonly Row[], since: number) => rows.filter((row) => !isOld(since)(row)).map(({ id }) => id)

/**
 * Sets this process's clock so far ahead that final payments from before `time` are past retention. Returns the start of the retention
 * period.
 */
function later(time: number): number {
  const since = Math.ceil(time / day) * day
  vi.setSystemTime(since + 100 * day + 3_600_000)
  return since
}

/** Returns a time such that half of the final payments last changed before it. */
function middleOf(rows: readonly Row[]): number {
  const changed = rows.filter(isFinal).map((row) => Date.parse(row.changed))
  return changed.sort((one, other) => one - other)[Math.floor(changed.length / 2)] ?? 0
}

const kindOf = async (id: string) =>
  (await run<{ payment_type: 'charge' | 'payout' }>(sql`select payment_type from mirror_payments where id = ${id}`))[0]?.payment_type

/** Runs the retention job until none of the `old` rows is left. */
async function prune(old: readonly Row[]): Promise<void> {
  const pruning = startRetention()
  await until('what is too old to be gone', async () => {
    const storedIds = await idsKept()
    return old.some(({ id }) => storedIds.includes(id)) ? null : true
  })
  pruning.stop()
}

describe.each(storeKinds)('on %s', (kind) => {
  let stop: () => Promise<void>
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    stop = await openOwnStore(kind)
  })
  afterEach(async () => {
    vi.useRealTimers()
    await stop?.()
  })

  test('old payments in a final state are deleted, and nothing restores them', async () => {
    expect(await pass()).toBe('done')
    const all = await rowsKept()
    expect(all).toHaveLength(400)
    const since = later(middleOf(all))
    const old = all.filter(isOld(since))
    expect(old.length).toBeGreaterThan(20)
    const [gone] = old
    const kindOfGone = await kindOf(gone?.id ?? '')
    await prune(old)
    const remainingIds = idsToRetain(all, since).sort()
    expect(await idsKept()).toEqual(remainingIds)

    const seq = await sandbox.lastSeq()
    expect(await pass({ again: true })).toBe('done')
    expect(await idsKept()).toEqual(expect.arrayContaining(remainingIds))
    expect((await idsKept()).filter((id) => old.some((row) => row.id === id))).toEqual([])
    const lists = (await sandbox.requests(seq)).filter(
      ({ path, query }) => path === '/v1/payments' && !/page_size=1(&|$)/.test(String(query)),
    )
    expect(lists.filter(({ query }) => !/min_created_at|min_updated_at|payment_status/.test(String(query)))).toEqual([])

    // Rows are stored in order. When the row of the second read is stored, that of the first read would be too.
    const second = (await rowsKept()).find(({ id }) => remainingIds.includes(id))
    const secondKind = second && (await kindOf(second.id))
    for (const [row, of = 'payout'] of [
      [gone, kindOfGone],
      [second, secondKind],
    ] as const)
      await readService(`${of}s.get`, { id: row?.id ?? '' }, mirrorScope(environment, row?.account ?? null))
    await until('the second', async () => {
      const [row] = await run<{ by: string }>(sql`select seen_by as by from mirror_payments where id = ${second?.id}`)
      return row?.by === 'read' ? true : null
    })
    expect(await idsKept()).not.toContain(gone?.id)
  })

  test('a first import skips them, and includes old payments that are open', async () => {
    const there = async () =>
      (await atService(sandbox, 'payments')).map(({ id, status }) => ({ id, isFinal: isFinal({ status: String(status) }) }))
    later(Date.now())
    const final = (await there()).filter((payment) => payment.isFinal).map(({ id }) => id)
    expect(final.length).toBeGreaterThan(100)
    expect(await pass()).toBe('done')
    const storedRows = await rowsKept()
    expect(storedRows.filter(({ id }) => final.includes(id))).toEqual([])
    const open = (await there()).filter((payment) => !payment.isFinal).map(({ id }) => id)
    expect(storedRows.map(({ id }) => id)).toEqual(expect.arrayContaining(open))
    const { resources } = await syncState('sandbox')
    expect(resources.find(({ resource }) => resource === 'payments')).toMatchObject({ imported: true })

    const waiting = storedRows.find(({ status }) => status === 'on_hold')
    if (!waiting) throw new Error('no payment waits')
    await askService(sandbox, 'PUT', `/${await kindOf(waiting.id)}s/${waiting.id}/cancel`, waiting.account, {
      reason: 'It is not needed any more',
    })
    await pass()
    expect((await rowsKept()).find(({ id }) => id === waiting.id)?.status).toBe('cancelled')
  })

  test('a payment that is claimed or has an open action is kept', async () => {
    expect(await pass()).toBe('done')
    const all = await rowsKept()
    const since = later(middleOf(all))
    const [acted = '', claimed = ''] = all.filter(isOld(since)).map(({ id }) => id)
    const person = randomUUID()
    await run(sql`insert into people (id, email, name, password_hash) values (${person}, 'somebody@paydesk.test', 'Somebody', '')`)
    await run(sql`
      insert into actions (id, environment, operation, actor_id, session_hash, idempotency_key, correlation_id, fingerprint, method, path, content_type,
        body_sha256, service_key, exclusive, state, target)
      values (${randomUUID()}, 'sandbox', 'payouts.resubmit', ${person}, '', ${randomUUID()}, '', '', 'POST', '', '', '', '', false, 'needs_human',
        ${`${await kindOf(acted)}s/${acted}`})`)
    await run(sql`
      insert into claims (environment, target, account_id, person_id, ends_at)
      select 'sandbox', payment_type || 's/' || id, account_id, ${person}, now() + interval '1 hour' from mirror_payments where id = ${claimed}`)
    await prune(all.filter(isOld(since)).slice(2))
    expect((await rowsKept()).filter(isOld(since)).map(({ id }) => id)).toEqual([acted, claimed])
    await run(sql`update actions set state = 'refused'`)
    await run(sql`delete from claims`)
    await prune(all.filter(isOld(since)))
    expect((await rowsKept()).filter(isOld(since))).toEqual([])
  })
})

test('a list shows where the stored payments end, and only there', async () => {
  const env = { MIRROR_KEEP_DAYS: '100' }
  const dashboard = await startDashboard({ serviceUrl: sandbox.url, apiKey: sandbox.keys.full, mirror: true, env })
  const viewer = await signIn(dashboard.url, 'viewer')
  const page = async (search: string) => (await (await viewer.send(`/sandbox/payments${search}`)).text()).replaceAll('<!-- -->', '')
  const first = await until('the import', async () => {
    const text = await page('')
    return /Page 1 of \d/.test(text) ? text : null
  })
  expect(first).not.toContain('are kept at the provider only')
  expect(await page('?search_text=nothing-like-it')).toContain('are kept at the provider only')
  expect(await (await viewer.send('/sandbox/customers?name=nothing-like-it')).text()).not.toContain('are kept at the provider only')
  await dashboard.stop()
})

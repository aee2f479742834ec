import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCallsPage } from '@/lib/features/activity/server/activity'
import { maxCountedRows } from '@/lib/operations/list-count'
import { listOpenActionViews } from '@/lib/server/actions/waiting-views'
import { startRequestLog } from '@/lib/server/http/request-log'
import { getDatabase } from '@/lib/server/store/store'
import { openTestStore } from './harness/own-store'
import { explainStatements, getStoreClient, recordStatements } from './harness/query-plans'
import { type StoreKind, storeKinds } from './harness/store-kinds'
import { waitUntil } from './harness/wait-until'

const personId = randomUUID()
const accountId = randomUUID()
const grants = [{ role: 'operator' as const, environment: 'sandbox' as const, accountId: null }]
const actor = { id: personId, name: '', email: '', sessionHash: '', grants }

/**
 * SQL statements that insert 6,000 actions, of which only twenty are open and need a person’s
 * decision, and 13,000 rows of the request log. That is more than the 10,000 rows that a list
 * counts exactly. The 1,000 rows of 2020 have expired.
 */
const fillStatements = [
  `insert into people (id, email, name, password_hash) values ('${personId}', 'plan@paydesk.test', 'Somebody', '')`,
  `insert into actions (id, environment, operation, actor_id, session_hash, idempotency_key, correlation_id, fingerprint, method, path, content_type,
    body_sha256, service_key, exclusive, state, mentions)
    select gen_random_uuid(), 'sandbox', 'payouts.hold', '${personId}', '', n, '', '', 'PUT', '', '', '', '', false,
      case when n % 300 = 0 then 'needs_human' else 'applied' end, '{}' from generate_series(1, 6000) n`,
  `insert into request_log (id, at, environment, operation, account_id, target, actor_id, request_id, status, took_ms, error_code)
    select gen_random_uuid(), date_trunc('milliseconds', now()) - (n / 2) * interval '1 minute', 'sandbox',
      case when n % 400 = 0 then 'payouts.release' else 'payouts.get' end, case when n % 400 = 1 then '${accountId}'::uuid else gen_random_uuid() end,
      'payouts/' || n, '${personId}', 'req_' || n, case when n % 400 = 2 then 500 else 200 end, 5, case when n % 400 = 2 then 'service_failed' end
    from generate_series(1, 12000) n`,
  `insert into request_log (id, at, environment, operation, actor_id, request_id, status, took_ms)
    select gen_random_uuid(), '2020-01-01'::timestamptz + n * interval '1 second', 'sandbox', 'payouts.get', '${personId}', 'old_' || n, 200, 5
    from generate_series(1, 1000) n`,
  'analyze',
]

async function openFilledStore(kind: StoreKind) {
  const closeStore = await openTestStore(kind)
  const db = await getDatabase()
  for (const statement of fillStatements) await db.execute(sql.raw(statement))
  return closeStore
}

describe.each(storeKinds)('on %s', (kind) => {
  let closeFilledStore: () => Promise<void>
  beforeAll(async () => {
    closeFilledStore = await openFilledStore(kind)
  })
  afterAll(() => closeFilledStore?.())

  test('open actions are found without reading settled ones', async () => {
    const readerId = randomUUID()
    const [plan] = await explainStatements('actions', () =>
      listOpenActionViews('sandbox', null, readerId),
    )
    expect(plan).toContain('actions_open')
    expect(await listOpenActionViews('sandbox', null, readerId)).toHaveLength(20)
  })

  const callsPagePosition = {
    way: 'older' as const,
    at: new Date(Date.now() - 80 * 60 * 60_000).toISOString(),
    id: randomUUID(),
  }

  test.each([
    ['the newest calls', {}, {}, 'request_log_at'],
    ['calls far down', {}, { place: callsPagePosition }, 'request_log_at'],
    [
      'calls newer than a place',
      {},
      { place: { ...callsPagePosition, way: 'newer' as const } },
      'request_log_at',
    ],
    [
      'calls of one operation',
      { operation: 'payouts.release' as const },
      {},
      'request_log_operation',
    ],
    ['calls of one account', {}, { account: accountId }, 'request_log_account'],
    ['calls of one person', { person: randomUUID() }, {}, 'request_log_actor'],
    ['failed calls', { result: 'failed' as const }, {}, 'request_log_wrong'],
    ['refused calls', { result: 'refused' as const }, {}, 'request_log_wrong'],
    ['calls of one error', { error: 'service_failed' }, {}, 'request_log_error'],
    ['calls about one object', { target: 'payouts/7' }, {}, 'request_log_target'],
  ])('%s: the query uses an index', async (_what, filter, part, index) => {
    const requestLogPlans = await explainStatements('request_log', () =>
      readCallsPage(actor, 'sandbox', filter, part),
    )
    expect(requestLogPlans.find((plan) => !plan.includes('Aggregate'))).toContain(index)
  })

  test('requests are counted up to a limit', async () => {
    expect((await readCallsPage(actor, 'sandbox', {})).total).toBe(maxCountedRows + 1)
    expect((await readCallsPage(actor, 'sandbox', { operation: 'payouts.release' })).total).toBe(30)
  })

  test('pages have no gap or overlap, also with equal times and concurrent writes', async () => {
    const listRequestIds = ({ calls }: Awaited<ReturnType<typeof readCallsPage>>) =>
      calls.map((call) => call.request_id)
    const readRequestLogPage = (part = {}) =>
      readCallsPage(actor, 'sandbox', {}, { size: 7, ...part })
    const readNextPage = (
      way: 'older' | 'newer',
      page: Awaited<ReturnType<typeof readCallsPage>>,
    ) => {
      const edgeCall = way === 'older' ? page.calls.at(-1) : page.calls[0]
      return readRequestLogPage({ place: { way, at: edgeCall?.at ?? '', id: edgeCall?.id ?? '' } })
    }
    const firstPage = await readRequestLogPage()
    const expectedIds = listRequestIds(await readRequestLogPage({ size: 21 }))
    await (
      await getDatabase()
    ).execute(sql`insert into request_log (id, at, environment, operation, actor_id, request_id, status, took_ms)
      values (gen_random_uuid(), date_trunc('milliseconds', now()), 'sandbox', 'payouts.get', ${personId}, 'req_meanwhile', 200, 5)`)
    const secondPage = await readNextPage('older', firstPage)
    const thirdPage = await readNextPage('older', secondPage)
    expect([firstPage, secondPage, thirdPage].flatMap(listRequestIds)).toEqual(expectedIds)
    expect(await readNextPage('newer', thirdPage)).toEqual(secondPage)
    expect(thirdPage).toMatchObject({ hasNewer: true, hasOlder: true })
    // Only the inserted request is newer than the first page. The result is therefore a full page:
    // the inserted request, and the first six rows of the first page.
    expect(listRequestIds(await readNextPage('newer', firstPage))).toEqual([
      'req_meanwhile',
      ...expectedIds.slice(0, 6),
    ])
    expect(await readRequestLogPage()).toMatchObject({ hasNewer: false, hasOlder: true })
  })

  test('expired rows are deleted in small batches, and no others', async () => {
    const client = await getStoreClient()
    const countLoggedCalls = async (requestIdPrefix: string) =>
      (
        await client.query('select 1 from request_log where request_id like $1', [
          `${requestIdPrefix}%`,
        ])
      ).rows.length
    const recentCount = await countLoggedCalls('req_')
    const pruningStatements = await recordStatements(async () => {
      const requestLog = startRequestLog()
      await waitUntil('the old calls to go', async () =>
        (await countLoggedCalls('old_')) === 0 ? true : null,
      )
      requestLog.stop()
    })
    expect(await countLoggedCalls('req_')).toBe(recentCount)
    const deleteStatements = pruningStatements.filter(({ text }) => text.startsWith('delete'))
    expect(deleteStatements.length).toBeGreaterThan(4)
    for (const { text, values } of deleteStatements)
      expect([text, values]).toEqual([
        expect.stringContaining('limit'),
        expect.arrayContaining([200]),
      ])
  })
})

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Environment } from '@/lib/operations/define'
import { maxCountedRows } from '@/lib/operations/list-count'
import { schemasByOperation } from '@/lib/operations/registry'
import { requireScope } from '@/lib/server/auth/scoped-account'
import { countMirrorRows } from '@/lib/server/mirror/counts'
import { readMirrorPage } from '@/lib/server/mirror/query'
import { sumPayments } from '@/lib/server/mirror/sums'
import { getDatabase } from '@/lib/server/store/store'
import { openTestStore } from './harness/own-store'
import { explainStatements, getStoreClient, recordStatements } from './harness/query-plans'

const environment: Environment = 'sandbox'
const paymentCount = 1_000_000
const customerCount = 50_000

const toUuidSql = (kind: number, number: string) =>
  `(lpad(to_hex(${number}), 8, '0') || '-000${kind}-7000-8000-000000000000')::uuid`
const toUuid = (kind: number, number: number) =>
  `${number.toString(16).padStart(8, '0')}-000${kind}-7000-8000-000000000000`

/**
 * SQL statements that insert a million payments of 50,000 customers in 2,000 accounts. Most
 * payments are paid, some failed, and fifty are on hold.
 */
const fillMirrorStatements = [
  `insert into mirror_customers (environment, id, account_id, object, seen_at, seen_by, name, status, created_at, search)
    select '${environment}', ${toUuidSql(2, 'n')}, ${toUuidSql(1, 'n % 2000')}, '{}', now(), 'sync', 'person ' || n, 'verified', now() - n * interval '1 minute',
      'person ' || n || ' p•••@example.com' from generate_series(1, ${customerCount}) n`,
  `insert into mirror_payments (environment, id, account_id, object, version_at, seen_at, seen_by, payment_type, status, status_reason, external_id,
      customer_id, paykey_id, amount, payment_date, effective_at, created_at, updated_at, funding_ids, is_refund, words)
    select '${environment}', ${toUuidSql(3, 'n')}, ${toUuidSql(1, 'n % 2000')}, jsonb_build_object('id', ${toUuidSql(3, 'n')}), at, at, 'sync',
      case when n % 2 = 0 then 'payout' else 'charge' end,
      case when n % 20000 = 0 then 'on_hold' when n % 30 = 0 then 'failed' when n % 31 = 0 then 'scheduled' else 'paid' end, 'ok', 'ref-' || n,
      ${toUuidSql(2, `n % ${customerCount}`)}, ${toUuidSql(4, `n % ${customerCount}`)}, n % 250000, at::date, at + interval '2 days', at, at,
      array[${toUuidSql(5, 'n % 5000')}], n % 100 = 0, array_to_tsvector(array['rent', 'invoice' || n % 1000])
    from (select n, timestamptz '2026-11-01' - n * interval '30 seconds' as at from generate_series(1, ${paymentCount}) n) made`,
]

async function runSql(statement: string): Promise<Record<string, string>[]> {
  const db = await getDatabase()
  return ((await db.execute(sql.raw(statement))) as unknown as { rows: Record<string, string>[] })
    .rows
}

let closeOwnStore: () => Promise<void>
beforeAll(async () => {
  closeOwnStore = await openTestStore('PostgreSQL')
  // Drops the indexes before the inserts and creates them again afterwards. PostgreSQL also writes
  // no log for the table. Otherwise the inserts would take minutes.
  const indexes = await runSql(`select indexname as name, indexdef as made from pg_indexes
    where tablename = 'mirror_payments' and indexname not like '%_pk'`)
  await runSql('alter table mirror_payments set unlogged')
  for (const { name } of indexes) await runSql(`drop index ${name}`)
  for (const statement of fillMirrorStatements) await runSql(statement)
  const indexSql = indexes.map(({ made }) => made).join(';')
  await runSql(`set maintenance_work_mem = '256MB'; ${indexSql}; reset maintenance_work_mem`)
  await runSql('vacuum analyze')
}, 300_000)
afterAll(() => closeOwnStore?.(), 300_000)

const platformViewer = {
  id: 'somebody',
  grants: [{ role: 'viewer' as const, environment, accountId: null }],
}

async function explainSearch(
  fields: Record<string, unknown>,
  account: string | null,
): Promise<string> {
  const searchInput = schemasByOperation['payments.search'].input.parse(fields)
  const [plan] = await explainStatements('mirror_payments', () =>
    readMirrorPage(
      platformViewer,
      'payments.search',
      searchInput,
      requireScope(platformViewer, environment, account),
    ),
  )
  return plan ?? ''
}

test.each([
  ['the list as it opens', {}, null, 'created'],
  ['payouts', { payment_type: 'payout' }, null, 'type'],
  ['paid payouts', { payment_type: 'payout', payment_status: 'paid' }, null, 'type'],
  ['held payouts', { payment_type: 'payout', payment_status: 'on_hold' }, null, 'status'],
  ['failed and reversed ones', { payment_status: 'failed,reversed' }, null, 'status'],
  ['those of an account', {}, toUuid(1, 7), 'account'],
  ['failed ones of an account', { payment_status: 'failed' }, toUuid(1, 7), 'account_status'],
  ['those of a customer', { customer_id: toUuid(2, 77) }, null, 'customer'],
  ['those of a paykey', { paykey_id: toUuid(4, 77) }, null, 'paykey'],
  ['one by its reference', { external_id: 'ref-777' }, null, 'external'],
  ['those of a funding event', { funding_id: toUuid(5, 77) }, null, 'funding'],
  ['the highest amounts', { sort_by: 'amount' }, null, 'amount'],
  ['what was settled last', { sort_by: 'effective_at' }, null, 'effective'],
  ['refunds', { is_refund: 'true' }, null, 'refund'],
  [
    'what changed since',
    { sort_by: 'updated_at', min_updated_at: '2026-10-31T00:00:00Z' },
    null,
    'updated',
  ],
  [
    'what came back lately',
    {
      payment_status: 'failed,reversed',
      has_resubmit: 'false',
      sort_by: 'updated_at',
      min_updated_at: '2026-10-31T00:00:00Z',
    },
    null,
    'returned',
  ],
  [
    'those of some days',
    { sort_by: 'payment_date', min_payment_date: '2026-10-01', max_payment_date: '2026-10-02' },
    null,
    'date',
  ],
  ['those with a word', { search_text: 'invoice77' }, null, 'words'],
  ['those of a name', { search_text: 'person 777' }, null, 'customer'],
  ['one by its id', { search_text: toUuid(3, 5) }, null, 'environment_id_pk'],
] as const)(
  '%s: the search uses an index among a million payments',
  async (_what, fields, account, index) => {
    const queryPlan = await explainSearch(fields, account)
    expect(queryPlan).toContain(`mirror_payments_${index} `)
    expect(queryPlan).not.toContain('Seq Scan on mirror_payments')
  },
)

test.each([
  ['the newest', {}],
  ['payouts', { payment_type: 'payout' }],
  ['failed and reversed ones', { payment_status: 'failed,reversed' }],
  ['by amount', { sort_by: 'amount' }],
])('a page of %s is read in index order, without reading other rows', async (_what, fields) => {
  const pagePlan =
    (await explainSearch(fields, null)).split('CTE page')[1]?.split('Aggregate')[0] ?? ''
  expect(pagePlan).toContain('Scan Backward using mirror_payments_')
  expect(pagePlan).not.toContain('Sort Key: mirror_payments')
})

test('a word in every customer’s name is looked up once, not for each payment', async () => {
  expect(await explainSearch({ search_text: 'person' }, null)).toContain('hashed SubPlan')
})

test('a word without matches is searched by an index, not in each payment', async () => {
  const input = schemasByOperation['payments.search'].input.parse({ search_text: 'nobodyhasthis' })
  const sentStatements = await recordStatements(() =>
    readMirrorPage(
      platformViewer,
      'payments.search',
      input,
      requireScope(platformViewer, environment, null),
      'short',
    ),
  )
  const searchStatement = sentStatements.find(({ text }) => text.includes('found as materialized'))
  const client = await getStoreClient()
  const { rows } = await client.query(
    `explain (analyze, timing off) ${searchStatement?.text}`,
    searchStatement?.values,
  )
  const planLines = rows.map((row) => row['QUERY PLAN'] ?? '')
  const scanLines = planLines.filter(
    (line) => /Scan.* on mirror_payments/.test(line) && !line.includes('never executed'),
  )
  expect(scanLines).toContainEqual(expect.stringContaining('mirror_payments_words'))
  expect(scanLines.filter((line) => !/actual rows=0(?:\.00)? /.test(line))).toEqual([])
  expect(planLines.join('\n')).not.toContain('Rows Removed by Filter')
})

const tabFilters = [
  {},
  { payment_type: 'payout' },
  { payment_status: 'on_hold' },
  { payment_status: 'failed,reversed' },
  { is_refund: 'true' },
]

test.each([
  ['no payment', 'nobodyhasthis', 1],
  ['some', 'person 777', 1],
  ['more than are counted', 'invoice77', 1],
  ['every one', 'rent', 2],
])(
  'the tabs of a search that matches %s are counted correctly, with one read of each payment',
  async (_what, search_text, statements) => {
    const platformScope = requireScope(platformViewer, environment, null)
    const tabSearchInputs = tabFilters.map((tab) => ({
      asked: schemasByOperation['payments.search'].input.parse({
        ...tab,
        search_text,
        page_size: 1,
      }),
      place: platformScope,
    }))
    const tabPages = await Promise.all(
      tabSearchInputs.map(({ asked }) =>
        readMirrorPage(platformViewer, 'payments.search', asked, platformScope),
      ),
    )
    let tabCounts: number[] = []
    const sentStatements = await recordStatements(async () => {
      tabCounts = await countMirrorRows(platformViewer, 'payments.search', tabSearchInputs)
    })
    expect(tabCounts).toEqual(
      tabPages.map(({ meta }) => Math.min(meta.total_items ?? 0, maxCountedRows + 1)),
    )
    expect(
      sentStatements.filter(({ text }) => text.includes('from "mirror_payments"')),
    ).toHaveLength(statements)
  },
)

test.each([
  ['few', 'person 777', `customer_id in (select id from mirror_customers where name like '%777%')`],
  ['more than are counted', 'invoice77', `words @@ '''invoice77'':*'::tsquery`],
])(
  'the pages of a search that finds %s continue without gap or overlap',
  async (_what, search_text, condition) => {
    const expectedRows = await runSql(
      `select id from mirror_payments where ${condition} order by created_at desc, id desc limit 60`,
    )
    const pagePromises = [1, 2, 3].map(async (page_number) => {
      const input = schemasByOperation['payments.search'].input.parse({
        search_text,
        page_size: 20,
        page_number,
      })
      return (
        await readMirrorPage(
          platformViewer,
          'payments.search',
          input,
          requireScope(platformViewer, environment, null),
          'short',
        )
      ).data
    })
    expect((await Promise.all(pagePromises)).flat().map(({ id }) => id)).toEqual(
      expectedRows.map(({ id }) => id),
    )
  },
)

test('sums of the whole platform use the day sums, and sums of an account use its index', async () => {
  const monthSearchInput = schemasByOperation['payments.search'].input.parse({
    payment_status: 'paid',
    min_effective_at: '2026-10-02T04:00:00Z',
  })
  const createPaidSumReader = (accountId: string | null) => () =>
    sumPayments(platformViewer, monthSearchInput, { environment, accountId }, [
      'day',
      'type',
      'refund',
      'currency',
    ])
  expect(await explainStatements('mirror_payments', createPaidSumReader(null))).toEqual([])
  const [plan] = await explainStatements('mirror_payments', createPaidSumReader(toUuid(1, 7)))
  expect(plan).toContain('mirror_payments_account')
})

test('matches are counted up to a limit, and completely on request', async () => {
  const scope = requireScope(platformViewer, environment, null)
  const parseSearchInput = (fields: Record<string, unknown>) =>
    schemasByOperation['payments.search'].input.parse({ page_size: 1, ...fields })
  const readTotalItems = async (countMode: 'short' | 'whole') =>
    (
      await readMirrorPage(
        platformViewer,
        'payments.search',
        parseSearchInput({}),
        scope,
        countMode,
      )
    ).meta.total_items
  expect(await readTotalItems('short')).toBe(maxCountedRows + 1)
  expect(await readTotalItems('whole')).toBe(paymentCount)
  const searchesToCount = [{}, { payment_status: 'on_hold' }, { external_id: 'ref-777' }].map(
    (fields) => ({
      asked: parseSearchInput(fields),
      place: scope,
    }),
  )
  expect(await countMirrorRows(platformViewer, 'payments.search', searchesToCount)).toEqual([
    maxCountedRows + 1,
    paymentCount / 20_000,
    1,
  ])
})

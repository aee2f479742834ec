import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Environment } from '@/lib/operations/define'
import { mostCounted } from '@/lib/operations/list-count'
import { schemas } from '@/lib/operations/registry'
import { scopeOf } from '@/lib/server/auth/scoped-account'
import { countMirror, readMirror } from '@/lib/server/mirror/query'
import { database } from '@/lib/server/store/store'
import { openOwnStore } from './harness/own-store'
import { plansOf } from './harness/plans'

const environment: Environment = 'sandbox'
const payments = 1_000_000
const customers = 50_000

const uuidOf = (kind: number, number: string) => `(lpad(to_hex(${number}), 8, '0') || '-000${kind}-7000-8000-000000000000')::uuid`
const idOf = (kind: number, number: number) => `${number.toString(16).padStart(8, '0')}-000${kind}-7000-8000-000000000000`

/** A million payments of 50,000 customers in 2,000 accounts: most are paid, some failed, fifty are held. */
const filling = [
  `insert into mirror_customers (environment, id, account_id, object, seen_at, seen_by, name, status, created_at, search)
    select '${environment}', ${uuidOf(2, 'n')}, ${uuidOf(1, 'n % 2000')}, '{}', now(), 'sync', 'person ' || n, 'verified', now() - n * interval '1 minute',
      'person ' || n || ' p•••@example.com' from generate_series(1, ${customers}) n`,
  `insert into mirror_payments (environment, id, account_id, object, version_at, seen_at, seen_by, payment_type, status, status_reason, external_id,
      customer_id, paykey_id, amount, payment_date, effective_at, created_at, updated_at, funding_ids, is_refund, words)
    select '${environment}', ${uuidOf(3, 'n')}, ${uuidOf(1, 'n % 2000')}, jsonb_build_object('id', ${uuidOf(3, 'n')}), at, at, 'sync',
      case when n % 2 = 0 then 'payout' else 'charge' end,
      case when n % 20000 = 0 then 'on_hold' when n % 30 = 0 then 'failed' when n % 31 = 0 then 'scheduled' else 'paid' end, 'ok', 'ref-' || n,
      ${uuidOf(2, `n % ${customers}`)}, ${uuidOf(4, `n % ${customers}`)}, n % 250000, at::date, at + interval '2 days', at, at,
      array[${uuidOf(5, 'n % 5000')}], n % 100 = 0, array_to_tsvector(array['rent', 'invoice' || n % 1000])
    from (select n, timestamptz '2026-11-01' - n * interval '30 seconds' as at from generate_series(1, ${payments}) n) made`,
]

async function run(statement: string): Promise<Record<string, string>[]> {
  const db = await database()
  return ((await db.execute(sql.raw(statement))) as unknown as { rows: Record<string, string>[] }).rows
}

let stop: () => Promise<void>
beforeAll(async () => {
  stop = await openOwnStore('PostgreSQL')
  // Indexes are made when the rows are there, and nothing is logged: row by row it takes minutes.
  const indexes = await run(`select indexname as name, indexdef as made from pg_indexes
    where tablename = 'mirror_payments' and indexname not like '%_pk'`)
  await run('alter table mirror_payments set unlogged')
  for (const { name } of indexes) await run(`drop index ${name}`)
  for (const statement of filling) await run(statement)
  const building = indexes.map(({ made }) => made).join(';')
  await run(`set maintenance_work_mem = '256MB'; ${building}; reset maintenance_work_mem`)
  await run('vacuum analyze')
}, 300_000)
afterAll(() => stop?.(), 300_000)

const actor = { id: 'somebody', grants: [{ role: 'viewer' as const, environment, accountId: null }] }

async function planOf(fields: Record<string, unknown>, account: string | null): Promise<string> {
  const input = schemas['payments.search'].input.parse(fields)
  const [plan] = await plansOf('mirror_payments', () => readMirror(actor, 'payments.search', input, scopeOf(actor, environment, account)))
  return plan ?? ''
}

test.each([
  ['the list as it opens', {}, null, 'created'],
  ['payouts', { payment_type: 'payout' }, null, 'type'],
  ['paid payouts', { payment_type: 'payout', payment_status: 'paid' }, null, 'type'],
  ['held payouts', { payment_type: 'payout', payment_status: 'on_hold' }, null, 'status'],
  ['failed and reversed ones', { payment_status: 'failed,reversed' }, null, 'status'],
  ['those of an account', {}, idOf(1, 7), 'account'],
  ['failed ones of an account', { payment_status: 'failed' }, idOf(1, 7), 'account_status'],
  ['those of a customer', { customer_id: idOf(2, 77) }, null, 'customer'],
  ['those of a paykey', { paykey_id: idOf(4, 77) }, null, 'paykey'],
  ['one by its reference', { external_id: 'ref-777' }, null, 'external'],
  ['those of a funding event', { funding_id: idOf(5, 77) }, null, 'funding'],
  ['the highest amounts', { sort_by: 'amount' }, null, 'amount'],
  ['what was settled last', { sort_by: 'effective_at' }, null, 'effective'],
  ['refunds', { is_refund: 'true' }, null, 'refund'],
  ['what changed since', { sort_by: 'updated_at', min_updated_at: '2026-10-31T00:00:00Z' }, null, 'updated'],
  ['those of some days', { sort_by: 'payment_date', min_payment_date: '2026-10-01', max_payment_date: '2026-10-02' }, null, 'date'],
  ['those with a word', { search_text: 'invoice77' }, null, 'words'],
  ['those of a name', { search_text: 'person 777' }, null, 'customer'],
  ['one by its id', { search_text: idOf(3, 5) }, null, 'environment_id_pk'],
] as const)('%s are found by an index among a million', async (_what, fields, account, index) => {
  const plan = await planOf(fields, account)
  expect(plan).toContain(`mirror_payments_${index} `)
  expect(plan).not.toContain('Seq Scan on mirror_payments')
})

test.each([
  ['the newest', {}],
  ['payouts', { payment_type: 'payout' }],
  ['failed and reversed ones', { payment_status: 'failed,reversed' }],
  ['by amount', { sort_by: 'amount' }],
])('a page of %s is read in the order of an index, without a look at the others', async (_what, fields) => {
  const page = (await planOf(fields, null)).split('CTE page')[1]?.split('Aggregate')[0] ?? ''
  expect(page).toContain('Scan Backward using mirror_payments_')
  expect(page).not.toContain('Sort Key: mirror_payments')
})

test('a word that is in the name of every customer is looked up once for each payment', async () => {
  expect(await planOf({ search_text: 'person' }, null)).toContain('hashed SubPlan')
})

test('what matches is counted so far that nobody waits for it, and whole where that is asked for', async () => {
  const scope = scopeOf(actor, environment, null)
  const asked = (fields: Record<string, unknown>) => schemas['payments.search'].input.parse({ page_size: 1, ...fields })
  const totalOf = async (count: 'short' | 'whole') => (await readMirror(actor, 'payments.search', asked({}), scope, count)).meta.total_items
  expect(await totalOf('short')).toBe(mostCounted + 1)
  expect(await totalOf('whole')).toBe(payments)
  const searches = [{}, { payment_status: 'on_hold' }, { external_id: 'ref-777' }].map((fields) => ({ asked: asked(fields), place: scope }))
  expect(await countMirror(actor, 'payments.search', searches)).toEqual([mostCounted + 1, payments / 20_000, 1])
})

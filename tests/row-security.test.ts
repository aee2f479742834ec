import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readForAccounts } from '@/lib/server/store/read-for-accounts'
import { closeStore } from '@/lib/server/store/store'
import { addLimitedPerson, listActiveAccounts } from './harness/objects'
import { type Person, signIn } from './harness/person'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

let desk: WholeDesk
let ownAccount: string
let otherAccount: string
let limitedPerson: Person
let admin: Person
const settings = process.env

beforeAll(async () => {
  desk = await startWholeDesk({ mirror: true, payments: 300, twoRoles: true })
  admin = await signIn(desk.dashboard.url, 'admin')
  ;[ownAccount = '', otherAccount = ''] = await listActiveAccounts(admin)
  await addLimitedPerson(desk.db, 'lea@company.test', 'operator', ownAccount)
  limitedPerson = await signIn(desk.dashboard.url, 'lea@company.test')
  const { url } = desk.postgres
  const servingUrl = url.replace('paydesk@', 'desk@').replace(/postgres$/, 'desk_store')
  process.env = { ...settings, DATABASE_URL: servingUrl }
})
afterAll(async () => {
  await closeStore()
  process.env = settings
  await desk?.stop()
})

const tables = async () =>
  (
    await desk.db.query<{ name: string }>(
      `select table_name as name from information_schema.columns where table_schema = 'public' and table_name like 'mirror%' and column_name = 'account_id' order by 1`,
    )
  ).rows.map(({ name }) => name)

/** Reads a table without a condition on the account, for a person who has only these accounts. Returns the accounts of the rows found. */
const readAccounts = async (table: string, accounts: readonly string[] | null) =>
  (await readForAccounts<{ id: string | null }>(accounts, sql`select distinct account_id as id from ${sql.identifier(table)}`)).map(
    ({ id }) => id,
  )

test('an unconditional statement returns only a limited person’s rows, in every table with accounts', async () => {
  const allTables = await tables()
  expect(allTables).toEqual(
    expect.arrayContaining(['mirror_accounts', 'mirror_customers', 'mirror_funding_events', 'mirror_paykeys', 'mirror_payments']),
  )
  for (const table of allTables) {
    const [mine, theirs, nobodys, everybodys] = await Promise.all(
      [[ownAccount], [ownAccount, otherAccount], [], null].map((accounts) => readAccounts(table, accounts)),
    )
    expect([table, mine?.filter((id) => id !== ownAccount), nobodys]).toEqual([table, [], []])
    expect([table, theirs?.filter((id) => id !== ownAccount && id !== otherAccount)]).toEqual([table, []])
    expect(everybodys?.length, table).toBeGreaterThanOrEqual(mine?.length ?? 0)
  }
  expect(await readAccounts('mirror_payments', [ownAccount])).toEqual([ownAccount])
  expect((await readAccounts('mirror_payments', null)).length).toBeGreaterThan(2)
})

test('the restricted role reads no other tables, writes nothing, and does not affect the next read', async () => {
  for (const table of ['people', 'actions', 'audit', 'sessions']) {
    await expect(readForAccounts([ownAccount], sql`select 1 from ${sql.identifier(table)}`)).rejects.toThrow()
    await expect(readForAccounts(null, sql`select 1 from ${sql.identifier(table)} limit 1`)).resolves.toBeDefined()
  }
  await expect(readForAccounts([ownAccount], sql`delete from mirror_payments returning id`)).rejects.toThrow()
  await expect(readForAccounts(null, sql`select current_user as name`)).resolves.toEqual([{ name: 'desk' }])
})

test('statements of a person without account limits have no extra condition', async () => {
  const explainForAccounts = async (accounts: readonly string[] | null) =>
    (await readForAccounts<{ 'QUERY PLAN': string }>(accounts, sql`explain select id from mirror_payments where id is not null`))
      .map((line) => line['QUERY PLAN'])
      .join('\n')
  expect(await explainForAccounts([ownAccount])).toMatch(/account_id = ANY \(\(InitPlan/)
  expect(await explainForAccounts(null)).not.toContain('account_id')
})

test('lists, records and sums of a limited person use the restricted role, and others do not', async () => {
  const paths = ['payments', 'customers', 'paykeys', 'accounts'].map((name) => `/api/sandbox/mirror/${name}?account=acct_${ownAccount}`)
  const listStatuses = (person: Person) => Promise.all(paths.map(async (path) => (await person.get(path)).status))
  expect([await listStatuses(limitedPerson), await listStatuses(admin)]).toEqual([
    [200, 200, 200, 200],
    [200, 200, 200, 200],
  ])
  const ownerClient = new Client(desk.postgres.url.replace('paydesk@', 'keeper@').replace(/postgres$/, 'desk_store'))
  await ownerClient.connect()
  await ownerClient.query('revoke select on mirror_payments, mirror_customers, mirror_paykeys, mirror_accounts from desk_limited')
  expect((await listStatuses(limitedPerson)).every((status) => status >= 500)).toBe(true)
  expect(await listStatuses(admin)).toEqual([200, 200, 200, 200])
  await ownerClient.query('grant select on mirror_payments, mirror_customers, mirror_paykeys, mirror_accounts to desk_limited')
  await ownerClient.end()
  expect(await listStatuses(limitedPerson)).toEqual([200, 200, 200, 200])
})

import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readRowsForAccounts } from '@/lib/server/store/read-for-accounts'
import { closeStore } from '@/lib/server/store/store'
import { addLimitedPerson, listActiveAccounts } from './harness/objects'
import { type Person, signIn } from './harness/person'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let ownAccountId: string
let otherAccountId: string
let limitedPerson: Person
let admin: Person
const originalEnv = process.env

beforeAll(async () => {
  testStack = await startWholeDesk({ mirror: true, payments: 300, twoRoles: true })
  admin = await signIn(testStack.dashboard.url, 'admin')
  ;[ownAccountId = '', otherAccountId = ''] = await listActiveAccounts(admin)
  await addLimitedPerson(testStack.db, 'lea@company.test', 'operator', ownAccountId)
  limitedPerson = await signIn(testStack.dashboard.url, 'lea@company.test')
  const { url } = testStack.postgres
  const serverDatabaseUrl = url.replace('paydesk@', 'desk@').replace(/postgres$/, 'desk_store')
  process.env = { ...originalEnv, DATABASE_URL: serverDatabaseUrl }
})
afterAll(async () => {
  await closeStore()
  process.env = originalEnv
  await testStack?.stop()
})

const listAccountTables = async () =>
  (
    await testStack.db.query<{ name: string }>(
      `select table_name as name from information_schema.columns where table_schema = 'public' and table_name like 'mirror%' and column_name = 'account_id' order by 1`,
    )
  ).rows.map(({ name }) => name)

/**
 * Reads a table as a person who may see only these accounts (null: all accounts). The query has no
 * condition on the account. Returns the account ids of the rows found.
 */
const readAccountIds = async (table: string, accounts: readonly string[] | null) =>
  (
    await readRowsForAccounts<{ id: string | null }>(
      accounts,
      sql`select distinct account_id as id from ${sql.identifier(table)}`,
    )
  ).map(({ id }) => id)

test('an unconditional statement returns only a limited person’s rows, in every table with accounts', async () => {
  const accountTables = await listAccountTables()
  expect(accountTables).toEqual(
    expect.arrayContaining([
      'mirror_accounts',
      'mirror_customers',
      'mirror_funding_events',
      'mirror_paykeys',
      'mirror_payments',
    ]),
  )
  for (const table of accountTables) {
    const [idsForOwnAccount, idsForTwoAccounts, idsForNoAccount, idsForAllAccounts] =
      await Promise.all(
        [[ownAccountId], [ownAccountId, otherAccountId], [], null].map((accounts) =>
          readAccountIds(table, accounts),
        ),
      )
    expect([table, idsForOwnAccount?.filter((id) => id !== ownAccountId), idsForNoAccount]).toEqual(
      [table, [], []],
    )
    expect([
      table,
      idsForTwoAccounts?.filter((id) => id !== ownAccountId && id !== otherAccountId),
    ]).toEqual([table, []])
    expect(idsForAllAccounts?.length, table).toBeGreaterThanOrEqual(idsForOwnAccount?.length ?? 0)
  }
  expect(await readAccountIds('mirror_payments', [ownAccountId])).toEqual([ownAccountId])
  expect((await readAccountIds('mirror_payments', null)).length).toBeGreaterThan(2)
})

test('the restricted role reads no other tables, writes nothing, and does not affect the next read', async () => {
  for (const table of ['people', 'actions', 'audit', 'sessions']) {
    await expect(
      readRowsForAccounts([ownAccountId], sql`select 1 from ${sql.identifier(table)}`),
    ).rejects.toThrow()
    await expect(
      readRowsForAccounts(null, sql`select 1 from ${sql.identifier(table)} limit 1`),
    ).resolves.toBeDefined()
  }
  await expect(
    readRowsForAccounts([ownAccountId], sql`delete from mirror_payments returning id`),
  ).rejects.toThrow()
  await expect(readRowsForAccounts(null, sql`select current_user as name`)).resolves.toEqual([
    { name: 'desk' },
  ])
})

test('statements of a person without account limits have no extra condition', async () => {
  const explainForAccounts = async (accounts: readonly string[] | null) =>
    (
      await readRowsForAccounts<{ 'QUERY PLAN': string }>(
        accounts,
        sql`explain select id from mirror_payments where id is not null`,
      )
    )
      .map((line) => line['QUERY PLAN'])
      .join('\n')
  expect(await explainForAccounts([ownAccountId])).toMatch(/account_id = ANY \(\(InitPlan/)
  expect(await explainForAccounts(null)).not.toContain('account_id')
})

test('lists, records and sums of a limited person use the restricted role, and others do not', async () => {
  const listPaths = ['payments', 'customers', 'paykeys', 'accounts'].map(
    (name) => `/api/sandbox/mirror/${name}?account=acct_${ownAccountId}`,
  )
  const fetchListStatuses = (person: Person) =>
    Promise.all(listPaths.map(async (path) => (await person.get(path)).status))
  expect([await fetchListStatuses(limitedPerson), await fetchListStatuses(admin)]).toEqual([
    [200, 200, 200, 200],
    [200, 200, 200, 200],
  ])
  const ownerClient = new Client(
    testStack.postgres.url.replace('paydesk@', 'keeper@').replace(/postgres$/, 'desk_store'),
  )
  await ownerClient.connect()
  await ownerClient.query(
    'revoke select on mirror_payments, mirror_customers, mirror_paykeys, mirror_accounts from desk_limited',
  )
  expect((await fetchListStatuses(limitedPerson)).every((status) => status >= 500)).toBe(true)
  expect(await fetchListStatuses(admin)).toEqual([200, 200, 200, 200])
  await ownerClient.query(
    'grant select on mirror_payments, mirror_customers, mirror_paykeys, mirror_accounts to desk_limited',
  )
  await ownerClient.end()
  expect(await fetchListStatuses(limitedPerson)).toEqual([200, 200, 200, 200])
})

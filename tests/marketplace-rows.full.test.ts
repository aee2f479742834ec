import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readRowsForAccounts } from '@/lib/server/store/read-for-accounts'
import { closeStore } from '@/lib/server/store/store'
import { addLimitedPerson, type CreatedObject, listActiveAccounts } from './harness/objects'
import { type Person, signIn } from './harness/person'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

/** The column of a payment with the id of the object. */
const paymentColumns = { customers: 'customer_id', paykeys: 'paykey_id' } as const
type PaidResource = keyof typeof paymentColumns
const paidResources = Object.keys(paymentColumns) as PaidResource[]

let desk: WholeDesk
let accounts: string[]
let limitedPerson: Person
const originalEnv = process.env

beforeAll(async () => {
  desk = await startWholeDesk({
    mirror: true,
    payments: 300,
    twoRoles: true,
    integration: 'marketplace',
  })
  accounts = await listActiveAccounts(desk.operator)
  await addLimitedPerson(desk.db, 'lea@company.test', 'reviewer', accounts[0] ?? '')
  limitedPerson = await signIn(desk.dashboard.url, 'lea@company.test')
  const { url } = desk.postgres
  process.env = {
    ...originalEnv,
    DATABASE_URL: url.replace('paydesk@', 'desk@').replace(/postgres$/, 'desk_store'),
  }
})
afterAll(async () => {
  await closeStore()
  process.env = originalEnv
  await desk?.stop()
})

const listPaidIds = async (resource: PaidResource, ids: readonly string[]) =>
  (
    await desk.db.query<{ id: string }>(
      `select distinct ${paymentColumns[resource]} as id from mirror_payments where account_id = any($1) and ${paymentColumns[resource]} is not null order by 1`,
      [ids],
    )
  ).rows.map(({ id }) => id)

test.each(paidResources)('an unconditional statement returns only paid %s', async (resource) => {
  for (const ids of [[], accounts.slice(0, 1), accounts.slice(0, 3)]) {
    const rows = await readRowsForAccounts<{ id: string }>(
      ids,
      sql`select id from ${sql.identifier(`mirror_${resource}`)} order by 1`,
    )
    expect(rows.map(({ id }) => id)).toEqual(await listPaidIds(resource, ids))
  }
  const allRows = await readRowsForAccounts(
    null,
    sql`select id from ${sql.identifier(`mirror_${resource}`)}`,
  )
  expect(allRows.length).toBeGreaterThan((await listPaidIds(resource, accounts.slice(0, 1))).length)
})

const filters = [
  '',
  ...[...'abcdefghijklmnopqrstuvwxyz'].map((letter) => `search_text=${letter}`),
  'status=review',
  'status=review,blocked,rejected,inactive',
  'sort_by=created_at&sort_order=asc',
]

test.each(paidResources)(
  'no search for %s shows a foreign row, and no count counts one',
  async (resource) => {
    const [ownAccount = ''] = accounts
    const paidIds = await listPaidIds(resource, [ownAccount])
    const seenIds = new Set<string>()
    for (const source of ['mirror', 'v1']) {
      for (const filter of filters) {
        const reply = await limitedPerson.get<CreatedObject[]>(
          `/api/sandbox/${source}/${resource}?account=acct_${ownAccount}&page_size=1000&${filter}`,
        )
        const ids = (reply.body.data ?? []).map(({ id }) => id)
        for (const id of ids) seenIds.add(id)
        if (reply.status !== 200) continue
        expect([source, filter, reply.body.meta?.total_items]).toEqual([source, filter, ids.length])
      }
    }
    expect([...seenIds].sort()).toEqual(paidIds)
  },
)

test('without an account, a person of single accounts has no list of the platform', async () => {
  for (const resource of paidResources)
    expect((await limitedPerson.get(`/api/sandbox/mirror/${resource}`)).status).toBe(403)
})

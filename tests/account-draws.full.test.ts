import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Role } from '@/lib/operations/define'
import { sampleOfEachKind } from '@/tests/sandbox/sample'
import { addLimitedPerson, listActiveAccounts } from './harness/objects'
import { acknowledgedWarnings, type Person, signIn } from './harness/person'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

/**
 * Requests per kind of address in the short run. Each uses a random person who has only some accounts, a random object and a random
 * account.
 */
const requestsPerKind = 2
const maxConcurrent = 4

/** A person who has only some accounts. `asked` contains the ids in their own requests, because the log of their requests shows these. */
type LimitedPerson = { name: string; person: Person; own: ReadonlySet<string>; asked: Set<string> }

let desk: WholeDesk
let accounts: string[]
const people: LimitedPerson[] = []
/** The account of each stored row, by row id. */
const accountByObjectId = new Map<string, string>()
/** The ids to request, by table. */
const idsByTable = new Map<string, string[]>()

const uuidPattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

beforeAll(async () => {
  desk = await startWholeDesk({ mirror: true, payments: 400, twoRoles: true })
  const admin = await signIn(desk.dashboard.url, 'admin')
  accounts = (await listActiveAccounts(admin)).slice(0, 5)
  for (const account of accounts) await createRecords(admin, account)
  await readOwners()
  const limitedRoles: [Role, number[]][] = [
    ['viewer', [0]],
    ['operator', [1]],
    ['operator', [0, 2]],
    ['reviewer', [1, 3]],
    ['reviewer', [4]],
    ['admin', [2, 3]],
  ]
  for (const [role, places] of limitedRoles) people.push(await createLimitedPerson(role, places))
})
afterAll(() => desk?.stop())

const toJsonInit = (body: unknown): RequestInit => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

/** Creates one of each kind of record in an account: a held payout, an approval request, a note, a deletion request, a claim. */
async function createRecords(admin: Person, bare: string) {
  const account = `acct_${bare}`
  const waitingPayout = { ...(await desk.sandbox.makePayout({ account_id: bare, amount: 600_000 })), account }
  const charge = await desk.sandbox.makePayout({ account_id: bare })
  await desk.mirrored([waitingPayout.id, charge.id])
  const warnedReply = await admin.decide('release', waitingPayout)
  const extraWarnings = (warnedReply.body.error?.items ?? []).map(({ reference }) => reference.replace('warnings.', ''))
  const headers = { 'action-warnings': [acknowledgedWarnings, ...extraWarnings].join(',') }
  const releaseReply =
    warnedReply.status === 202 ? warnedReply : await admin.decide('release', waitingPayout, undefined, undefined, headers)
  expect([releaseReply.status, releaseReply.body.action?.state]).toEqual([202, 'awaiting_approval'])
  expect((await admin.decide('cancel', { ...charge, account })).status).toBe(200)
  const noteReply = await admin.post(
    `/api/sandbox/desk/notes/payouts/${waitingPayout.id}`,
    toJsonInit({ note: randomUUID(), text: 'Asked the bank for the proof.' }),
  )
  expect(noteReply.status).toBe(201)
  await admin.ask('PUT', `/api/sandbox/desk/claims/payouts/${waitingPayout.id}`, toJsonInit({}))
  const { rows } = await desk.db.query('select id from mirror_customers where account_id = $1 limit 1', [bare])
  const customer = rows[0]?.id
  if (!customer) return
  const request = { id: randomUUID(), account, customer_id: customer, asker: 'DATA_SUBJECT_REQUEST' }
  await admin.post(
    '/api/sandbox/desk/deletions',
    toJsonInit({ ...request, basis: 'GDPR_17_1_B', identity_check: 'SIGNED_IN', ticket: 'PRIV-1' }),
  )
}

async function readOwners() {
  const { rows: tables } = await desk.db.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name in ('id', 'account_id') and data_type = 'uuid' and table_name <> 'grants'
     group by table_name having count(*) = 2`,
  )
  for (const { name } of tables) {
    const { rows } = await desk.db.query<{ id: string; of: string }>(
      `select id, account_id as of from "${name}" where account_id is not null`,
    )
    idsByTable.set(
      name,
      rows.map(({ id }) => id),
    )
    for (const { id, of } of rows) accountByObjectId.set(id, of)
  }
  const { rows } = await desk.db.query<{ id: string }>('select id from mirror_accounts')
  for (const { id } of rows) accountByObjectId.set(id, id)
}

async function createLimitedPerson(role: Role, places: readonly number[]): Promise<LimitedPerson> {
  const ownAccounts = places.map((at) => accounts[at] ?? '')
  const name = `${role}.${places.join('.')}@paydesk.test`
  await addLimitedPerson(desk.db, name, role, ownAccounts[0] ?? '')
  for (const account of ownAccounts.slice(1)) {
    await desk.db.query(
      `insert into grants (person_id, role, environment, account_id) select id, $2, 'sandbox', $3::uuid from people where email = $1`,
      [name, role, account],
    )
  }
  return { name, person: await signIn(desk.dashboard.url, name as `${string}@${string}`), own: new Set(ownAccounts), asked: new Set() }
}

/** A random object of any account, and a random account or none. */
type Draw = { id: string; account: string | null; word: string }

const addAccountParam = (path: string, { account }: Draw) =>
  account ? `${path}${path.includes('?') ? '&' : '?'}account=acct_${account}` : path
const lists = [
  'payouts',
  'charges',
  'payments',
  'customers',
  'paykeys',
  'accounts',
  'funding_events',
  'representatives',
  'linked_bank_accounts',
]
const exportedLists = ['payouts', 'payments', 'customers', 'paykeys', 'accounts']
const records = ['payouts', 'charges', 'customers', 'paykeys', 'funding_events', 'representatives', 'linked_bank_accounts']
const pages = ['home', 'payouts', 'customers', 'paykeys', 'approvals', 'activity', 'deletions', 'limits', 'accounts', 'audit']

/** Addresses that list the ids in other people's requests for an account, even ids that do not exist. */
const logNames = ['request log', 'page activity', 'page audit', 'audit']
const allRequestedIds = new Set<string>()

/** Every address that could show data of an account, as a function that returns the path for random values. */
const addressBuilders: Readonly<Record<string, (draw: Draw) => string>> = {
  ...Object.fromEntries(
    lists.flatMap((list) => [
      [`list ${list}`, (draw: Draw) => addAccountParam(`/api/sandbox/v1/${list}?page_size=1000`, draw)],
      [`search ${list}`, (draw: Draw) => addAccountParam(`/api/sandbox/v1/${list}?search_text=${draw.word}`, draw)],
    ]),
  ),
  ...Object.fromEntries(
    records.flatMap((of) => [
      [`read ${of}`, (draw: Draw) => addAccountParam(`/api/sandbox/v1/${of}/${draw.id}`, draw)],
      [`kept ${of}`, (draw: Draw) => addAccountParam(`/api/sandbox/mirror/${of}/${draw.id}`, draw)],
      [`actions on ${of}`, (draw: Draw) => addAccountParam(`/api/sandbox/desk/actions?target=${of}/${draw.id}`, draw)],
      [`notes on ${of}`, ({ id }: Draw) => `/api/sandbox/desk/notes/${of}/${id}`],
      [`claims of ${of}`, () => `/api/sandbox/desk/claims/${of}`],
    ]),
  ),
  ...Object.fromEntries(
    exportedLists.map((list) => [`export ${list}`, (draw: Draw) => addAccountParam(`/api/sandbox/desk/exports/${list}`, draw)]),
  ),
  ...Object.fromEntries(pages.map((page) => [`page ${page}`, (draw: Draw) => addAccountParam(`/sandbox/${page}`, draw)])),
  'page of a payout': (draw) => addAccountParam(`/sandbox/payouts/${draw.id}`, draw),
  'page of a request': ({ id }) => `/sandbox/approvals/${id}`,
  'an action': ({ id }) => `/api/sandbox/desk/actions/${id}`,
  approvals: (draw) => addAccountParam('/api/sandbox/desk/approvals', draw),
  'an approval': ({ id }) => `/api/sandbox/desk/approvals/${id}`,
  deletions: (draw) => addAccountParam('/api/sandbox/desk/deletions', draw),
  'limit requests': (draw) => addAccountParam('/api/sandbox/desk/limit-requests', draw),
  counts: (draw) => addAccountParam('/api/sandbox/desk/queue-counts', draw),
  find: (draw) => addAccountParam('/api/sandbox/desk/find', draw),
  'request log': () => '/api/sandbox/desk/requests?page_size=50',
  audit: (draw) => addAccountParam('/api/sandbox/desk/audit', draw),
  'account choices': () => '/api/sandbox/desk/account-choices',
  evidence: ({ id }) => `/api/sandbox/desk/evidence/payouts/${id}`,
}

/** Addresses that must return data at least once in a run. Empty responses would prove nothing. */
const requiredAddresses = [
  'list payments',
  'search customers',
  'export payments',
  'page payouts',
  'page home',
  'approvals',
  'account choices',
]

test('no response contains an ID of another account, for random people, URLs and objects', async () => {
  const ids = [...idsByTable.entries()].filter(([, some]) => some.length > 0)
  const drawArbitrary = fc.record({
    who: fc.constantFrom(...people),
    what: fc.constantFrom(...Object.keys(addressBuilders)),
    // Chooses the table first, because there are many payments but few approval requests.
    id: fc.constantFrom(...ids).chain(([, some]) => fc.constantFrom(...some)),
    account: fc.option(fc.constantFrom(...accounts), { freq: 2 }),
    word: fc.constantFrom('a', 'payout', 'example', '2026', ...accounts),
  })
  const allDraws = fc.sample(drawArbitrary, { numRuns: 1000, seed: 20_261_126 })
  const sampledDraws = new Set(sampleOfEachKind(allDraws, requestsPerKind, ({ what }) => what))
  const samples = allDraws.filter((one) => sampledDraws.has(one) || requiredAddresses.includes(one.what))
  const addressesWithData = new Set<string>()
  const sendDrawnRequest = async ({ who, what, ...about }: (typeof samples)[number]) => {
    const path = addressBuilders[what]?.(about) ?? ''
    for (const id of [about.id, ...(path.match(uuidPattern) ?? [])]) {
      who.asked.add(id)
      allRequestedIds.add(id)
    }
    const response = await who.person.send(path, { headers: { 'find-text': encodeURIComponent(about.id) } })
    const returnedIds = [...new Set((await response.text()).match(uuidPattern))].filter((id) => accountByObjectId.has(id))
    if (returnedIds.length > 0) addressesWithData.add(what)
    // The ids in the request itself do not count: the response may repeat them.
    const ownRequestedIds = logNames.includes(what) ? allRequestedIds : who.asked
    const foreignIds = returnedIds.filter((id) => !ownRequestedIds.has(id) && !who.own.has(accountByObjectId.get(id) ?? ''))
    return { who: who.name, path, status: response.status, foreign: foreignIds.slice(0, 3) }
  }
  const results: Awaited<ReturnType<typeof sendDrawnRequest>>[] = []
  for (let at = 0; at < samples.length; at += maxConcurrent)
    results.push(...(await Promise.all(samples.slice(at, at + maxConcurrent).map(sendDrawnRequest))))
  expect(results.filter(({ status, foreign }) => status >= 500 || foreign.length > 0)).toEqual([])
  expect(requiredAddresses.filter((what) => !addressesWithData.has(what))).toEqual([])
})

test('no list, export or queue counts a row of another account', async () => {
  const countRows = async (own: readonly string[], more = '') =>
    (await desk.db.query(`select count(*)::int as count from mirror_payments where account_id = any($1::uuid[]) ${more}`, [own])).rows[0]
      ?.count
  const countPayments = (own: readonly string[]) => countRows(own)
  const countHeldPayouts = (own: readonly string[]) => countRows(own, "and payment_type = 'payout' and status = 'on_hold'")
  for (const { name, person, own } of people) {
    for (const account of own) {
      const listReply = await person.get(`/api/sandbox/v1/payments?page_size=1&account=acct_${account}`)
      expect([name, listReply.body.meta.total_items]).toEqual([name, await countPayments([account])])
    }
    const file = await person.send('/api/sandbox/desk/exports/payments')
    if (file.status === 200) expect([name, Number(file.headers.get('export-count'))]).toEqual([name, await countPayments([...own])])
    const { waiting = {} } = (await person.get<{ waiting: Record<string, number> }>('/api/sandbox/desk/queue-counts')).body.data ?? {}
    if ('payouts_held' in waiting) expect([name, waiting.payouts_held]).toEqual([name, await countHeldPayouts([...own])])
  }
})

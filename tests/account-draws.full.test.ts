import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '@/lib/operations/define'
import type { Integration } from '@/lib/operations/integration'
import { sampleOfEachKind } from '@/tests/sandbox/sample'
import {
  listShownIds,
  pickId,
  urlBuilders,
  urlNamesRequiringData,
  urlNamesShowingLogs,
} from './harness/account-urls'
import { addLimitedPerson, listActiveAccounts } from './harness/objects'
import { acknowledgedWarnings, type Person, signIn } from './harness/person'
import { toJsonInit } from './harness/step-up'
import { waitUntil } from './harness/wait-until'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

/**
 * Number of requests per kind of URL in the short run (`npm test`). Each has a random person,
 * object and account.
 */
const requestsPerKind = 2
const maxConcurrentRequests = 4

/**
 * A person with access to only some accounts: those in `own`. `asked` collects the ids that this
 * person requested. The request log repeats these ids, which is no leak.
 */
type LimitedPerson = { name: string; person: Person; own: ReadonlySet<string>; asked: Set<string> }

let testStack: WholeDesk
let accountIds: string[]
let limitedPeople: LimitedPerson[]
/** The accounts whose people may see an object. */
const accountsByObjectId = new Map<string, ReadonlySet<string>>()
const idsByTable = new Map<string, string[]>()
const allRequestedIds = new Set<string>()

const uuidPattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

async function startDesk(integration: Integration) {
  for (const collection of [accountsByObjectId, idsByTable, allRequestedIds]) collection.clear()
  testStack = await startWholeDesk({ mirror: true, payments: 400, twoRoles: true, integration })
  const admin = await signIn(testStack.dashboard.url, 'admin')
  accountIds = (await listActiveAccounts(admin)).slice(0, 5)
  for (const account of accountIds) await createAccountRecords(admin, account, integration)
  await indexRowIdsByAccount()
  if (integration === 'marketplace') await indexPlatformRows()
  const roleAndAccountIndexes: [Role, number[]][] = [
    ['viewer', [0]],
    ['operator', [1]],
    ['operator', [0, 2]],
    ['reviewer', [1, 3]],
    ['reviewer', [4]],
    ['admin', [2, 3]],
  ]
  limitedPeople = []
  for (const [role, places] of roleAndAccountIndexes)
    limitedPeople.push(await createLimitedPerson(role, places))
}

/**
 * Creates one of each kind of record in an account: a held payout, an approval request, a note, a
 * deletion request, a claim.
 */
async function createAccountRecords(
  admin: Person,
  bareAccountId: string,
  integration: Integration,
) {
  const account = `acct_${bareAccountId}`
  const payoutAwaitingApproval = {
    ...(await testStack.sandbox.makePayout({ account_id: bareAccountId, amount: 600_000 })),
    account,
  }
  const payoutToCancel = await testStack.sandbox.makePayout({ account_id: bareAccountId })
  await testStack.mirrored([payoutAwaitingApproval.id, payoutToCancel.id])
  const warnedReply = await admin.decide('release', payoutAwaitingApproval)
  const extraWarnings = (warnedReply.body.error?.items ?? []).map(({ reference }) =>
    reference.replace('warnings.', ''),
  )
  const headers = { 'action-warnings': [acknowledgedWarnings, ...extraWarnings].join(',') }
  const releaseReply =
    warnedReply.status === 202
      ? warnedReply
      : await admin.decide('release', payoutAwaitingApproval, undefined, undefined, headers)
  expect([releaseReply.status, releaseReply.body.action?.state]).toEqual([202, 'awaiting_approval'])
  expect((await admin.decide('cancel', { ...payoutToCancel, account })).status).toBe(200)
  const noteReply = await admin.post(
    `/api/sandbox/desk/notes/payouts/${payoutAwaitingApproval.id}`,
    toJsonInit({ note: randomUUID(), text: 'Asked the bank for the proof.' }),
  )
  expect(noteReply.status).toBe(201)
  await admin.ask(
    'PUT',
    `/api/sandbox/desk/claims/payouts/${payoutAwaitingApproval.id}`,
    toJsonInit({}),
  )
  const { rows } = await testStack.db.query(
    'select customer_id as id from mirror_payments where account_id = $1 and customer_id is not null order by id desc limit 1',
    [bareAccountId],
  )
  const customerId = rows[0]?.id
  if (!customerId) return
  const deletionRequest = {
    id: randomUUID(),
    account: integration === 'marketplace' ? null : account,
    customer_id: customerId,
    asker: 'DATA_SUBJECT_REQUEST',
  }
  await admin.post(
    '/api/sandbox/desk/deletions',
    toJsonInit({
      ...deletionRequest,
      basis: 'GDPR_17_1_B',
      identity_check: 'SIGNED_IN',
      ticket: 'PRIV-1',
    }),
  )
}

async function indexRowIdsByAccount() {
  const { rows: tables } = await testStack.db.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name in ('id', 'account_id') and data_type = 'uuid' and table_name <> 'grants'
     group by table_name having count(*) = 2`,
  )
  for (const { name } of tables) {
    const { rows } = await testStack.db.query<{ id: string; of: string }>(
      `select id, account_id as of from "${name}" where account_id is not null`,
    )
    idsByTable.set(
      name,
      rows.map(({ id }) => id),
    )
    for (const { id, of } of rows) accountsByObjectId.set(id, new Set([of]))
  }
  const { rows } = await testStack.db.query<{ id: string }>('select id from mirror_accounts')
  for (const { id } of rows) accountsByObjectId.set(id, new Set([id]))
}

/**
 * In a marketplace, the people of an account may see a customer or paykey with a payment of it, but
 * no deletion request. Waits for the import: after it, no payment changes who may see what.
 */
async function indexPlatformRows() {
  await waitUntil('the import', async () => {
    const { rowCount } = await testStack.db.query(
      `select 1 from sync_state where phase = 'import' and finished_at is null`,
    )
    return rowCount === 0 ? true : null
  })
  await indexRowIdsByAccount()
  for (const [table, paymentColumn] of [
    ['mirror_customers', 'customer_id'],
    ['mirror_paykeys', 'paykey_id'],
    ['deletions', null],
  ] as const) {
    const accountsSql = paymentColumn
      ? `array(select distinct p.account_id::text from mirror_payments p where p.${paymentColumn} = o.id and p.account_id is not null)`
      : 'array[]::text[]'
    const { rows } = await testStack.db.query<{ id: string; accounts: string[] }>(
      `select o.id, ${accountsSql} as accounts from ${table} o where o.account_id is null`,
    )
    expect(rows.length, table).toBeGreaterThan(0)
    idsByTable.set(
      table,
      rows.map(({ id }) => id),
    )
    for (const { id, accounts } of rows) accountsByObjectId.set(id, new Set(accounts))
  }
}

const isForeign = (id: string, own: ReadonlySet<string>): boolean =>
  ![...(accountsByObjectId.get(id) ?? [])].some((account) => own.has(account))

async function createLimitedPerson(
  role: Role,
  accountIndexes: readonly number[],
): Promise<LimitedPerson> {
  const ownAccounts = accountIndexes.map((at) => accountIds[at] ?? '')
  const personEmail = `${role}.${accountIndexes.join('.')}@paydesk.test`
  await addLimitedPerson(testStack.db, personEmail, role, ownAccounts[0] ?? '')
  for (const account of ownAccounts.slice(1)) {
    await testStack.db.query(
      `insert into grants (person_id, role, environment, account_id) select id, $2, 'sandbox', $3::uuid from people where email = $1`,
      [personEmail, role, account],
    )
  }
  return {
    name: personEmail,
    person: await signIn(testStack.dashboard.url, personEmail as `${string}@${string}`),
    own: new Set(ownAccounts),
    asked: new Set(),
  }
}

async function expectNoForeignIds() {
  const pairArbitrary = fc.tuple(
    fc.constantFrom(...limitedPeople),
    fc.constantFrom(...Object.keys(urlBuilders)),
  )
  const requestArbitrary = pairArbitrary.chain(([who, what]) => {
    const accounts = [[null], [...who.own], accountIds]
    return fc.record({
      who: fc.constant(who),
      what: fc.constant(what),
      id: pickId(what, idsByTable),
      account: fc.oneof(...accounts.map((each) => fc.constantFrom(...each))),
      word: fc.constantFrom('a', 'payout', 'example', '2026', ...accountIds),
    })
  })
  const generatedRequests = fc.sample(requestArbitrary, { numRuns: 1000, seed: 20_261_126 })
  const sampledRequests = new Set(
    sampleOfEachKind(generatedRequests, requestsPerKind, ({ what }) => what),
  )
  const requestsToSend = generatedRequests.filter(
    (one) => sampledRequests.has(one) || urlNamesRequiringData.includes(one.what),
  )
  const urlNamesWithData = new Set<string>()
  const sendRandomRequest = async ({ who, what, ...about }: (typeof requestsToSend)[number]) => {
    const path = urlBuilders[what]?.(about) ?? ''
    for (const id of [about.id, ...(path.match(uuidPattern) ?? [])]) {
      who.asked.add(id)
      allRequestedIds.add(id)
    }
    const response = await who.person.send(path, {
      headers: { 'find-text': encodeURIComponent(about.id) },
    })
    const returnedIds = [...new Set((await response.text()).match(uuidPattern))].filter((id) =>
      accountsByObjectId.has(id),
    )
    if (returnedIds.length > 0) urlNamesWithData.add(what)
    // The ids in the request itself do not count: the response may repeat them.
    const allowedIds = urlNamesShowingLogs.includes(what) ? allRequestedIds : who.asked
    const foreignIds = returnedIds.filter((id) => !allowedIds.has(id) && isForeign(id, who.own))
    foreignIds.push(
      ...listShownIds(what, about.id, response).filter((id) => isForeign(id, who.own)),
    )
    return { who: who.name, path, status: response.status, foreign: foreignIds.slice(0, 3) }
  }
  const requestResults: Awaited<ReturnType<typeof sendRandomRequest>>[] = []
  for (let at = 0; at < requestsToSend.length; at += maxConcurrentRequests)
    requestResults.push(
      ...(await Promise.all(
        requestsToSend.slice(at, at + maxConcurrentRequests).map(sendRandomRequest),
      )),
    )
  expect(
    requestResults.filter(({ status, foreign }) => status >= 500 || foreign.length > 0),
  ).toEqual([])
  expect(urlNamesRequiringData.filter((what) => !urlNamesWithData.has(what))).toEqual([])
}

async function expectOwnCounts() {
  const countMirroredPayments = async (ownAccountIds: readonly string[], extraSql = '') =>
    (
      await testStack.db.query(
        `select count(*)::int as count from mirror_payments where account_id = any($1::uuid[]) ${extraSql}`,
        [ownAccountIds],
      )
    ).rows[0]?.count
  const countPayments = (ownAccountIds: readonly string[]) => countMirroredPayments(ownAccountIds)
  const countHeldPayouts = (ownAccountIds: readonly string[]) =>
    countMirroredPayments(ownAccountIds, "and payment_type = 'payout' and status = 'on_hold'")
  for (const { name, person, own } of limitedPeople) {
    for (const account of own) {
      const listReply = await person.get(
        `/api/sandbox/v1/payments?page_size=1&account=acct_${account}`,
      )
      expect([name, listReply.body.meta.total_items]).toEqual([
        name,
        await countPayments([account]),
      ])
    }
    const exportResponse = await person.send('/api/sandbox/desk/exports/payments')
    if (exportResponse.status === 200)
      expect([name, Number(exportResponse.headers.get('export-count'))]).toEqual([
        name,
        await countPayments([...own]),
      ])
    const { waiting = {} } =
      (await person.get<{ waiting: Record<string, number> }>('/api/sandbox/desk/queue-counts')).body
        .data ?? {}
    if ('payouts_held' in waiting)
      expect([name, waiting.payouts_held]).toEqual([name, await countHeldPayouts([...own])])
  }
}

describe.each(['saas', 'marketplace'] as const)('%s', (integration) => {
  beforeAll(() => startDesk(integration))
  afterAll(() => testStack?.stop())

  test('no response contains an ID of another account, for random people, URLs and objects', () =>
    expectNoForeignIds())

  test('no list, export or queue counts a row of another account', () => expectOwnCounts())
})

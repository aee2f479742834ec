import type { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildCustomerBody, createObjectViaDesk } from './harness/objects'
import { createIdempotencyKey, goodReason, type Person, signIn } from './harness/person'
import { fetchRequestLog, openRequestLogDesk, waitForRequests } from './harness/request-log'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let db: Client
let operator: Person
let limitedPerson: Person
let ownAccount: string
let otherAccount: string

beforeAll(async () => {
  ;({ testStack, operator, limitedPerson, ownAccount, otherAccount } = await openRequestLogDesk())
  db = testStack.db
})
afterEach(() => testStack.sandbox.clearFaults())
afterAll(() => testStack?.stop())

const createPayout = (account: string) => testStack.sandbox.makePayout({ account_id: account })
const readPayout = (person: Person, payout: { id: string; account: string }) =>
  person.get(`/api/sandbox/v1/payouts/${payout.id}?account=${payout.account}`)

test('a request is logged with person, operation, outcome and IDs, and without its content', async () => {
  const [idempotencyKey, body] = [
    createIdempotencyKey(),
    { ...buildCustomerBody(), name: 'Canary Name' },
  ]
  await testStack.sandbox.fault({
    operation: 'customers.create',
    match: idempotencyKey,
    kind: 'reset',
    at: 'after',
  })
  const { made, body: answer } = await createObjectViaDesk(
    operator,
    `/customers?account=acct_${ownAccount}`,
    body,
    { key: idempotencyKey },
  )
  const [call] = await waitForRequests(operator, `customers/${made.id}`, 1)
  expect(call).toMatchObject({
    operation: 'customers.create',
    account: `acct_${ownAccount}`,
    person: 'Omar Operator',
    status: 201,
    attempts: 2,
    request_id: answer.meta.request_id,
    action_id: answer.action?.id,
    error_code: null,
  })
  const requestLogText = JSON.stringify((await fetchRequestLog(operator)).body)
  for (const word of [
    'Canary',
    'example.org',
    '198.51.100.23',
    idempotencyKey,
    goodReason,
    testStack.sandbox.keys.full,
  ]) {
    expect(requestLogText).not.toContain(word)
  }
})

describe('the filters', () => {
  test('find one object in every scope, and can be combined', async () => {
    const payout = await createPayout(ownAccount)
    await readPayout(operator, payout)
    await operator.get(`/api/sandbox/v1/payouts/${payout.id}`)
    const admin = await signIn(testStack.dashboard.url, 'admin')
    await readPayout(admin, payout)
    const target = `payouts/${payout.id}`
    const loggedRequests = await waitForRequests(operator, target, 3)
    expect(loggedRequests.map((call) => call.person).sort()).toEqual([
      'Dana Admin',
      'Omar Operator',
      'Omar Operator',
    ])
    const accountLogReply = await fetchRequestLog(
      operator,
      `target=${target}&account=acct_${ownAccount}`,
    )
    expect(accountLogReply.body.data).toHaveLength(3)
    expect((await fetchRequestLog(operator, `target=${target}&person=me`)).body.data).toHaveLength(
      2,
    )
    const adminPersonId = loggedRequests.find((call) => call.person === 'Dana Admin')?.person_id
    expect(
      (await fetchRequestLog(operator, `target=${target}&person=${adminPersonId}`)).body.data,
    ).toHaveLength(1)
    expect((await fetchRequestLog(operator, `target=${target}&result=refused`)).body.data).toEqual(
      [],
    )
  })

  test('count a write with an unknown outcome as not done, never as answered', async () => {
    const payout = await createPayout(ownAccount)
    await testStack.sandbox.fault({
      operation: 'payouts.release',
      match: payout.id,
      kind: 'status',
      status: 500,
      body: 'none',
      count: 3,
    })
    expect((await operator.decide('release', payout)).status).toBe(202)
    const target = `payouts/${payout.id}`
    expect(await waitForRequests(operator, target, 1)).toMatchObject([
      { status: 202, error_code: 'outcome_unknown' },
    ])
    expect((await fetchRequestLog(operator, `target=${target}&result=answered`)).body.data).toEqual(
      [],
    )
    expect(
      (await fetchRequestLog(operator, `target=${target}&result=failed`)).body.data,
    ).toHaveLength(1)
  })

  test('find a request by either request ID and by the action ID', async () => {
    const payout = await createPayout(ownAccount)
    const { body } = await operator.decide('release', payout)
    const [call] = await waitForRequests(operator, `payouts/${payout.id}`, 1)
    for (const id of [body.meta.request_id, body.meta.api_request_id, body.action?.id]) {
      const { body: found } = await fetchRequestLog(
        operator,
        `request=${id}&account=acct_${otherAccount}`,
      )
      expect(found.data?.map(({ id: each }) => each)).toEqual([call?.id])
    }
  })

  test('use whole UTC days, including the last one', async () => {
    const insertOldRowsSql = `insert into request_log (id, at, environment, operation, actor_id, request_id, status, took_ms)
      select gen_random_uuid(), $1::timestamptz, 'sandbox', 'payouts.get', id, $2, 200, 1 from people where email = 'operator@paydesk.test'`
    await db.query(insertOldRowsSql, ['2026-01-31T23:59:59Z', 'req_january_last'])
    await db.query(insertOldRowsSql, ['2026-02-01T00:00:00Z', 'req_february_first'])
    const fetchLoggedRequestIds = async (query: string) =>
      (await fetchRequestLog(operator, query)).body.data?.map((call) => call.request_id)
    expect(await fetchLoggedRequestIds('from=2026-01-01&to=2026-01-31')).toEqual([
      'req_january_last',
    ])
    expect(await fetchLoggedRequestIds('from=2026-02-01&to=2026-02-01')).toEqual([
      'req_february_first',
    ])
    expect(await fetchLoggedRequestIds('from=2026-01-31&to=2026-02-01')).toEqual([
      'req_february_first',
      'req_january_last',
    ])
  })

  test('the log is newest first, paged and counted, and newer requests are counted separately', async () => {
    const payout = await createPayout(ownAccount)
    for (let time = 0; time < 3; time += 1) await readPayout(operator, payout)
    const target = `payouts/${payout.id}`
    const [newest, second] = await waitForRequests(operator, target, 3)
    const { body } = await fetchRequestLog(operator, `target=${target}&page_size=2`)
    expect(body).toMatchObject({
      meta: { total_items: 3 },
      data: [{ id: newest?.id }, { id: second?.id }],
    })
    expect(
      (await fetchRequestLog(operator, `target=${target}&after=${second?.at}`)).body,
    ).toMatchObject({ meta: { total_items: 1 } })
    expect(
      (await fetchRequestLog(operator, `target=${target}&after=${newest?.at}`)).body,
    ).toMatchObject({ meta: { total_items: 0 } })
  })
})

test('a page of fifty requests is small, and contains each request once', async () => {
  const payout = await createPayout(ownAccount)
  for (let time = 0; time < 50; time += 1) await readPayout(operator, payout)
  await waitForRequests(operator, `payouts/${payout.id}`, 50)
  const pageResponse = await operator.send(
    `/sandbox/activity?tab=requests&target=payouts/${payout.id}`,
  )
  const html = await pageResponse.text()
  const [newest] = (await fetchRequestLog(operator, `target=payouts/${payout.id}`)).body.data ?? []
  expect(html.split(newest?.request_id ?? 'none').length - 1).toBe(1)
  expect(html.length).toBeLessThan(120_000)
})

test('a person of one account sees only the requests of that account', async () => {
  const [ownPayout, foreignPayout] = [
    await createPayout(ownAccount),
    await createPayout(otherAccount),
  ]
  for (const payout of [ownPayout, foreignPayout]) await readPayout(operator, payout)
  await operator.get(`/api/sandbox/v1/payouts/${ownPayout.id}`)
  await waitForRequests(operator, `payouts/${ownPayout.id}`, 2)
  await waitForRequests(operator, `payouts/${foreignPayout.id}`, 1)
  expect(await waitForRequests(limitedPerson, `payouts/${ownPayout.id}`, 1)).toMatchObject([
    { account: `acct_${ownAccount}` },
  ])
  expect(
    (await fetchRequestLog(limitedPerson, `target=payouts/${foreignPayout.id}`)).body,
  ).toMatchObject({
    data: [],
    meta: { total_items: 0 },
  })
  const loggedAccounts = new Set(
    (await fetchRequestLog(limitedPerson)).body.data?.map((call) => call.account),
  )
  expect([...loggedAccounts]).toEqual([`acct_${ownAccount}`])
  expect((await fetchRequestLog(limitedPerson, `account=acct_${otherAccount}`)).body.data).toEqual(
    [],
  )
})

test('a viewer cannot read the log, and reading it does not extend a session', async () => {
  const viewer = await signIn(testStack.dashboard.url, 'viewer')
  expect(await fetchRequestLog(viewer)).toMatchObject({
    status: 403,
    body: { error: { code: 'forbidden' } },
  })
  const readLastSeenTime = async () =>
    (await db.query(`select max(last_seen_at) as at from sessions`)).rows[0].at.getTime() as number
  await db.query(`update sessions set last_seen_at = now() - interval '5 minutes'`)
  const lastSeenBefore = await readLastSeenTime()
  expect((await fetchRequestLog(operator)).status).toBe(200)
  expect(await readLastSeenTime()).toBe(lastSeenBefore)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { limitRequestReason, raisedLimits } from './harness/limits'
import {
  buildBankAccountInput,
  buildCustomerBody,
  buildPayoutBody,
  type CreatedObject,
  createObjectViaDesk,
  listActiveAccounts,
} from './harness/objects'
import type { Person } from './harness/person'
import { waitUntil } from './harness/wait-until'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

const apiPath = '/api/sandbox/v1'
const mirrorPath = '/api/sandbox/mirror'

let desk: WholeDesk
let operator: Person

beforeAll(async () => {
  desk = await startWholeDesk({ mirror: true, integration: 'account' })
  ;({ operator } = desk)
})
afterAll(() => desk?.stop())

const listIds = async (path: string) =>
  ((await operator.get<CreatedObject[]>(path)).body.data ?? []).map(({ id }) => id)

test('every object is created, read and listed without the header', async () => {
  const lastSeqBefore = await desk.sandbox.lastSeq()
  const { made: customer } = await createObjectViaDesk(operator, '/customers', buildCustomerBody())
  const { made: paykey } = await createObjectViaDesk(
    operator,
    '/bridge/bank_account',
    buildBankAccountInput(customer.id),
  )
  const { made: payout } = await createObjectViaDesk(
    operator,
    '/payouts',
    buildPayoutBody(paykey.id),
    { reason: 'CONTRACT_DUE: agreed with the customer and due now' },
  )
  const objects = { customers: customer.id, paykeys: paykey.id, payouts: payout.id }
  for (const [resource, id] of Object.entries(objects))
    expect((await operator.get(`${apiPath}/${resource}/${id}`)).status).toBe(200)
  await desk.mirrored([payout.id])
  expect(await listIds(`${mirrorPath}/customers?page_size=1000`)).toContain(customer.id)
  expect(await listIds(`${mirrorPath}/paykeys?page_size=1000`)).toContain(paykey.id)
  expect(await listIds(`${mirrorPath}/payments?page_size=1000`)).toContain(payout.id)
  const sentRequests = await desk.sandbox.requests(lastSeqBefore)
  expect(new Set(sentRequests.map((row) => row.account_header))).toEqual(new Set([null]))
})

test('a held payout is released without the header', async () => {
  const { id } = await desk.sandbox.makePayout()
  await desk.mirrored([id])
  const lastSeqBefore = await desk.sandbox.lastSeq()
  const released = await operator.decide('release', { id, account: '' })
  expect([released.status, released.body.error]).toEqual([200, undefined])
  const sentRequests = await desk.sandbox.requests(lastSeqBefore)
  expect(sentRequests.map((row) => row.account_header)).not.toContain(expect.any(String))
})

test('the limits of the account are read, and a change is requested in its name', async () => {
  const accounts = await listActiveAccounts(operator)
  expect(accounts).toHaveLength(1)
  const [account = ''] = accounts
  expect((await operator.get(`${apiPath}/account_settings/${account}`)).status).toBe(200)
  const listed = await operator.get(
    `${apiPath}/accounts/capability_requests?account=acct_${account}`,
  )
  expect([listed.status, listed.body.error]).toEqual([200, undefined])
})

test('a request for limits that names no account is compared, checked and recorded for the only one', async () => {
  const [account = ''] = await listActiveAccounts(operator)
  const { status, body } = await operator.write(
    'POST',
    '/accounts/capability_requests',
    { charges: { enable: true, ...raisedLimits } },
    { reason: limitRequestReason },
  )
  expect([status, body.error]).toEqual([201, undefined])
  const { rows } = await desk.db.query(
    'select account_id from limit_requests where payment_type = $1',
    ['charges'],
  )
  expect(rows).toEqual([{ account_id: account }])
  expect((await operator.get(`${apiPath}/accounts/capability_requests`)).status).toBe(200)
})

test('what only a platform can do is refused before anything leaves', async () => {
  const admin = await desk.signIn('admin')
  const lastSeqBefore = await desk.sandbox.lastSeq()
  const replies = [
    await admin.write('POST', '/organizations', { name: 'Harbor' }),
    await admin.get(`${apiPath}/organizations`),
  ]
  for (const reply of replies)
    expect(reply).toMatchObject({
      status: 403,
      body: { error: { detail: expect.stringContaining('A direct account has no platform') } },
    })
  expect(await desk.sandbox.requests(lastSeqBefore)).toEqual([])
})

test('the import gives every object to the platform', async () => {
  await waitUntil('the import', async () => {
    const { rowCount } = await desk.db.query(
      `select 1 from sync_state where phase = 'import' and finished_at is null`,
    )
    return rowCount === 0 ? true : null
  })
  for (const table of [
    'mirror_customers',
    'mirror_paykeys',
    'mirror_payments',
    'mirror_funding_events',
  ]) {
    const { rows } = await desk.db.query(
      `select count(*)::int as all, count(*) filter (where platform_owned)::int as platform from ${table}`,
    )
    expect(rows[0].all, table).toBeGreaterThan(0)
    expect([table, rows[0].platform]).toEqual([table, rows[0].all])
  }
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deletionReason, postJson } from './harness/deletions'
import { dialect } from './harness/dialect'
import { type MarketplaceDesk, payReason, startMarketplaceDesk } from './harness/marketplace-desk'
import {
  buildCustomerBody,
  buildPayoutBody,
  type CreatedObject,
  createObjectViaDesk,
} from './harness/objects'
import { goodReason, type Person } from './harness/person'
import { waitUntil } from './harness/wait-until'

const apiPath = '/api/sandbox/v1'

let desk: MarketplaceDesk
let operator: Person
let reviewer: Person

beforeAll(async () => {
  desk = await startMarketplaceDesk()
  ;({ operator } = desk)
  reviewer = await desk.signIn('reviewer')
})
afterAll(() => desk?.stop())

const readOwner = async (table: string, id: string) =>
  (await desk.db.query(`select account_id, platform_owned from ${table} where id = $1`, [id]))
    .rows[0]

test('customers and paykeys are created without the header, and payments with that of the seller', async () => {
  const lastSeqBefore = await desk.sandbox.lastSeq()
  const { customer, paykey, payoutIds } = await desk.makeBuyerOfTwoSellers()
  const writes = (await desk.sandbox.requests(lastSeqBefore)).filter(
    ({ method }) => method === 'POST',
  )
  expect(writes.map(({ path, account_header }) => [path, account_header])).toEqual([
    ['/v1/customers', null],
    ['/v1/bridge/bank_account', null],
    ['/v1/payouts', dialect.accountValue(desk.sellers[0] ?? '')],
    ['/v1/payouts', dialect.accountValue(desk.sellers[1] ?? '')],
  ])
  const ofPlatform = { account_id: null, platform_owned: true }
  expect(await readOwner('mirror_customers', customer.id)).toEqual(ofPlatform)
  expect(await readOwner('mirror_paykeys', paykey.id)).toEqual(ofPlatform)
  for (const [index, id] of payoutIds.entries())
    expect(await readOwner('mirror_payments', id)).toEqual({
      account_id: desk.sellers[index],
      platform_owned: false,
    })
})

test('the header of a customer is never sent, even if the request names an account', async () => {
  const lastSeqBefore = await desk.sandbox.lastSeq()
  const { made } = await createObjectViaDesk(
    operator,
    `/customers?account=acct_${desk.sellers[0]}`,
    buildCustomerBody(),
  )
  expect(
    (await operator.get(`${apiPath}/customers/${made.id}?account=acct_${desk.sellers[0]}`)).status,
  ).toBe(200)
  const headers = (await desk.sandbox.requests(lastSeqBefore)).map((row) => row.account_header)
  expect(new Set(headers)).toEqual(new Set([null]))
})

test('a payout without the seller is refused before anything leaves', async () => {
  const { paykey } = await desk.makeBuyer()
  const lastSeqBefore = await desk.sandbox.lastSeq()
  const reply = await operator.write('POST', '/payouts', buildPayoutBody(paykey.id), {
    reason: payReason,
  })
  expect(reply).toMatchObject({
    status: 422,
    body: { error: { items: [{ reference: 'account' }] } },
  })
  expect(await desk.sandbox.requests(lastSeqBefore)).toEqual([])
})

test('a reviewer of the platform decides a paykey in review', async () => {
  const { paykey } = await desk.makeBuyer('review')
  const { status, body } = await reviewer.write<CreatedObject>(
    'PATCH',
    `/paykeys/${paykey.id}/review`,
    { status: 'active' },
    {
      reason: goodReason,
      headers: { 'action-warnings': 'approve_names:unknown' },
    },
  )
  expect([status, body.data?.status ?? body.error]).toEqual([200, 'active'])
})

test('a customer of the platform is deleted with a certificate without an account', async () => {
  const { customer } = await desk.makeBuyer()
  const request = {
    id: randomUUID(),
    customer_id: customer.id,
    asker: 'DATA_SUBJECT_REQUEST',
    basis: 'GDPR_17_1_B',
    identity_check: 'SIGNED_IN',
  }
  const wrong = { ...request, account: `acct_${desk.sellers[0]}` }
  expect(await postJson(reviewer, '/api/sandbox/desk/deletions', wrong)).toMatchObject({
    status: 422,
    body: { error: { items: [{ reference: 'account' }] } },
  })
  const requestReply = await postJson(operator, '/api/sandbox/desk/deletions', {
    ...request,
    account: null,
  })
  expect(requestReply).toMatchObject({ status: 201, body: { data: { account: null } } })
  const inSellersScope = await reviewer.get<{ waiting: Record<string, number> }>(
    `/api/sandbox/desk/queue-counts?account=acct_${desk.sellers[0]}`,
  )
  expect(inSellersScope.body.data?.waiting.deletions_requested).toBe(1)
  const erased = await reviewer.write(
    'DELETE',
    `/customers/${customer.id}`,
    {},
    { reason: deletionReason },
  )
  expect([erased.status, erased.body.error]).toEqual([200, undefined])
  const certificateReply = await reviewer.send(
    `/api/sandbox/desk/deletions/${request.id}/certificate`,
  )
  expect(await certificateReply.json()).toMatchObject({
    certificate: { account: null, provider: { operation: 'customers.delete' } },
  })
})

test('an export names the platform as the owner of customers, and sellers as that of payments', async () => {
  const readExport = async (list: string) =>
    (await reviewer.send(`/api/sandbox/desk/exports/${list}?tab=all`)).text()
  const customersFile = await readExport('customers')
  expect(
    customersFile
      .split('\n')
      .slice(1, -1)
      .every((line) => line.includes('the platform')),
  ).toBe(true)
  expect(customersFile).not.toContain('acct_')
})

test('the import gives every customer and paykey to the platform, and every payment to a seller', async () => {
  await waitUntil('the import', async () => {
    const { rowCount } = await desk.db.query(
      `select 1 from sync_state where phase = 'import' and finished_at is null`,
    )
    return rowCount === 0 ? true : null
  })
  for (const [table, isOfPlatform] of [
    ['mirror_customers', true],
    ['mirror_paykeys', true],
    ['mirror_payments', false],
    ['mirror_funding_events', false],
  ] as const) {
    const { rows } = await desk.db.query(
      `select count(*)::int as all, count(*) filter (where platform_owned)::int as platform, count(account_id)::int as account from ${table}`,
    )
    const [{ all, platform, account }] = rows
    expect(all, table).toBeGreaterThan(0)
    expect([table, platform, account]).toEqual([
      table,
      isOfPlatform ? all : 0,
      isOfPlatform ? 0 : all,
    ])
  }
})

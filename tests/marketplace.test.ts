import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deletionReason, postJson } from './harness/deletions'
import {
  addLimitedPerson,
  buildBankAccountInput,
  buildCustomerBody,
  buildPayoutBody,
  type CreatedObject,
  createObjectViaDesk,
  listActiveAccounts,
} from './harness/objects'
import { goodReason, type Person, signIn } from './harness/person'
import { waitUntil } from './harness/wait-until'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

const apiPath = '/api/sandbox/v1'
const mirrorPath = '/api/sandbox/mirror'
const payReason = 'CONTRACT_DUE: agreed with the seller and due now'

let desk: WholeDesk
let operator: Person
let reviewer: Person
let sellers: string[]
/** Operators with a role in one account each, in the order of `sellers`. */
let sellerPeople: Person[]

beforeAll(async () => {
  desk = await startWholeDesk({ mirror: true, integration: 'marketplace' })
  ;({ operator } = desk)
  reviewer = await desk.signIn('reviewer')
  sellers = (await listActiveAccounts(operator)).slice(0, 3)
  for (const [index, account] of sellers.entries())
    await addLimitedPerson(desk.db, `seller${index}@paydesk.test`, 'operator', account)
  sellerPeople = await Promise.all(
    sellers.map((_, index) => signIn(desk.dashboard.url, `seller${index}@paydesk.test`)),
  )
})
afterAll(() => desk?.stop())

async function makeBuyer(outcome = 'active') {
  const { made: customer } = await createObjectViaDesk(operator, '/customers', buildCustomerBody())
  const { made: paykey } = await createObjectViaDesk(
    operator,
    '/bridge/bank_account',
    buildBankAccountInput(customer.id, outcome),
  )
  return { customer, paykey }
}

const pay = (paykeyId: string, seller: string) =>
  createObjectViaDesk(operator, `/payouts?account=acct_${seller}`, buildPayoutBody(paykeyId), {
    reason: payReason,
  })

/** A buyer with one payout to each of the first two sellers. */
async function makeBuyerOfTwoSellers() {
  const buyer = await makeBuyer()
  const payouts = [
    await pay(buyer.paykey.id, sellers[0] ?? ''),
    await pay(buyer.paykey.id, sellers[1] ?? ''),
  ]
  const payoutIds = payouts.map(({ made }) => made.id)
  await desk.mirrored(payoutIds)
  await waitUntil('the sellers of the payouts in the mirror', async () => {
    const { rowCount } = await desk.db.query(
      'select 1 from mirror_payments where id = any($1) and account_id is not null',
      [payoutIds],
    )
    return rowCount === payoutIds.length ? true : null
  })
  return { ...buyer, payoutIds }
}

const readOwner = async (table: string, id: string) =>
  (await desk.db.query(`select account_id, platform_owned from ${table} where id = $1`, [id]))
    .rows[0]

const listIds = async (person: Person, path: string) =>
  ((await person.get<CreatedObject[]>(path)).body.data ?? []).map(({ id }) => id)

test('customers and paykeys are created without the header, and payments with that of the seller', async () => {
  const lastSeqBefore = await desk.sandbox.lastSeq()
  const { customer, paykey, payoutIds } = await makeBuyerOfTwoSellers()
  const writes = (await desk.sandbox.requests(lastSeqBefore)).filter(
    ({ method }) => method === 'POST',
  )
  expect(writes.map(({ path, account_header }) => [path, account_header])).toEqual([
    ['/v1/customers', null],
    ['/v1/bridge/bank_account', null],
    ['/v1/payouts', `acct_${sellers[0]}`],
    ['/v1/payouts', `acct_${sellers[1]}`],
  ])
  const ofPlatform = { account_id: null, platform_owned: true }
  expect(await readOwner('mirror_customers', customer.id)).toEqual(ofPlatform)
  expect(await readOwner('mirror_paykeys', paykey.id)).toEqual(ofPlatform)
  for (const [index, id] of payoutIds.entries())
    expect(await readOwner('mirror_payments', id)).toEqual({
      account_id: sellers[index],
      platform_owned: false,
    })
})

test('the header of a customer is never sent, even if the request names an account', async () => {
  const lastSeqBefore = await desk.sandbox.lastSeq()
  const { made } = await createObjectViaDesk(
    operator,
    `/customers?account=acct_${sellers[0]}`,
    buildCustomerBody(),
  )
  expect(
    (await operator.get(`${apiPath}/customers/${made.id}?account=acct_${sellers[0]}`)).status,
  ).toBe(200)
  const headers = (await desk.sandbox.requests(lastSeqBefore)).map((row) => row.account_header)
  expect(new Set(headers)).toEqual(new Set([null]))
})

test('a payout without the seller is refused before anything leaves', async () => {
  const { paykey } = await makeBuyer()
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

describe('a person of one seller', () => {
  test.each([
    ['customers', 0, true],
    ['customers', 1, true],
    ['customers', 2, false],
    ['paykeys', 0, true],
    ['paykeys', 1, true],
    ['paykeys', 2, false],
  ] as const)(
    'sees %s with a payment of the seller only: seller %s',
    async (resource, at, isSeen) => {
      const buyer = await makeBuyerOfTwoSellers()
      const id = { customers: buyer.customer, paykeys: buyer.paykey }[resource].id
      const person = sellerPeople[at] as Person
      const scope = `account=acct_${sellers[at]}`
      const seenInLists = await Promise.all(
        [mirrorPath, apiPath].map(async (path) =>
          (await listIds(person, `${path}/${resource}?${scope}&page_size=1000`)).includes(id),
        ),
      )
      expect(seenInLists).toEqual([isSeen, isSeen])
      const recordPaths = [`${mirrorPath}/${resource}/${id}`, `${apiPath}/${resource}/${id}`]
      const records = await Promise.all(
        [...recordPaths, `${apiPath}/${resource}/${id}/review`].map((path) =>
          person.get(`${path}?${scope}`),
        ),
      )
      const status = isSeen ? 200 : 404
      expect(records.map((reply) => reply.status)).toEqual([status, status, status])
    },
  )

  test('sees only the payments of the seller', async () => {
    const { payoutIds } = await makeBuyerOfTwoSellers()
    for (const [index, person] of sellerPeople.entries()) {
      const seenIds = await listIds(
        person,
        `${mirrorPath}/payments?account=acct_${sellers[index]}&page_size=1000`,
      )
      expect(payoutIds.map((id) => seenIds.includes(id))).toEqual([index === 0, index === 1])
    }
  })

  test('cannot read protected data, decide or create for the platform', async () => {
    const { customer, paykey } = await makeBuyerOfTwoSellers()
    const [seller] = sellerPeople as [Person]
    const scope = `account=acct_${sellers[0]}`
    await desk.db.query(
      `update grants set role = 'admin' where person_id = (select id from people where email = 'seller0@paydesk.test')`,
    )
    const lastSeqBefore = await desk.sandbox.lastSeq()
    const replies = [
      await seller.reveal(`/customers/${customer.id}/unmasked?${scope}`),
      await seller.reveal(`/paykeys/${paykey.id}/unmasked?${scope}`),
      await seller.write('POST', `/customers?${scope}`, buildCustomerBody()),
      await seller.write(
        'POST',
        `/bridge/bank_account?${scope}`,
        buildBankAccountInput(customer.id),
      ),
      await seller.write(
        'PATCH',
        `/customers/${customer.id}/review?${scope}`,
        { status: 'verified' },
        { reason: goodReason },
      ),
      await seller.write(
        'PUT',
        `/paykeys/${paykey.id}/cancel?${scope}`,
        { reason: 'CUSTOMER_REQUEST: asked by telephone' },
        {},
      ),
    ]
    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403])
    expect(await desk.sandbox.requests(lastSeqBefore)).toEqual([])
  })
})

test('a reviewer of the platform decides a paykey in review', async () => {
  const { paykey } = await makeBuyer('review')
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
  const { customer } = await makeBuyer()
  const request = {
    id: randomUUID(),
    customer_id: customer.id,
    asker: 'DATA_SUBJECT_REQUEST',
    basis: 'GDPR_17_1_B',
    identity_check: 'SIGNED_IN',
  }
  const wrong = { ...request, account: `acct_${sellers[0]}` }
  expect(await postJson(reviewer, '/api/sandbox/desk/deletions', wrong)).toMatchObject({
    status: 422,
    body: { error: { items: [{ reference: 'account' }] } },
  })
  const asked = await postJson(operator, '/api/sandbox/desk/deletions', {
    ...request,
    account: null,
  })
  expect(asked).toMatchObject({ status: 201, body: { data: { account: null } } })
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

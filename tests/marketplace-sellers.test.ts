import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MarketplaceDesk, payReason, startMarketplaceDesk } from './harness/marketplace-desk'
import {
  buildBankAccountInput,
  buildCustomerBody,
  buildPayoutBody,
  type CreatedObject,
} from './harness/objects'
import { goodReason, type Person, signIn } from './harness/person'

const apiPath = '/api/sandbox/v1'
const mirrorPath = '/api/sandbox/mirror'

let desk: MarketplaceDesk

beforeAll(async () => {
  desk = await startMarketplaceDesk()
})
afterAll(() => desk?.stop())

const listIds = async (person: Person, path: string) =>
  ((await person.get<CreatedObject[]>(path)).body.data ?? []).map(({ id }) => id)

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
    const buyer = await desk.makeBuyerOfTwoSellers()
    const id = { customers: buyer.customer, paykeys: buyer.paykey }[resource].id
    const person = desk.sellerPeople[at] as Person
    const scope = `account=acct_${desk.sellers[at]}`
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

test('a person of one seller finds a buyer by email only with a payment of the seller', async () => {
  const { customer, email } = await desk.makeBuyerOfTwoSellers()
  const findCustomers = async (at: number) => {
    const { body } = await (desk.sellerPeople[at] as Person).ask<{ customers: { id: string }[] }>(
      'GET',
      `/api/sandbox/desk/find?account=acct_${desk.sellers[at]}`,
      { headers: { 'find-text': encodeURIComponent(email) } },
    )
    return (body.data?.customers ?? []).map(({ id }) => id)
  }
  expect([await findCustomers(0), await findCustomers(2)]).toEqual([[customer.id], []])
})

test('a person of one seller cannot pay a bank account without a payment of the seller, as if it were missing', async () => {
  const { paykey } = await desk.makeBuyerOfTwoSellers()
  const payAs = (at: number, paykeyId: string) =>
    (desk.sellerPeople[at] as Person).write(
      'POST',
      `/payouts?account=acct_${desk.sellers[at]}`,
      buildPayoutBody(paykeyId),
      { reason: payReason },
    )
  const [own, foreign, missing] = [
    await payAs(1, paykey.id),
    await payAs(2, paykey.id),
    await payAs(2, randomUUID()),
  ]
  expect([own.status, foreign.status]).toEqual([201, missing.status])
  expect(foreign.body.error?.detail).toBe(missing.body.error?.detail)
})

test('the step-up of a payment to a hidden bank account does not start, so it does not name the payee', async () => {
  const { paykey } = await desk.makeBuyerOfTwoSellers()
  const startPayment = async (at: number, paykeyId: string) => {
    const email = `seller${at}@paydesk.test` as const
    const person = await signIn(desk.dashboard.url, email, { confirms: false })
    const path = `/payouts?account=acct_${desk.sellers[at]}`
    return person.write('POST', path, buildPayoutBody(paykeyId), { reason: payReason })
  }
  const visible = await startPayment(1, paykey.id)
  const foreign = await startPayment(2, paykey.id)
  const missing = await startPayment(2, randomUUID())
  expect(visible.body.error?.code).toBe('step_up_needed')
  expect(foreign.body.error).toEqual(missing.body.error)
  expect(foreign.body.error?.code).toBe('service_not_found')
})

test('a person of one seller sees only the payments of the seller', async () => {
  const { payoutIds } = await desk.makeBuyerOfTwoSellers()
  for (const [index, person] of desk.sellerPeople.entries()) {
    const seenIds = await listIds(
      person,
      `${mirrorPath}/payments?account=acct_${desk.sellers[index]}&page_size=1000`,
    )
    expect(payoutIds.map((id) => seenIds.includes(id))).toEqual([index === 0, index === 1])
  }
})

test('a person of one seller cannot read protected data, decide or create for the platform', async () => {
  const { customer, paykey } = await desk.makeBuyerOfTwoSellers()
  const [seller] = desk.sellerPeople as [Person]
  const scope = `account=acct_${desk.sellers[0]}`
  await desk.db.query(
    `update grants set role = 'admin' where person_id = (select id from people where email = 'seller0@paydesk.test')`,
  )
  const lastSeqBefore = await desk.sandbox.lastSeq()
  const replies = [
    await seller.reveal(`/customers/${customer.id}/unmasked?${scope}`),
    await seller.reveal(`/paykeys/${paykey.id}/unmasked?${scope}`),
    await seller.write('POST', `/customers?${scope}`, buildCustomerBody()),
    await seller.write('POST', `/bridge/bank_account?${scope}`, buildBankAccountInput(customer.id)),
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

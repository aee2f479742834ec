import { describe, expect, test } from 'vitest'
import { assessMove } from '@/sandbox/machine'
import {
  createTestCustomer,
  findAccountWithConfiguration,
  readCustomerReview,
  type TestCustomer,
} from '@/tests/sandbox/own-customer'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { type CustomerStatus, customerStatuses } from './customer-schema'
import { customerMachine, getStatusAfterMove } from './customer-store'

const { client } = startSandboxPerFile()

const readCustomer = async (id: string) =>
  (await client().ask(`/v1/customers/${id}`)).json.data as TestCustomer
const refreshReview = (id: string) =>
  client().ask(`/v1/customers/${id}/refresh_review`, { method: 'PUT' })
const advanceClock = (seconds: number) => client().control('clock', { advance_seconds: seconds })
const readEventTypes = async (id: string) =>
  (await client().control(`events?object_id=${id}`)).data.map((event) => event.type)

const jsonHeaders = { 'content-type': 'application/json' }
const decideCustomer = (id: string, status: string) =>
  client().ask(`/v1/customers/${id}/review`, {
    method: 'PATCH',
    body: JSON.stringify({ status }),
    headers: jsonHeaders,
  })

const updateCustomer = (customer: TestCustomer, overrides: Record<string, unknown> = {}) =>
  client().put(`/v1/customers/${customer.id}`, {
    ...{
      name: customer.name,
      email: customer.email,
      phone: customer.phone,
      status: customer.status,
    },
    device: { ip_address: '0.0.0.0' },
    ...overrides,
  })

async function makeCustomerInStatus(status: CustomerStatus): Promise<TestCustomer> {
  const account = await findAccountWithConfiguration(client())
  const isInactive = status === 'inactive'
  const config =
    status === 'pending'
      ? { processing_method: 'background' }
      : { sandbox_outcome: isInactive ? 'verified' : status }
  const createdCustomer = await createTestCustomer(client(), account, { config })
  if (isInactive) await updateCustomer(createdCustomer, { status })
  return readCustomer(createdCustomer.id)
}

const moveRequests = {
  decide_verified: ({ id }: TestCustomer) => decideCustomer(id, 'verified'),
  decide_rejected: ({ id }: TestCustomer) => decideCustomer(id, 'rejected'),
  set_pending: (customer: TestCustomer) => updateCustomer(customer, { status: 'pending' }),
  set_review: (customer: TestCustomer) => updateCustomer(customer, { status: 'review' }),
  set_verified: (customer: TestCustomer) => updateCustomer(customer, { status: 'verified' }),
  set_rejected: (customer: TestCustomer) => updateCustomer(customer, { status: 'rejected' }),
  set_inactive: (customer: TestCustomer) => updateCustomer(customer, { status: 'inactive' }),
  refresh: ({ id }: TestCustomer) => refreshReview(id),
} as const

describe('each transition of the table', () => {
  const transitionCases = Object.entries(moveRequests).flatMap(([name, ask]) =>
    customerStatuses.map((status) => ({ name, status, ask })),
  )

  test.each(transitionCases)('$name from $status', async ({ name, status, ask }) => {
    const moveName = name as keyof typeof moveRequests
    const verdict = assessMove(customerMachine, moveName, status)
    const customerBefore = await makeCustomerInStatus(status)
    const response = await ask(customerBefore)
    expect(await readCustomer(customerBefore.id)).toEqual(
      verdict === 'refused' ? customerBefore : response.json.data,
    )
    if (verdict === 'refused') {
      expect(response.status).toBe(422)
      expect(response.json.error).toMatchObject({
        type: '/validation_error',
        detail: expect.stringContaining(`in status ${status}`),
      })
      expect(response.json.error).not.toHaveProperty('items')
    } else {
      const expectedStatus = getStatusAfterMove(moveName, status)
      expect([response.status, response.json.data]).toEqual([
        name === 'refresh' ? 202 : 200,
        expect.objectContaining({ status: expectedStatus }),
      ])
      expect((await client().effects(customerBefore.id)).at(-1)).toMatchObject({
        from: status,
        to: expectedStatus,
      })
    }
  })

  test('the tests cover every requested transition except the deletion', () => {
    const requestedMoveNames = Object.entries(customerMachine.moves).flatMap(([name, { by }]) =>
      by === 'ask' ? [name] : [],
    )
    expect(requestedMoveNames.toSorted()).toEqual(
      [...Object.keys(moveRequests), 'delete'].toSorted(),
    )
  })

  test.each(customerStatuses)('a customer in %s can be deleted', async (status) => {
    const { id } = await makeCustomerInStatus(status)
    expect((await client().ask(`/v1/customers/${id}`, { method: 'DELETE' })).status).toBe(200)
    await advanceClock(10)
    expect((await client().ask(`/v1/customers/${id}`)).status).toBe(404)
  })
})

describe('a decision', () => {
  test('accepts only verified or rejected', async () => {
    const { id } = await makeCustomerInStatus('review')
    const decisionResponse = await decideCustomer(id, 'inactive')
    expect(decisionResponse.json.error).toMatchObject({
      status: 422,
      items: [{ reference: 'status' }],
    })
  })

  test('sends an event and ends a running verification', async () => {
    const { id } = await makeCustomerInStatus('review')
    await refreshReview(id)
    await decideCustomer(id, 'rejected')
    await advanceClock(10)
    expect((await readCustomer(id)).status).toBe('rejected')
    expect(await readEventTypes(id)).toEqual([
      'customer.created.v1',
      ...Array(3).fill('customer.event.v1'),
    ])
  })
})

describe('a verification in the background', () => {
  test.each([
    ['standard', 'verified'],
    ['review', 'review'],
    ['rejected', 'rejected'],
  ])('with the outcome %s is pending first and then %s', async (sandbox_outcome, status) => {
    const config = { processing_method: 'background', sandbox_outcome }
    const createdCustomer = await createTestCustomer(
      client(),
      await findAccountWithConfiguration(client()),
      {
        config,
      },
    )
    expect(createdCustomer.status).toBe('pending')
    expect((await readCustomerReview(client(), createdCustomer.id)).identity_details).toBeNull()
    await advanceClock(10)
    const customerAfter = await readCustomer(createdCustomer.id)
    expect(customerAfter.status).toBe(status)
    expect(Date.parse(customerAfter.updated_at) - Date.parse(createdCustomer.updated_at)).toBe(
      8_000,
    )
    expect(await readEventTypes(createdCustomer.id)).toEqual([
      'customer.created.v1',
      'customer.event.v1',
      'customer.event.v1',
    ])
    expect(await client().effects(createdCustomer.id)).toHaveLength(1)
  })
})

describe('a repeated verification', () => {
  test('has new findings after a delay and ends with the configured outcome', async () => {
    const { id } = await makeCustomerInStatus('review')
    const reviewBefore = (await readCustomerReview(client(), id)).identity_details
    await decideCustomer(id, 'verified')
    expect((await refreshReview(id)).json.data).toMatchObject({ status: 'verified' })
    expect((await readCustomerReview(client(), id)).identity_details).toEqual(reviewBefore)
    await advanceClock(10)
    const { customer_details, identity_details } = await readCustomerReview(client(), id)
    expect([customer_details.status, identity_details.decision]).toEqual(['review', 'review'])
    expect(identity_details.review_id).not.toBe(reviewBefore.review_id)
    expect(identity_details.breakdown).toEqual(reviewBefore.breakdown)
  })

  test('runs after a changed identity, unless the status was set manually', async () => {
    const account = await findAccountWithConfiguration(client())
    const config = { sandbox_outcome: 'review' }
    const [renamed, set] = [
      await createTestCustomer(client(), account, { config }),
      await createTestCustomer(client(), account, { config }),
    ]
    await decideCustomer(renamed.id, 'verified')
    await updateCustomer({ ...renamed, status: 'verified' }, { name: 'Somebody Else' })
    await updateCustomer(set, { name: 'Somebody Else', status: 'rejected' })
    await advanceClock(10)
    expect([(await readCustomer(renamed.id)).status, (await readCustomer(set.id)).status]).toEqual([
      'review',
      'rejected',
    ])
  })
})

test('no review runs after an update without a changed identity', async () => {
  const createdCustomer = await createTestCustomer(
    client(),
    await findAccountWithConfiguration(client()),
    {
      config: { sandbox_outcome: 'review' },
    },
  )
  await decideCustomer(createdCustomer.id, 'verified')
  await updateCustomer(
    { ...createdCustomer, status: 'verified' },
    { metadata: { note: 'called back' } },
  )
  await advanceClock(10)
  expect((await readCustomer(createdCustomer.id)).status).toBe('verified')
})

describe('payments of a customer in review', () => {
  test.each([
    ['verified', 'created'],
    ['rejected', 'failed'],
  ])('if it is %s, its waiting payments become %s', async (decision, status) => {
    const { id } = await makeCustomerInStatus('review')
    const account = await findAccountWithConfiguration(client())
    const payoutOverrides = {
      reason: 'watchtower_review',
      source: 'watchtower',
      customer_id: id,
      account_id: account.id,
    }
    const waitingPayout = await client().payout({ status: 'on_hold', ...payoutOverrides })
    expect((await decideCustomer(id, decision)).status).toBe(200)
    expect((await client().ask(`/v1/payouts/${waitingPayout.id}`)).json.data).toMatchObject({
      status,
    })
  })
})

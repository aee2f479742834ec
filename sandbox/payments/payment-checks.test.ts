import { expect, test } from 'vitest'
import { makeCompleteAccount, sendComplianceDecision } from '@/tests/sandbox/make-account'
import { createTestCustomer } from '@/tests/sandbox/own-customer'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { paymentTypes } from './payment-values'

const { client } = startSandboxPerFile()

type StatusChange = {
  status: string
  reason: string
  source: string
  message: string
  code: string | null
  changed_at: string
}
type Payment = {
  id: string
  account_id: string
  status: string
  status_details: StatusChange
  status_history: StatusChange[]
  customer_details: { id: string }
  paykey_details: { id: string }
}

const readPayment = async (type: string, id: string) =>
  (await client().ask(`/v1/${type}s/${id}`)).json.data as Payment
const advanceClock = (seconds: number) => client().control('clock', { advance_seconds: seconds })
const makePayment = (type: string, overrides: Record<string, unknown>) =>
  client().control<Payment>(`objects/${type}s`, overrides)
const releasePayment = (type: string, id: string) => client().put(`/v1/${type}s/${id}/release`, {})

async function makeCheckedPayment(
  type: string,
  overrides: Record<string, unknown>,
): Promise<Payment> {
  const { id } = await makePayment(type, overrides)
  await releasePayment(type, id)
  await advanceClock(6)
  return await readPayment(type, id)
}

const sendPatch = (path: string, body: unknown) =>
  client().ask(path, {
    method: 'PATCH',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })

const waitingStatusDetails = { reason: 'watchtower_review', source: 'watchtower', code: null }

test.each(paymentTypes)(
  'a %s on a paykey in review waits, and continues when the paykey is approved',
  async (type) => {
    const { id, status_details, paykey_details } = await makeCheckedPayment(type, {
      paykey_status: 'review',
    })
    expect(status_details).toMatchObject({
      ...waitingStatusDetails,
      message: expect.stringContaining('until it is decided'),
    })
    expect(
      (await sendPatch(`/v1/paykeys/${paykey_details.id}/review`, { status: 'active' })).status,
    ).toBe(200)
    expect(await readPayment(type, id)).toMatchObject({
      status: 'created',
      status_details: { source: 'system' },
    })
    await advanceClock(3_600)
    expect((await readPayment(type, id)).status).toBe('paid')
  },
)

test.each(paymentTypes)(
  'a %s on a paykey in review fails when the paykey is rejected',
  async (type) => {
    const { id, paykey_details } = await makeCheckedPayment(type, { paykey_status: 'review' })
    expect(
      (await sendPatch(`/v1/paykeys/${paykey_details.id}/review`, { status: 'rejected' })).status,
    ).toBe(200)
    expect(await readPayment(type, id)).toMatchObject({
      status: 'failed',
      status_details: { reason: 'invalid_paykey', source: 'watchtower' },
    })
  },
)

test('a decision about the paykey does not release a payment held by a person', async () => {
  const heldPayout = await makePayment('payout', { paykey_status: 'review' })
  expect(
    (await sendPatch(`/v1/paykeys/${heldPayout.paykey_details.id}/review`, { status: 'active' }))
      .status,
  ).toBe(200)
  expect((await readPayment('payout', heldPayout.id)).status_details).toMatchObject({
    reason: 'user_request',
    source: 'user_action',
  })
})

test.each(paymentTypes)(
  'a %s that waits for its paykey is held again if it is released before the decision',
  async (type) => {
    const { id, status_history, paykey_details } = await makeCheckedPayment(type, {
      paykey_status: 'review',
    })
    for (const _attempt of [1, 2]) {
      const releaseResponse = await releasePayment(type, id)
      expect([releaseResponse.status, releaseResponse.json.data]).toMatchObject([
        200,
        { status: 'created' },
      ])
      await advanceClock(6)
      expect(await readPayment(type, id)).toMatchObject({
        status: 'on_hold',
        status_details: waitingStatusDetails,
      })
    }
    expect((await readPayment(type, id)).status_history).toHaveLength(status_history.length + 4)
    await sendPatch(`/v1/paykeys/${paykey_details.id}/review`, { status: 'active' })
    await advanceClock(6)
    expect((await readPayment(type, id)).status).toBe('scheduled')
  },
)

test('a payout that waits for its customer is held again if it is released', async () => {
  const { id } = await makeCheckedPayment('payout', {
    customer_id: (await findCustomerByStatus('review')).id,
  })
  await releasePayment('payout', id)
  await advanceClock(3_600)
  expect(await readPayment('payout', id)).toMatchObject({
    status: 'on_hold',
    status_details: waitingStatusDetails,
  })
})

test.each([
  ['pending', 'on_hold', 'watchtower_review'],
  ['rejected', 'failed', 'invalid_paykey'],
  ['inactive', 'failed', 'invalid_paykey'],
  ['blocked', 'failed', 'invalid_paykey'],
])('a payout on a %s paykey becomes %s', async (paykey_status, status, reason) => {
  expect(await makeCheckedPayment('payout', { paykey_status })).toMatchObject({
    status,
    status_details: { reason, source: 'watchtower' },
  })
})

test('the failure of a payout on a blocked paykey contains the return code', async () => {
  expect(
    (await makeCheckedPayment('payout', { paykey_status: 'blocked' })).status_details,
  ).toMatchObject({
    reason: 'invalid_paykey',
    code: 'R29',
  })
})

const failedState = {
  status: 'failed',
  status_details: { reason: 'insufficient_funds', source: 'watchtower', code: null },
}

test.each([
  ['required', null, failedState],
  ['required', 12_344, failedState],
  ['required', 12_345, { status: 'scheduled' }],
  ['enabled', null, { status: 'scheduled' }],
  ['enabled', 12_344, failedState],
  ['disabled', 12_344, { status: 'scheduled' }],
])(
  'a charge with balance_check %s and a balance of %s is scheduled or fails',
  async (balance_check, balance, outcome) => {
    expect(await makeCheckedPayment('charge', { balance_check, balance })).toMatchObject(outcome)
  },
)

test('a payout has no balance check', async () => {
  expect(await makeCheckedPayment('payout', { balance: 0 })).toMatchObject({ status: 'scheduled' })
})

async function findCustomerByStatus(status: string): Promise<{ id: string }> {
  const { json } = await client().ask(`/v1/customers?status=${status}&page_size=1`)
  const [customer] = json.data as { id: string }[]
  if (!customer) throw new Error(`no seeded customer is in ${status}`)
  return customer
}

test.each(['verified', 'rejected'])(
  'a payout to a customer in review waits until the customer is %s',
  async (status) => {
    const customer = await findCustomerByStatus('review')
    const payout = await makeCheckedPayment('payout', { customer_id: customer.id })
    expect(payout.status_details).toMatchObject(waitingStatusDetails)
    expect((await sendPatch(`/v1/customers/${customer.id}/review`, { status })).status).toBe(200)
    const [after, failure] = [
      await readPayment('payout', payout.id),
      { reason: 'payment_blocked', source: 'watchtower' },
    ]
    expect(after).toMatchObject(
      status === 'verified' ? { status: 'created' } : { status: 'failed', status_details: failure },
    )
  },
)

test.each(['rejected', 'inactive'])('a payout to a customer who is %s fails', async (status) => {
  const payout = await makeCheckedPayment('payout', {
    customer_id: (await findCustomerByStatus(status)).id,
  })
  expect(payout).toMatchObject({
    status: 'failed',
    status_details: { reason: 'payment_blocked', source: 'watchtower' },
  })
})

test('a payout still waits after its paykey is approved if its customer is in review', async () => {
  const customer = await findCustomerByStatus('review')
  const payout = await makeCheckedPayment('payout', {
    customer_id: customer.id,
    paykey_status: 'review',
  })
  expect(
    (await sendPatch(`/v1/paykeys/${payout.paykey_details.id}/review`, { status: 'active' }))
      .status,
  ).toBe(200)
  expect(await readPayment('payout', payout.id)).toMatchObject({
    status: 'on_hold',
    status_history: payout.status_history,
  })
})

test('a second release within the five seconds of a check restarts the check', async () => {
  const payout = await makePayment('payout', {})
  await releasePayment('payout', payout.id)
  await advanceClock(4)
  await client().put(`/v1/payouts/${payout.id}/hold`, {})
  await releasePayment('payout', payout.id)
  await advanceClock(4)
  expect((await readPayment('payout', payout.id)).status).toBe('created')
  await advanceClock(2)
  expect((await readPayment('payout', payout.id)).status).toBe('scheduled')
})

test('a payment of an inactive account fails when it is released or resubmitted', async () => {
  const { id: account_id } = await makeCompleteAccount(client())
  await client().post(`/v1/accounts/${account_id}/simulate?final_status=active`, undefined)
  const account = { id: account_id, headers: { 'service-account-id': `acct_${account_id}` } }
  const customer_id = (await createTestCustomer(client(), account)).id
  const [held, cancelled] = [
    await makePayment('payout', { customer_id }),
    await makePayment('charge', { customer_id, status: 'cancelled' }),
  ]
  expect(
    (
      await sendComplianceDecision(client(), {
        kind: 'account',
        id: account_id,
        status: 'inactive',
      })
    ).status,
  ).toBe(200)
  await releasePayment('payout', held.id)
  const resubmittedCharge = (await client().post(`/v1/charges/${cancelled.id}/resubmit`, {})).json
    .data as { id: string }
  await advanceClock(6)
  const blockedState = {
    status: 'failed',
    status_details: { reason: 'payment_blocked', source: 'watchtower' },
  }
  expect([
    await readPayment('payout', held.id),
    await readPayment('charge', resubmittedCharge.id),
  ]).toMatchObject([blockedState, blockedState])
})

import { expect, test } from 'vitest'
import type { SandboxResponse } from '@/tests/sandbox/sandbox-client'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { getPaymentDate } from '@/tests/sandbox/test-time'
import { paymentStatuses } from './payment-values'

const { client } = startSandboxPerFile()

type Payment = Record<string, unknown> & {
  id: string
  status: string
  related_payments: { id: string }[]
}

const toPayment = (response: SandboxResponse) => response.json.data as Payment
const createCharge = (overrides: Record<string, unknown> = {}) =>
  client().control<Payment>('objects/charges', { status: 'paid', amount: 5_000, ...overrides })
const readObject = async (path: string) => toPayment(await client().ask(`/v1/${path}`))
const refundCharge = (id: string, body: unknown = {}) =>
  client().post(`/v1/charges/${id}/refund`, body)

test('a paid charge is refunded by a payout, stays paid and refers to it', async () => {
  const { id } = await createCharge()
  const chargeBefore = await readObject(`charges/${id}`)
  const response = await refundCharge(id)
  const payout = toPayment(response)
  const { paykey, description, customer_details, paykey_details } = chargeBefore
  expect(response.status).toBe(201)
  expect(payout).toMatchObject({
    paykey,
    description,
    customer_details,
    paykey_details,
    amount: '5000',
    status: 'created',
  })
  expect(payout).toMatchObject({
    ...{
      is_refund: true,
      is_resubmit: false,
      payment_date: getPaymentDate(),
      metadata: {},
      external_id: payout.id,
    },
    related_payments: [{ id, relationship: 'original', payment_type: 'charge' }],
    config: { sandbox_outcome: 'standard' },
  })
  expect(await readObject(`payouts/${payout.id}`)).toEqual(payout)
  const chargeAfter = await readObject(`charges/${id}`)
  const related_payments = [{ id: payout.id, relationship: 'refund', payment_type: 'payout' }]
  expect(chargeAfter).toEqual({
    ...chargeBefore,
    has_refund: true,
    related_payments,
    updated_at: chargeAfter.updated_at,
  })
  expect(await client().effects(payout.id)).toMatchObject([
    { operation: 'charges.refund', from: '', to: 'created' },
  ])
})

test('a refund sends events for the new payout and the changed charge', async () => {
  const { id } = await createCharge()
  const payout = toPayment(await refundCharge(id))
  const listEvents = async (target: string) =>
    (await client().control(`events?object_id=${target}`)).data
  expect((await listEvents(payout.id)).map((event) => event.type)).toEqual([
    'payout.created.v1',
    'payout.event.v1',
  ])
  expect(await listEvents(id)).toMatchObject([
    { type: 'charge.event.v1', payload: { data: { status: 'paid', has_refund: true } } },
  ])
})

test('a partial refund can have its own description, external ID, date and metadata', async () => {
  const { id } = await createCharge()
  const refundFields = {
    description: 'Goodwill',
    external_id: `back-${id}`,
    payment_date: getPaymentDate(1),
    metadata: { case: '7' },
  }
  expect(toPayment(await refundCharge(id, { amount: 1, ...refundFields }))).toMatchObject({
    amount: '1',
    ...refundFields,
  })
})

test('a refund without a body is a full refund', async () => {
  const { id } = await createCharge()
  const refundResponse = await client().ask(`/v1/charges/${id}/refund`, { method: 'POST' })
  expect([refundResponse.status, toPayment(refundResponse).amount]).toEqual([201, '5000'])
})

test('a refund is paid when the clock advances', async () => {
  const { id } = await createCharge()
  const payout = toPayment(await refundCharge(id, { amount: 100 }))
  await client().control('clock', { advance_seconds: 200 })
  expect((await readObject(`payouts/${payout.id}`)).status).toBe('paid')
})

test.each([
  ['more than the charge', { amount: 5_001 }, 'amount'],
  ['nothing', { amount: 0 }, 'amount'],
  ['an amount as text', { amount: '100' }, 'amount'],
  ['a date that has passed', { payment_date: '2020-01-31' }, 'payment_date'],
  ['an outcome', { config: { sandbox_outcome: 'paid' } }, 'config'],
])('%s is rejected', async (_why, body, reference) => {
  const { id } = await createCharge()
  expect((await refundCharge(id, body)).json.error).toMatchObject({
    status: 422,
    items: [{ reference, detail: expect.any(String) }],
  })
  expect(await readObject(`charges/${id}`)).toMatchObject({
    has_refund: false,
    related_payments: [],
  })
})

test('an external ID of another payout is rejected', async () => {
  const [one, other] = [await createCharge(), await createCharge()]
  await refundCharge(one.id, { external_id: `twice-${one.id}` })
  const duplicateRefundResponse = await refundCharge(other.id, { external_id: `twice-${one.id}` })
  expect(duplicateRefundResponse.json.error).toMatchObject({
    status: 422,
    items: [{ reference: 'external_id' }],
  })
})

test.each(paymentStatuses.filter((status) => status !== 'paid'))(
  'a charge that is %s cannot be refunded',
  async (status) => {
    const { id } = await createCharge({ status })
    const chargeBeforeRefund = await readObject(`charges/${id}`)
    const refusedRefundResponse = await refundCharge(id)
    expect(refusedRefundResponse.json.error).toMatchObject({
      status: 422,
      detail: expect.stringContaining(`status ${status}`),
    })
    expect(await readObject(`charges/${id}`)).toEqual(chargeBeforeRefund)
  },
)

test('a second refund is accepted, then canceled, and the charge lists only the first', async () => {
  const { id } = await createCharge()
  const [first, second] = [
    await refundCharge(id, { amount: 100 }),
    await refundCharge(id, { amount: 200 }),
  ]
  expect([first.status, second.status]).toEqual([201, 201])
  await client().control('clock', { advance_seconds: 3 })
  expect(await readObject(`payouts/${toPayment(second).id}`)).toMatchObject({
    status: 'cancelled',
    status_details: { reason: 'payment_blocked' },
  })
  expect((await readObject(`payouts/${toPayment(first).id}`)).status).toBe('created')
  expect((await readObject(`charges/${id}`)).related_payments.map((related) => related.id)).toEqual(
    [toPayment(first).id],
  )
})

test.each(['the check', 'a person'])(
  'a surplus refund cannot be resubmitted after %s canceled it',
  async (who) => {
    const { id } = await createCharge()
    const [, second] = [await refundCharge(id), toPayment(await refundCharge(id))]
    if (who === 'a person') await client().put(`/v1/payouts/${second.id}/cancel`, {})
    await client().control('clock', { advance_seconds: 3 })
    const payoutBefore = await readObject(`payouts/${second.id}`)
    const resubmitResponse = await client().post(`/v1/payouts/${second.id}/resubmit`, {})
    expect(resubmitResponse.json.error).toMatchObject({
      status: 422,
      detail: expect.stringContaining('charge was already refunded'),
    })
    expect([await readObject(`payouts/${second.id}`), resubmitResponse.json.error?.items]).toEqual([
      payoutBefore,
      undefined,
    ])
  },
)

test('a canceled refund is resubmitted, stays the refund of its charge, and is paid', async () => {
  const { id } = await createCharge()
  let latestRefund = toPayment(await refundCharge(id))
  for (const _repetition of [1, 2]) {
    const earlierRefund = latestRefund
    await client().put(`/v1/payouts/${earlierRefund.id}/cancel`, {})
    latestRefund = toPayment(await client().post(`/v1/payouts/${earlierRefund.id}/resubmit`, {}))
    expect(latestRefund).toMatchObject({ is_refund: true, is_resubmit: true })
    expect(latestRefund.related_payments).toEqual([
      { id: earlierRefund.id, relationship: 'original', payment_type: 'payout' },
      { id, relationship: 'original', payment_type: 'charge' },
    ])
  }
  await client().control('clock', { advance_seconds: 200 })
  expect((await readObject(`payouts/${latestRefund.id}`)).status).toBe('paid')
})

test('a second refund is canceled if a canceled refund was resubmitted', async () => {
  const { id } = await createCharge()
  const firstRefund = toPayment(await refundCharge(id))
  await client().put(`/v1/payouts/${firstRefund.id}/cancel`, {})
  const [resubmittedRefund, other] = [
    toPayment(await client().post(`/v1/payouts/${firstRefund.id}/resubmit`, {})),
    toPayment(await refundCharge(id)),
  ]
  await client().control('clock', { advance_seconds: 200 })
  const refundStatuses = await Promise.all(
    [resubmittedRefund, other].map(
      async (payout) => (await readObject(`payouts/${payout.id}`)).status,
    ),
  )
  expect(refundStatuses).toEqual(['paid', 'cancelled'])
})

test('a payout cannot be refunded, because there is no such route', async () => {
  const payout = await client().payout({ status: 'paid' })
  expect((await client().post(`/v1/payouts/${payout.id}/refund`, {})).status).toBe(404)
})

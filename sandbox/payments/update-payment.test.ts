import { expect, test } from 'vitest'
import { buildPayoutBody, createTestPaykey } from '@/tests/sandbox/own-paykey'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { getPaymentDate } from '@/tests/sandbox/test-time'
import { paymentStatuses } from './payment-values'

const { client } = startSandboxPerFile()

type Payment = Record<string, unknown> & { id: string; status: string; status_history: unknown[] }

const paymentTypes = ['charge', 'payout'] as const
const tomorrow = getPaymentDate(1)
const changedFields = { description: 'Corrected commission', amount: 4_321, payment_date: tomorrow }

const createPayment = (type: string, overrides: Record<string, unknown>) =>
  client().control<Payment>(`objects/${type}s`, overrides)
const readPayment = async (type: string, id: string) =>
  (await client().ask(`/v1/${type}s/${id}`)).json.data as Payment

const changeableStatuses: readonly string[] = ['created', 'on_hold']
const typeAndStatusCases = paymentTypes.flatMap((type) =>
  paymentStatuses.map((status) => ({ type, status })),
)

test.each(typeAndStatusCases.filter(({ status }) => changeableStatuses.includes(status)))(
  'a $type that is $status can be changed',
  async ({ type, status }) => {
    const { id } = await createPayment(type, { status })
    const paymentBefore = await readPayment(type, id)
    const response = await client().put(`/v1/${type}s/${id}`, {
      ...changedFields,
      metadata: { order: '18' },
    })
    const paymentAfter = await readPayment(type, id)
    const expectedPayment = {
      ...paymentBefore,
      ...changedFields,
      amount: '4321',
      metadata: { order: '18' },
      updated_at: paymentAfter.updated_at,
    }
    expect([response.status, response.json.data, paymentAfter]).toEqual([
      200,
      paymentAfter,
      expectedPayment,
    ])
    expect(await client().effects(id)).toMatchObject([
      { operation: `${type}s.update`, from: status, to: status },
    ])
    const { data: events } = await client().control(`events?object_id=${id}`)
    expect(events).toMatchObject([
      {
        type: `${type}.event.v1`,
        payload: { data: { amount: '4321', metadata: { order: '18' } } },
      },
    ])
  },
)

test.each(typeAndStatusCases.filter(({ status }) => !changeableStatuses.includes(status)))(
  'a $type that is $status cannot change',
  async ({ type, status }) => {
    const { id } = await createPayment(type, { status })
    const paymentBeforeUpdate = await readPayment(type, id)
    const updateResponse = await client().put(`/v1/${type}s/${id}`, changedFields)
    const expectedError = {
      status: 422,
      type: '/validation_error',
      title: 'Validation Failed',
      detail: expect.stringContaining(`status ${status}`),
    }
    expect([updateResponse.status, updateResponse.json.error]).toEqual([422, expectedError])
    expect([await readPayment(type, id), await client().effects(id)]).toEqual([
      paymentBeforeUpdate,
      [],
    ])
  },
)

test('metadata is replaced completely, and stays if it is omitted', async () => {
  const paykey = await createTestPaykey(client())
  const body = buildPayoutBody(paykey.token, {
    metadata: { one: '1', two: '2' },
    config: { auto_hold: true },
  })
  const { id } = (await client().post('/v1/payouts', body, paykey.headers)).json.data as Payment
  const updateAndReadMetadata = async (overrides: Record<string, unknown>) =>
    (
      (await client().put(`/v1/payouts/${id}`, { ...changedFields, ...overrides })).json
        .data as Payment
    ).metadata
  expect(await updateAndReadMetadata({})).toEqual({ one: '1', two: '2' })
  expect(await updateAndReadMetadata({ metadata: { three: '3' } })).toEqual({ three: '3' })
  expect(await updateAndReadMetadata({ metadata: {} })).toEqual({})
})

test('the search finds the new description and amount, and not the old ones', async () => {
  const { id } = await createPayment('payout', { status: 'on_hold', amount: 55_501 })
  const isFoundBySearch = async (query: string) =>
    ((await client().ask(`/v1/payments?${query}`)).json.data as Payment[])
      .map((payment) => payment.id)
      .includes(id)
  expect([
    await isFoundBySearch('search_text=made&page_size=1000'),
    await isFoundBySearch('min_amount=55501&max_amount=55501'),
  ]).toEqual([true, true])
  await client().put(`/v1/payouts/${id}`, {
    ...changedFields,
    description: 'Quarterly zebra',
    amount: 55_502,
  })
  expect([
    await isFoundBySearch('search_text=zebra'),
    await isFoundBySearch('min_amount=55502&max_amount=55502'),
  ]).toEqual([true, true])
  expect([
    await isFoundBySearch('search_text=for+test&page_size=1000'),
    await isFoundBySearch('min_amount=55501&max_amount=55501'),
  ]).toEqual([false, false])
})

test.each([
  ['a date that has passed', { payment_date: '2020-01-31' }, 'payment_date'],
  ['no date', { payment_date: undefined }, 'payment_date'],
  ['an amount as text', { amount: '4321' }, 'amount'],
  ['no amount', { amount: undefined }, 'amount'],
  ['no description', { description: undefined }, 'description'],
  [
    'a metadata key of 41 characters',
    { metadata: { ['k'.repeat(41)]: 'v' } },
    `metadata.${'k'.repeat(41)}`,
  ],
  ['another paykey', { paykey: 'x' }, 'paykey'],
])('%s is rejected', async (_why, overrides, reference) => {
  const { id } = await createPayment('payout', { status: 'on_hold' })
  const rejectedUpdateResponse = await client().put(`/v1/payouts/${id}`, {
    ...changedFields,
    ...overrides,
  })
  expect(rejectedUpdateResponse.json.error).toMatchObject({
    status: 422,
    items: [{ reference, detail: expect.any(String) }],
  })
  expect(await client().effects(id)).toEqual([])
})

test('a refund cannot exceed its charge', async () => {
  const charge = await createPayment('charge', { status: 'paid', amount: 5_000 })
  const refund = (await client().post(`/v1/charges/${charge.id}/refund`, { amount: 1_000 })).json
    .data as Payment
  const raiseResponse = await client().put(`/v1/payouts/${refund.id}`, {
    ...changedFields,
    amount: 5_001,
  })
  expect(raiseResponse.json.error).toMatchObject({ status: 422, items: [{ reference: 'amount' }] })
  expect(
    (await client().put(`/v1/payouts/${refund.id}`, { ...changedFields, amount: 5_000 })).json.data,
  ).toMatchObject({ amount: '5000' })
})

test('a resubmitted refund cannot exceed the charge', async () => {
  const charge = await createPayment('charge', { status: 'paid', amount: 5_000 })
  const refund = (await client().post(`/v1/charges/${charge.id}/refund`, { amount: 1_000 })).json
    .data as Payment
  await client().put(`/v1/payouts/${refund.id}/cancel`, {})
  const resubmittedRefund = (await client().post(`/v1/payouts/${refund.id}/resubmit`, {})).json
    .data as Payment
  const secondRaiseResponse = await client().put(`/v1/payouts/${resubmittedRefund.id}`, {
    ...changedFields,
    amount: 5_001,
  })
  expect(secondRaiseResponse.json.error).toMatchObject({
    status: 422,
    items: [{ reference: 'amount' }],
  })
  expect(
    (await client().put(`/v1/payouts/${resubmittedRefund.id}`, { ...changedFields, amount: 5_000 }))
      .json.data,
  ).toMatchObject({
    amount: '5000',
  })
})

test('a payment of the other type or of another account is not found', async () => {
  const { id } = await createPayment('payout', { status: 'on_hold' })
  const [, foreign] = (await client().ask('/v1/accounts?status=active')).json.data as {
    id: string
  }[]
  expect((await client().put(`/v1/charges/${id}`, changedFields)).status).toBe(404)
  expect(
    (
      await client().put(`/v1/payouts/${id}`, changedFields, {
        'service-account-id': `acct_${foreign?.id}`,
      })
    ).status,
  ).toBe(404)
})

import { expect, test } from 'vitest'
import { createOwnPaykey, payoutBody } from '@/tests/sandbox/own-paykey'
import { sandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { today } from '@/tests/sandbox/test-time'
import { paymentStatuses } from './payment-values'

const { client } = sandboxPerFile()

type Payment = Record<string, unknown> & { id: string; status: string; status_history: unknown[] }

const types = ['charge', 'payout'] as const
const tomorrow = today(1)
const change = { description: 'Corrected commission', amount: 4_321, payment_date: tomorrow }

const createPayment = (type: string, overrides: Record<string, unknown>) => client().control<Payment>(`objects/${type}s`, overrides)
const read = async (type: string, id: string) => (await client().ask(`/v1/${type}s/${id}`)).json.data as Payment

const changeable: readonly string[] = ['created', 'on_hold']
const cases = types.flatMap((type) => paymentStatuses.map((status) => ({ type, status })))

test.each(cases.filter(({ status }) => changeable.includes(status)))('a $type that is $status can be changed', async ({ type, status }) => {
  const { id } = await createPayment(type, { status })
  const before = await read(type, id)
  const answer = await client().put(`/v1/${type}s/${id}`, { ...change, metadata: { order: '18' } })
  const after = await read(type, id)
  const expected = { ...before, ...change, amount: '4321', metadata: { order: '18' }, updated_at: after.updated_at }
  expect([answer.status, answer.json.data, after]).toEqual([200, after, expected])
  expect(await client().effects(id)).toMatchObject([{ operation: `${type}s.update`, from: status, to: status }])
  const { data: events } = await client().control(`events?object_id=${id}`)
  expect(events).toMatchObject([{ type: `${type}.event.v1`, payload: { data: { amount: '4321', metadata: { order: '18' } } } }])
})

test.each(cases.filter(({ status }) => !changeable.includes(status)))('a $type that is $status cannot change', async ({ type, status }) => {
  const { id } = await createPayment(type, { status })
  const before = await read(type, id)
  const answer = await client().put(`/v1/${type}s/${id}`, change)
  const error = { status: 422, type: '/validation_error', title: 'Validation Failed', detail: expect.stringContaining(`status ${status}`) }
  expect([answer.status, answer.json.error]).toEqual([422, error])
  expect([await read(type, id), await client().effects(id)]).toEqual([before, []])
})

test('metadata is replaced completely, and stays if it is omitted', async () => {
  const paykey = await createOwnPaykey(client())
  const body = payoutBody(paykey.token, { metadata: { one: '1', two: '2' }, config: { auto_hold: true } })
  const { id } = (await client().post('/v1/payouts', body, paykey.headers)).json.data as Payment
  const metadataAfter = async (overrides: Record<string, unknown>) =>
    ((await client().put(`/v1/payouts/${id}`, { ...change, ...overrides })).json.data as Payment).metadata
  expect(await metadataAfter({})).toEqual({ one: '1', two: '2' })
  expect(await metadataAfter({ metadata: { three: '3' } })).toEqual({ three: '3' })
  expect(await metadataAfter({ metadata: {} })).toEqual({})
})

test('the search finds the new description and amount, and not the old ones', async () => {
  const { id } = await createPayment('payout', { status: 'on_hold', amount: 55_501 })
  const found = async (query: string) =>
    ((await client().ask(`/v1/payments?${query}`)).json.data as Payment[]).map((payment) => payment.id).includes(id)
  expect([await found('search_text=made&page_size=1000'), await found('min_amount=55501&max_amount=55501')]).toEqual([true, true])
  await client().put(`/v1/payouts/${id}`, { ...change, description: 'Quarterly zebra', amount: 55_502 })
  expect([await found('search_text=zebra'), await found('min_amount=55502&max_amount=55502')]).toEqual([true, true])
  expect([await found('search_text=for+test&page_size=1000'), await found('min_amount=55501&max_amount=55501')]).toEqual([false, false])
})

test.each([
  ['a date that has passed', { payment_date: '2020-01-31' }, 'payment_date'],
  ['no date', { payment_date: undefined }, 'payment_date'],
  ['an amount as text', { amount: '4321' }, 'amount'],
  ['no amount', { amount: undefined }, 'amount'],
  ['no description', { description: undefined }, 'description'],
  ['a metadata key of 41 characters', { metadata: { ['k'.repeat(41)]: 'v' } }, `metadata.${'k'.repeat(41)}`],
  ['another paykey', { paykey: 'x' }, 'paykey'],
])('%s is rejected', async (_why, overrides, reference) => {
  const { id } = await createPayment('payout', { status: 'on_hold' })
  const answer = await client().put(`/v1/payouts/${id}`, { ...change, ...overrides })
  expect(answer.json.error).toMatchObject({ status: 422, items: [{ reference, detail: expect.any(String) }] })
  expect(await client().effects(id)).toEqual([])
})

test('a refund cannot exceed its charge', async () => {
  const charge = await createPayment('charge', { status: 'paid', amount: 5_000 })
  const refund = (await client().post(`/v1/charges/${charge.id}/refund`, { amount: 1_000 })).json.data as Payment
  const raised = await client().put(`/v1/payouts/${refund.id}`, { ...change, amount: 5_001 })
  expect(raised.json.error).toMatchObject({ status: 422, items: [{ reference: 'amount' }] })
  expect((await client().put(`/v1/payouts/${refund.id}`, { ...change, amount: 5_000 })).json.data).toMatchObject({ amount: '5000' })
})

test('a resubmitted refund cannot exceed the charge', async () => {
  const charge = await createPayment('charge', { status: 'paid', amount: 5_000 })
  const refund = (await client().post(`/v1/charges/${charge.id}/refund`, { amount: 1_000 })).json.data as Payment
  await client().put(`/v1/payouts/${refund.id}/cancel`, {})
  const resubmitted = (await client().post(`/v1/payouts/${refund.id}/resubmit`, {})).json.data as Payment
  const raised = await client().put(`/v1/payouts/${resubmitted.id}`, { ...change, amount: 5_001 })
  expect(raised.json.error).toMatchObject({ status: 422, items: [{ reference: 'amount' }] })
  expect((await client().put(`/v1/payouts/${resubmitted.id}`, { ...change, amount: 5_000 })).json.data).toMatchObject({ amount: '5000' })
})

test('a payment of the other type or of another account is not found', async () => {
  const { id } = await createPayment('payout', { status: 'on_hold' })
  const [, foreign] = (await client().ask('/v1/accounts?status=active')).json.data as { id: string }[]
  expect((await client().put(`/v1/charges/${id}`, change)).status).toBe(404)
  expect((await client().put(`/v1/payouts/${id}`, change, { 'service-account-id': `acct_${foreign?.id}` })).status).toBe(404)
})

import { describe, expect, test } from 'vitest'
import type { SandboxResponse } from '@/tests/sandbox/sandbox-client'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { getPaymentDate } from '@/tests/sandbox/test-time'
import { paymentStatuses } from './payment-values'

const { client } = startSandboxPerFile()

type Payment = Record<string, unknown> & {
  id: string
  status: string
  external_id: string
  related_payments: { id: string }[]
}

const paymentTypes = ['charge', 'payout'] as const
const resubmittableStatuses: readonly string[] = ['failed', 'reversed', 'cancelled']

const toPayment = (response: SandboxResponse) => response.json.data as Payment
const createPayment = (type: string, overrides: Record<string, unknown>) =>
  client().control<Payment & { account_id: string }>(`objects/${type}s`, overrides)
const readPayment = async (type: string, id: string) =>
  toPayment(await client().ask(`/v1/${type}s/${id}`))
const resubmitPayment = (type: string, id: string, body: unknown = {}) =>
  client().post(`/v1/${type}s/${id}/resubmit`, body)

describe.each(paymentTypes)('a %s', (type) => {
  test.each(resubmittableStatuses)(
    'that is %s can be resubmitted, and both refer to each other',
    async (status) => {
      const originalPayment = await createPayment(type, {
        status,
        sandbox_outcome: 'failed_insufficient_funds',
      })
      const paymentBefore = await readPayment(type, originalPayment.id)
      const response = await resubmitPayment(type, originalPayment.id)
      const resubmittedPayment = toPayment(response)
      const { id, paykey, amount, description, device, customer_details, paykey_details } =
        paymentBefore
      expect(response.status).toBe(201)
      expect(resubmittedPayment).toMatchObject({
        paykey,
        amount,
        description,
        device,
        customer_details,
        paykey_details,
        status: 'created',
      })
      expect(resubmittedPayment).toMatchObject({
        ...{
          payment_date: getPaymentDate(),
          is_resubmit: true,
          has_resubmit: false,
          external_id: resubmittedPayment.id,
        },
        related_payments: [{ id, relationship: 'original', payment_type: type }],
        config: { sandbox_outcome: 'standard' },
      })
      const paymentAfter = await readPayment(type, id)
      const related_payments = [
        { id: resubmittedPayment.id, relationship: 'resubmit', payment_type: type },
      ]
      expect(paymentAfter).toEqual({
        ...paymentBefore,
        has_resubmit: true,
        related_payments,
        updated_at: paymentAfter.updated_at,
      })
      expect(await client().effects(resubmittedPayment.id)).toMatchObject([
        { operation: `${type}s.resubmit`, from: '', to: 'created' },
      ])
      expect(await client().effects(id)).toEqual([])
    },
  )

  test.each(paymentStatuses.filter((status) => !resubmittableStatuses.includes(status)))(
    'that is %s cannot be resubmitted',
    async (status) => {
      const { id } = await createPayment(type, { status })
      const paymentBeforeResubmit = await readPayment(type, id)
      const resubmitResponse = await resubmitPayment(type, id)
      expect(resubmitResponse.json.error).toMatchObject({
        status: 422,
        detail: expect.stringContaining(`status ${status}`),
      })
      expect([await readPayment(type, id), resubmitResponse.json.error?.items]).toEqual([
        paymentBeforeResubmit,
        undefined,
      ])
    },
  )

  test('accepts its own description, date and external ID', async () => {
    const { id } = await createPayment(type, { status: 'failed' })
    const resubmitFields = {
      description: 'Second try',
      payment_date: getPaymentDate(2),
      external_id: `again-${id}`,
    }
    expect(toPayment(await resubmitPayment(type, id, resubmitFields))).toMatchObject(resubmitFields)
    const duplicateResponse = await resubmitPayment(
      type,
      (await createPayment(type, { status: 'failed' })).id,
      resubmitFields,
    )
    expect(duplicateResponse.json.error).toMatchObject({
      status: 422,
      items: [{ reference: 'external_id' }],
    })
  })

  test('requires no body', async () => {
    const { id } = await createPayment(type, { status: 'failed' })
    expect((await client().ask(`/v1/${type}s/${id}/resubmit`, { method: 'POST' })).status).toBe(201)
  })

  test('is accepted twice, but the second one is canceled and the original lists only the first', async () => {
    const { id } = await createPayment(type, { status: 'failed' })
    const [first, second] = [await resubmitPayment(type, id), await resubmitPayment(type, id)]
    expect([first.status, second.status]).toEqual([201, 201])
    await client().control('clock', { advance_seconds: 3 })
    const { status, status_details } = await readPayment(type, toPayment(second).id)
    expect([status, status_details]).toMatchObject([
      'cancelled',
      { reason: 'payment_blocked', source: 'watchtower' },
    ])
    expect((await readPayment(type, toPayment(first).id)).status).toBe('created')
    expect((await readPayment(type, id)).related_payments.map((related) => related.id)).toEqual([
      toPayment(first).id,
    ])
    const thirdResubmitResponse = await resubmitPayment(type, toPayment(second).id)
    expect(thirdResubmitResponse.json.error).toMatchObject({
      status: 422,
      detail: expect.stringContaining(`${type} was already resubmitted`),
    })
  })

  test('sends events for the new payment and the original', async () => {
    const { id, account_id } = await createPayment(type, { status: 'failed' })
    const retriedPayment = toPayment(await resubmitPayment(type, id))
    const listEvents = async (target: string) =>
      (await client().control(`events?object_id=${target}`)).data
    expect((await listEvents(retriedPayment.id)).map((event) => event.type)).toEqual([
      `${type}.created.v1`,
      `${type}.event.v1`,
    ])
    expect(await listEvents(id)).toMatchObject([
      { type: `${type}.event.v1`, payload: { account_id, data: { id, has_resubmit: true } } },
    ])
  })
})

test.each([
  ['a date that has passed', { payment_date: '2020-01-31' }, 'payment_date'],
  ['a description of 81 characters', { description: 'x'.repeat(81) }, 'description'],
  ['an outcome', { config: { sandbox_outcome: 'paid' } }, 'config'],
  ['an amount', { amount: 100 }, 'amount'],
])('%s is rejected', async (_why, body, reference) => {
  const { id } = await createPayment('payout', { status: 'failed' })
  expect((await resubmitPayment('payout', id, body)).json.error).toMatchObject({
    status: 422,
    items: [{ reference }],
  })
  expect((await readPayment('payout', id)).related_payments).toEqual([])
})

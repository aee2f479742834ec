import { expect, test } from 'vitest'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { getPaymentDate } from '@/tests/sandbox/test-time'
import { paymentStatuses, paymentTypes } from './payment-values'

const { client } = startSandboxPerFile()

// Status after each move, by move and current status. Written by hand from the provider's table: if
// it were derived from `paymentMachine`, the test could not find errors there.
const statusAfterMove: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  hold: { created: 'on_hold', scheduled: 'on_hold' },
  release: { on_hold: 'created', created: 'created' },
  cancel: { created: 'cancelled', scheduled: 'cancelled', on_hold: 'cancelled' },
}

type Payment = {
  id: string
  status: string
  amount: string
  status_details: Record<string, unknown>
  status_history: Record<string, unknown>[]
}

const makePayment = (type: string, overrides: Record<string, unknown>) =>
  client().control<Payment>(`objects/${type}s`, overrides)
const readPayment = async (type: string, id: string) =>
  (await client().ask(`/v1/${type}s/${id}`)).json.data as Payment
const makeExpectedRefusal = (status: string) => ({
  ...{ status: 422, type: '/validation_error', title: 'Validation Failed' },
  detail: expect.stringContaining(`status ${status}`),
})

const transitionCases = paymentTypes.flatMap((type) =>
  Object.entries(statusAfterMove).flatMap(([move, targets]) =>
    paymentStatuses.map((status) => ({ type, move, status, target: targets[status] })),
  ),
)
const isStatusChange = ({ status, target }: (typeof transitionCases)[number]) =>
  target !== undefined && target !== status

test.each(transitionCases.filter(isStatusChange))(
  '$move of a $type from $status leads to $target, once',
  async ({ type, move, status, target }) => {
    const payment = await makePayment(type, { status })
    const response = await client().put(`/v1/${type}s/${payment.id}/${move}`, {
      reason: 'Asked by the customer',
    })
    const paymentAfter = await readPayment(type, payment.id)
    expect([response.status, response.json.data, paymentAfter.status]).toEqual([
      200,
      paymentAfter,
      target,
    ])
    expect(paymentAfter.status_details).toMatchObject({
      message: 'Asked by the customer',
      reason: 'user_request',
      source: 'user_action',
    })
    expect(paymentAfter.status_history.at(-1)).toEqual({
      ...paymentAfter.status_details,
      status: target,
    })
    expect(paymentAfter.status_history).toHaveLength(status === 'created' ? 2 : 3)
    expect(await client().effects(payment.id)).toMatchObject([
      { operation: `${type}s.${move}`, from: status, to: target },
    ])
  },
)

test.each(transitionCases.filter((row) => row.target === undefined))(
  '$move of a $type from $status is rejected',
  async ({ type, move, status }) => {
    const payment = await makePayment(type, { status })
    const paymentBefore = await readPayment(type, payment.id)
    const moveResponse = await client().put(`/v1/${type}s/${payment.id}/${move}`, {
      reason: 'Asked by the customer',
    })
    expect([moveResponse.status, moveResponse.json.error]).toEqual([
      422,
      makeExpectedRefusal(status),
    ])
    expect([await readPayment(type, payment.id), await client().effects(payment.id)]).toEqual([
      paymentBefore,
      [],
    ])
  },
)

// Statuses that allow an update, and statuses that allow a resubmit. Both moves keep the status, as
// does a refund.
const updatableStatuses = ['created', 'on_hold']
const resubmittableStatuses = ['failed', 'reversed', 'cancelled']
const sameStateCases = [
  ...paymentTypes.flatMap((type) =>
    paymentStatuses.map((status) => ({
      type,
      move: 'update',
      status,
      fine: updatableStatuses.includes(status),
    })),
  ),
  ...paymentTypes.flatMap((type) =>
    paymentStatuses.map((status) => ({
      type,
      move: 'resubmit',
      status,
      fine: resubmittableStatuses.includes(status),
    })),
  ),
  ...paymentStatuses.map((status) => ({
    type: 'charge' as const,
    move: 'refund',
    status,
    fine: status === 'paid',
  })),
]

function requestMove(type: string, move: string, id: string) {
  const payment_date = getPaymentDate(5)
  if (move === 'update')
    return client().put(`/v1/${type}s/${id}`, {
      description: 'Another text',
      amount: 777,
      payment_date,
    })
  const headers = { 'content-type': 'application/json' }
  return client().ask(`/v1/${type}s/${id}/${move}`, { method: 'POST', body: '{}', headers })
}

test.each(sameStateCases)(
  '$move of a $type from $status keeps the status; allowed: $fine',
  async ({ type, move, status, fine }) => {
    const payment = await makePayment(type, { status })
    const paymentBeforeMove = await readPayment(type, payment.id)
    const repeatedMoveResponse = await requestMove(type, move, payment.id)
    const paymentAfterMove = await readPayment(type, payment.id)
    expect([paymentAfterMove.status, paymentAfterMove.status_history]).toEqual([
      status,
      paymentBeforeMove.status_history,
    ])
    if (fine)
      expect([repeatedMoveResponse.status < 300, paymentAfterMove]).toEqual([
        true,
        expect.not.objectContaining(paymentBeforeMove),
      ])
    else
      expect([
        repeatedMoveResponse.status,
        repeatedMoveResponse.json.error,
        paymentAfterMove,
      ]).toEqual([422, makeExpectedRefusal(status), paymentBeforeMove])
  },
)

test('release of a created payout returns 200 and changes nothing', async () => {
  const payout = await client().payout({ status: 'created' })
  const payoutBefore = await readPayment('payout', payout.id)
  const releaseResponse = await client().put(`/v1/payouts/${payout.id}/release`, {
    reason: 'Asked by the customer',
  })
  expect([releaseResponse.status, releaseResponse.json.data]).toEqual([200, payoutBefore])
  expect([await readPayment('payout', payout.id), await client().effects(payout.id)]).toEqual([
    payoutBefore,
    [],
  ])
})

test('the reason is optional, with or without a body', async () => {
  const [one, other] = [await client().payout(), await client().payout()]
  expect((await client().put(`/v1/payouts/${one.id}/release`, { reason: null })).status).toBe(200)
  expect((await client().ask(`/v1/payouts/${other.id}/release`, { method: 'PUT' })).status).toBe(
    200,
  )
})

test('a released payout continues with the clock, and held and seeded payments do not change', async () => {
  const listUnsettledReferences = async () => {
    const { json } = await client().ask(
      '/v1/payments?payment_status=created,scheduled,pending&page_size=1000',
    )
    return (json.data as { external_id: string }[])
      .map((payment) => payment.external_id)
      .filter((reference) => /^(po|ch)-\d+$/.test(reference))
  }
  const unsettledReferencesAtStart = await listUnsettledReferences()
  expect(unsettledReferencesAtStart.length).toBeGreaterThan(10)
  const [released, held] = [await client().payout(), await client().payout()]
  await client().put(`/v1/payouts/${released.id}/release`, {})
  const payoutStatuses: string[] = []
  for (const seconds of [0, 6, 61, 61]) {
    await client().control('clock', { advance_seconds: seconds })
    payoutStatuses.push((await readPayment('payout', released.id)).status)
  }
  expect(payoutStatuses).toEqual(['created', 'scheduled', 'pending', 'paid'])
  expect((await readPayment('payout', held.id)).status).toBe('on_hold')
  expect(await listUnsettledReferences()).toEqual(unsettledReferencesAtStart)
})

test('two transitions in a row keep the full history, oldest first', async () => {
  const payout = await client().payout({ status: 'created' })
  await client().put(`/v1/payouts/${payout.id}/hold`, { reason: 'wait' })
  await client().put(`/v1/payouts/${payout.id}/cancel`, { reason: 'never mind' })
  const { status_history } = await readPayment('payout', payout.id)
  expect(status_history.map(({ status, message }) => [status, message])).toEqual([
    ['created', expect.any(String)],
    ['on_hold', 'wait'],
    ['cancelled', 'never mind'],
  ])
})

test.each(['null', '[]', '"stop"'])(
  'a body that is %s is rejected with a clear message',
  async (body) => {
    const payout = await client().payout()
    const invalidReleaseResponse = await client().ask(`/v1/payouts/${payout.id}/release`, {
      method: 'PUT',
      body,
      headers: { 'content-type': 'application/json' },
    })
    expect(invalidReleaseResponse.json.error).toMatchObject({
      status: 422,
      items: [{ reference: 'body', detail: 'must be a JSON object' }],
    })
    expect(await client().effects(payout.id)).toEqual([])
  },
)

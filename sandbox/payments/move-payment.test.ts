import { expect, test } from 'vitest'
import { makeCompleteAccount, sendComplianceDecision } from '@/tests/sandbox/make-account'
import {
  buildCustomerBody,
  createTestCustomer,
  type TestCustomer,
} from '@/tests/sandbox/own-customer'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

type StatusChange = {
  status: string
  reason: string
  source: string
  message: string
  changed_at: string
}
type Payment = {
  id: string
  account_id: string
  status: string
  status_details: StatusChange
  status_history: StatusChange[]
  processed_at: string | null
  related_payments: { id: string }[]
  paykey_details: { id: string }
}

const readPayment = async (type: string, id: string) =>
  (await client().ask(`/v1/${type}s/${id}`)).json.data as Payment
const makePayment = (type: string, overrides: Record<string, unknown>) =>
  client().control<Payment>(`objects/${type}s`, overrides)
const releasePayment = (type: string, id: string) => client().put(`/v1/${type}s/${id}/release`, {})
const advanceClock = (seconds: number) => client().control('clock', { advance_seconds: seconds })
const postToAccount = async (path: string, body: unknown, account: string) => {
  const headers = { 'content-type': 'application/json', 'service-account-id': account }
  return (await client().ask(path, { method: 'POST', body: JSON.stringify(body), headers })).json
    .data as Payment
}

// Midnight in New York is 05:00 UTC in winter and 04:00 UTC in summer. On the day when summer time
// begins or ends, midnight still has the old offset, because the clocks change at two in the
// morning.
test.each([
  ['winter', '2041-01-10T12:00:00Z', '2041-01-15', '2041-01-15T05:00:00.000Z'],
  ['the day summer time begins', '2041-03-08T12:00:00Z', '2041-03-10', '2041-03-10T05:00:00.000Z'],
  ['summer', '2041-07-10T12:00:00Z', '2041-07-15', '2041-07-15T04:00:00.000Z'],
  ['the day summer time ends', '2041-11-01T12:00:00Z', '2041-11-03', '2041-11-03T04:00:00.000Z'],
])(
  'a payout is sent when its payment date begins in New York: %s',
  async (_, now, payment_date, midnight) => {
    await client().control('clock', { now })
    const { id } = await makePayment('payout', { payment_date })
    await releasePayment('payout', id)
    await client().control('clock', { now: new Date(Date.parse(midnight) - 1_000).toISOString() })
    expect((await readPayment('payout', id)).status).toBe('scheduled')
    await client().control('clock', { now: midnight })
    expect(await readPayment('payout', id)).toMatchObject({
      status: 'pending',
      processed_at: midnight,
    })
  },
)

test('the date in New York counts: today’s payout is sent and tomorrow’s waits, though UTC is a day ahead', async () => {
  await client().control('clock', { now: '2042-02-11T03:00:00Z' })
  const [today, tomorrow] = [
    await makePayment('payout', { payment_date: '2042-02-10' }),
    await makePayment('payout', { payment_date: '2042-02-11' }),
  ]
  for (const { id } of [today, tomorrow]) await releasePayment('payout', id)
  await advanceClock(70)
  const payoutStatuses = await Promise.all(
    [today, tomorrow].map(async ({ id }) => (await readPayment('payout', id)).status),
  )
  expect(payoutStatuses).toEqual(['pending', 'scheduled'])
})

test('after a jump of many days every step has its own time, in order and in the past', async () => {
  await client().control('clock', { now: '2043-05-01T12:00:00Z' })
  const { id } = await makePayment('payout', { payment_date: '2043-05-20' })
  await releasePayment('payout', id)
  await client().control('clock', { now: '2043-09-01T00:00:00Z' })
  const { status_history } = await readPayment('payout', id)
  const historyTimes = status_history.map(({ changed_at }) => changed_at)
  expect(historyTimes).toEqual(historyTimes.toSorted())
  const expectedSentTimes = [
    '2043-05-20T04:00:00.000Z',
    '2043-05-20T04:00:20.000Z',
    '2043-05-20T04:00:40.000Z',
  ]
  expect(historyTimes.slice(-4)).toEqual([...expectedSentTimes, '2043-05-20T04:01:00.000Z'])
})

async function readToken(paykeyId: string): Promise<string> {
  return ((await client().ask(`/v1/paykeys/${paykeyId}/reveal`)).json.data as { paykey: string })
    .paykey
}

async function createPayout(config: Record<string, unknown>): Promise<Payment> {
  // Noon in New York: the date is then the same in New York and in UTC.
  await client().control('clock', { now: '2044-03-01T17:00:00Z' })
  const otherPayout = await makePayment('payout', {})
  const payoutBody = {
    paykey: await readToken(otherPayout.paykey_details.id),
    ...{ description: 'Rent', amount: 10_000, currency: 'USD', payment_date: '2044-03-01' },
    ...{ external_id: `own-${otherPayout.id}`, device: { ip_address: '203.0.113.9' }, config },
  }
  return await postToAccount('/v1/payouts', payoutBody, otherPayout.account_id)
}

test('a created payout is paid after two minutes', async () => {
  const payout = await createPayout({})
  expect(payout.status_details).toMatchObject({ reason: 'ok', source: 'system' })
  const observedStatuses = [payout.status]
  for (const seconds of [6, 60, 62]) {
    await advanceClock(seconds)
    observedStatuses.push((await readPayment('payout', payout.id)).status)
  }
  expect(observedStatuses).toEqual(['created', 'scheduled', 'pending', 'paid'])
})

test('auto_hold creates a payout on hold with its message, and its release continues it', async () => {
  const payout = await createPayout({ auto_hold: true, auto_hold_message: 'Check the contract' })
  const holdStatusDetails = {
    message: 'Check the contract',
    reason: 'auto_hold',
    source: 'watchtower',
  }
  expect(payout).toMatchObject({
    status: 'on_hold',
    status_details: holdStatusDetails,
    status_history: [holdStatusDetails],
  })
  await advanceClock(3_600)
  expect((await readPayment('payout', payout.id)).status).toBe('on_hold')
  await releasePayment('payout', payout.id)
  await advanceClock(3_600)
  expect((await readPayment('payout', payout.id)).status).toBe('paid')
})

test.each([
  ['refund', 'charge', 'paid', 'payout'],
  ['resubmit', 'charge', 'failed', 'charge'],
  ['resubmit', 'payout', 'reversed', 'payout'],
])(
  'a second %s of a %s is canceled after a second, and the first one continues',
  async (move, type, status, as) => {
    const originalPayment = await makePayment(type, { status })
    const [first, second] = [
      await postToAccount(
        `/v1/${type}s/${originalPayment.id}/${move}`,
        {},
        originalPayment.account_id,
      ),
      await postToAccount(
        `/v1/${type}s/${originalPayment.id}/${move}`,
        {},
        originalPayment.account_id,
      ),
    ]
    expect([first.status, second.status]).toEqual(['created', 'created'])
    await advanceClock(1)
    const blockedState = {
      status: 'cancelled',
      status_details: { reason: 'payment_blocked', source: 'watchtower' },
    }
    expect([
      (await readPayment(as, first.id)).status,
      await readPayment(as, second.id),
    ]).toMatchObject(['created', blockedState])
    await advanceClock(3_600)
    expect((await readPayment(as, first.id)).status).toBe('paid')
    expect(
      (await readPayment(type, originalPayment.id)).related_payments.map(({ id }) => id),
    ).toEqual([first.id])
  },
)

test('every transition by the clock sends an event with its time, and is not in the journal', async () => {
  const { id } = await makePayment('payout', {})
  await releasePayment('payout', id)
  await advanceClock(3_600)
  const { status_history } = await readPayment('payout', id)
  const { data } = await client().control(`events?object_id=${id}`)
  // Events are not counted: funding sends further events of the payment without a status change.
  const changeTimes = new Set(
    data.map(({ payload }) => (payload as { data: Payment }).data.status_details.changed_at),
  )
  expect([...changeTimes]).toEqual(status_history.slice(2).map(({ changed_at }) => changed_at))
  expect([changeTimes.size, data.every(({ type }) => type === 'payout.event.v1')]).toEqual([
    6,
    true,
  ])
  expect(await client().effects(id)).toHaveLength(1)
})

const sentAt = '2045-03-03T05:00:00.000Z'

/**
 * Creates a payout with its own customer and account. The payout stays scheduled until its payment
 * date begins, at `sentAt`.
 */
async function makeScheduledPayout(
  outcome = 'verified',
): Promise<{ payout: Payment; customer: TestCustomer; account: string }> {
  await client().control('clock', { now: '2045-03-01T17:00:00Z' })
  const { id: account } = await makeCompleteAccount(client())
  await client().post(`/v1/accounts/${account}/simulate?final_status=active`, undefined)
  const forcedConfig = { config: { sandbox_outcome: outcome } }
  const customer = await createTestCustomer(
    client(),
    { id: account, headers: { 'service-account-id': `acct_${account}` } },
    forcedConfig,
  )
  if (customer.status === 'review')
    await client().patch(`/v1/customers/${customer.id}/review`, { status: 'verified' })
  const payout = await makePayment('payout', {
    customer_id: customer.id,
    payment_date: '2045-03-03',
  })
  await releasePayment('payout', payout.id)
  await advanceClock(6)
  expect((await readPayment('payout', payout.id)).status).toBe('scheduled')
  return { payout, customer, account }
}

type ScheduledPayout = Awaited<ReturnType<typeof makeScheduledPayout>>

const changeCustomer = ({ customer }: ScheduledPayout, overrides: Record<string, unknown>) => {
  const { type: _type, ...rest } = buildCustomerBody({ email: customer.email })
  return client().put(`/v1/customers/${customer.id}`, { ...rest, status: 'verified', ...overrides })
}

const makeSecondReturnedPayout = async ({ payout }: ScheduledPayout, sandbox_outcome: string) => {
  const { id } = await makePayment('payout', {
    paykey_id: payout.paykey_details.id,
    sandbox_outcome,
    payment_date: '2045-03-01',
  })
  const releaseResponse = await releasePayment('payout', id)
  await advanceClock(300)
  return releaseResponse
}

test.each([
  [
    'its paykey was cancelled',
    (to: ScheduledPayout) => client().put(`/v1/paykeys/${to.payout.paykey_details.id}/cancel`, {}),
    'invalid_paykey',
  ],
  [
    'its paykey was blocked',
    (to: ScheduledPayout) => makeSecondReturnedPayout(to, 'failed_not_authorized'),
    'invalid_paykey',
  ],
  [
    'its customer was deactivated',
    (to: ScheduledPayout) => changeCustomer(to, { status: 'inactive' }),
    'payment_blocked',
  ],
  [
    'its customer was deleted',
    (to: ScheduledPayout) => client().ask(`/v1/customers/${to.customer.id}`, { method: 'DELETE' }),
    'invalid_paykey',
  ],
  [
    'its account was switched off',
    (to: ScheduledPayout) =>
      sendComplianceDecision(client(), { kind: 'account', id: to.account, status: 'inactive' }),
    'payment_blocked',
  ],
])('a scheduled payout is not sent if %s since', async (_, change, reason) => {
  const scheduledPayout = await makeScheduledPayout()
  expect((await change(scheduledPayout)).status).toBe(200)
  expect((await readPayment('payout', scheduledPayout.payout.id)).status).toBe('scheduled')
  await client().control('clock', { now: '2045-03-10T00:00:00Z' })
  const stoppedStatusDetails = { reason, source: 'watchtower', changed_at: sentAt }
  expect(await readPayment('payout', scheduledPayout.payout.id)).toMatchObject({
    status: 'failed',
    processed_at: null,
    status_details: stoppedStatusDetails,
  })
})

test('a scheduled payout whose customer is in review at its time waits for the decision', async () => {
  const payoutToReview = await makeScheduledPayout('review')
  expect((await changeCustomer(payoutToReview, { name: 'Amara Eze' })).status).toBe(200)
  await client().control('clock', { now: '2045-03-10T00:00:00Z' })
  const reviewHold = { reason: 'watchtower_review', source: 'watchtower', changed_at: sentAt }
  expect(await readPayment('payout', payoutToReview.payout.id)).toMatchObject({
    status: 'on_hold',
    processed_at: null,
    status_details: reviewHold,
  })
  await client().patch(`/v1/customers/${payoutToReview.customer.id}/review`, { status: 'verified' })
  await advanceClock(300)
  expect((await readPayment('payout', payoutToReview.payout.id)).status).toBe('paid')
})

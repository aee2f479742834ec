import { describe, expect, test } from 'vitest'
import { sandboxOutcomes } from '@/sandbox/payments/payment-outcomes'
import { expectedStatusesByOutcome } from '@/tests/sandbox/expected-funding-ends'
import { SandboxClient } from '@/tests/sandbox/sandbox-client'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client, process } = startSandboxPerFile('--environment', 'both')

type StatusChange = {
  status: string
  reason: string
  source: string
  code: string | null
  changed_at: string
}
type FundingEvent = {
  id: string
  amount: number
  status: string
  transfer_date: string
  status_history: StatusChange[]
  config: object
}
type Payment = { id: string; status: string; funding_ids: string[] }
type FundingLine = {
  id: string
  funding_amount: number
  payment_amount: number
  reason: string
  status: string
}
type PaymentType = 'charge' | 'payout'

const readObject = async <T>(path: string): Promise<T> => {
  const { status, json } = await client().ask(path)
  expect([path, status]).toEqual([path, 200])
  return json.data as T
}
const readFundingEvent = (id: string | undefined) =>
  readObject<FundingEvent>(`/v1/funding_events/${id}`)
const readFundingLines = (id: string | undefined) =>
  readObject<FundingLine[]>(`/v1/funding_event_payments/${id}?page_size=1000`)
const advanceClock = (advance_seconds: number) => client().control('clock', { advance_seconds })

/**
 * Returns the id of the active account at an index. Each test uses another index, so that no test
 * collects another test's money.
 */
const findAccountId = async (index: number) =>
  (await readObject<{ id: string }[]>('/v1/accounts?status=active&page_size=1000'))[index]?.id ?? ''

const simulateFunding = (account_id: string, type: PaymentType, sandbox_outcome?: string | null) =>
  client().post(
    '/v1/funding_events/simulate',
    { funding_event_job_type: `${type}s`, sandbox_outcome },
    { 'service-account-id': account_id },
  )

/**
 * Creates a payment and releases it; timers move it to `paid` in about two minutes. Returns a
 * function that reads the payment.
 */
async function createPaidPaymentReader(
  account_id: string,
  type: PaymentType,
  overrides: Record<string, unknown> = {},
): Promise<() => Promise<Payment>> {
  const createdPayment = await client().control<{ id: string }>(`objects/${type}s`, {
    account_id,
    sandbox_outcome: 'paid',
    ...overrides,
  })
  expect((await client().put(`/v1/${type}s/${createdPayment.id}/release`, {})).status).toBe(200)
  return () => readObject<Payment>(`/v1/${type}s/${createdPayment.id}`)
}

describe('the clock', () => {
  test('collects a charge a minute after it settled, and pays it on the transfer date', async () => {
    const readCharge = await createPaidPaymentReader(await findAccountId(0), 'charge', {
      amount: 4_321,
    })
    await advanceClock(140)
    expect(await readCharge()).toMatchObject({ status: 'paid', funding_ids: [] })
    await advanceClock(60)
    const { id, funding_ids } = await readCharge()
    const event = await readFundingEvent(funding_ids[0])
    expect(event).toMatchObject({ event_type: 'charge_deposit', direction: 'deposit' })
    expect(await readFundingLines(event.id)).toContainEqual(
      expect.objectContaining({ id, funding_amount: 4_321, reason: 'credit', status: 'paid' }),
    )
    await advanceClock(7 * 24 * 3_600)
    const { status_history } = await readFundingEvent(event.id)
    expect(status_history.map(({ status }) => status)).toEqual(['created', 'pending', 'paid'])
    const [created, pending, paid] = status_history.map(({ changed_at }) => Date.parse(changed_at))
    expect((pending ?? 0) - (created ?? 0)).toBe(5_000)
    expect(paid).toBe(
      Math.max((pending ?? 0) + 60_000, Date.parse(`${event.transfer_date}T13:30:00Z`)),
    )
  })

  test('collects a payout when it is sent, and its return in a later event', async () => {
    const readPayout = await createPaidPaymentReader(await findAccountId(1), 'payout', {
      amount: 7_700,
      sandbox_outcome: 'failed_insufficient_funds',
    })
    await advanceClock(100)
    expect(await readPayout()).toMatchObject({ status: 'pending', funding_ids: [] })
    await advanceClock(200)
    const { id, status, funding_ids } = await readPayout()
    expect([status, funding_ids.length]).toEqual(['failed', 2])
    const linesOfEachEvent = await Promise.all(funding_ids.map(readFundingLines))
    expect(linesOfEachEvent[0]).toContainEqual(
      expect.objectContaining({ id, funding_amount: 7_700, reason: 'debit' }),
    )
    expect(linesOfEachEvent[1]).toContainEqual(
      expect.objectContaining({ id, funding_amount: -7_700, reason: 'failed' }),
    )
    expect(await readFundingEvent(funding_ids[0])).toMatchObject({
      event_type: 'payout_withdrawal',
      direction: 'withdrawal',
    })
    for (const funding of funding_ids) {
      expect(
        (await readObject<Payment[]>(`/v1/payments?funding_id=${funding}`)).map(
          (found) => found.id,
        ),
      ).toContain(id)
    }
  })

  test('subtracts a reversed charge from later money, and lists a failed one with zero', async () => {
    const account_id = await findAccountId(2)
    const readReversedCharge = await createPaidPaymentReader(account_id, 'charge', {
      amount: 1_500,
      sandbox_outcome: 'reversed_insufficient_funds',
    })
    await advanceClock(280)
    const readFailedCharge = await createPaidPaymentReader(account_id, 'charge', {
      amount: 900,
      sandbox_outcome: 'failed_insufficient_funds',
    })
    const readLaterCharge = await createPaidPaymentReader(account_id, 'charge', { amount: 8_000 })
    await advanceClock(240)
    const { id, funding_ids } = await readReversedCharge()
    const laterCharge = await readLaterCharge()
    expect(funding_ids).toEqual([expect.any(String), laterCharge.funding_ids[0]])
    const lines = await readFundingLines(laterCharge.funding_ids[0])
    expect(lines).toContainEqual(
      expect.objectContaining({
        id,
        funding_amount: -1_500,
        reason: 'reversal',
        status: 'reversed',
      }),
    )
    expect(lines).toContainEqual(
      expect.objectContaining({
        id: (await readFailedCharge()).id,
        funding_amount: 0,
        payment_amount: 900,
        reason: 'failed',
      }),
    )
    const event = await readFundingEvent(laterCharge.funding_ids[0])
    expect(event.amount).toBe(lines.reduce((total, line) => total + line.funding_amount, 0))
    expect(event).toMatchObject({ event_type: 'charge_deposit', payment_count: lines.length })
  })

  test('collects a reversal alone as a withdrawal', async () => {
    const account_id = await findAccountId(3)
    await simulateFunding(account_id, 'charge')
    const readPaidCharge = await createPaidPaymentReader(account_id, 'charge', {
      amount: 2_600,
      sandbox_outcome: 'reversed_customer_dispute',
    })
    await advanceClock(600)
    const { funding_ids } = await readPaidCharge()
    expect(await readFundingEvent(funding_ids[1])).toMatchObject({
      event_type: 'charge_reversal',
      direction: 'withdrawal',
      amount: -2_600,
    })
  })

  test('sends events for the funding event, each transition and its payments', async () => {
    const readSettledCharge = await createPaidPaymentReader(await findAccountId(4), 'charge')
    await advanceClock(200)
    const { id, funding_ids } = await readSettledCharge()
    await advanceClock(7 * 24 * 3_600)
    const listWebhookEvents = async (objectId: string | undefined) =>
      (
        await client().control<{ data: { type: string; payload: { data: FundingEvent } }[] }>(
          `events?object_id=${objectId}`,
        )
      ).data
    const webhookEvents = await listWebhookEvents(funding_ids[0])
    expect(webhookEvents.map(({ type, payload }) => [type, payload.data.status])).toEqual([
      ['funding_event.created.v1', 'created'],
      ['funding_event.event.v1', 'created'],
      ['funding_event.event.v1', 'pending'],
      ['funding_event.event.v1', 'paid'],
    ])
    expect(webhookEvents.at(-1)?.payload.data).toEqual(await readFundingEvent(funding_ids[0]))
    expect((await listWebhookEvents(id)).at(-1)).toMatchObject({
      type: 'charge.event.v1',
      payload: { data: { funding_ids } },
    })
  })
})

describe('simulate', () => {
  test('collects waiting payments at once, returns the ID, and is rejected if none wait', async () => {
    const account_id = await findAccountId(5)
    await simulateFunding(account_id, 'charge')
    const readUncollectedCharge = await createPaidPaymentReader(account_id, 'charge', {
      amount: 3_333,
    })
    await advanceClock(140)
    const simulateResponse = await simulateFunding(account_id, 'charge')
    expect(simulateResponse.status).toBe(201)
    const { id } = simulateResponse.json.data as { id: string }
    expect(simulateResponse.json.data).toEqual({ id })
    expect(await readUncollectedCharge()).toMatchObject({ funding_ids: [id] })
    expect(await client().effects(id)).toMatchObject([
      { operation: 'funding_events.simulate', target_id: id, from: '', to: 'created' },
    ])
    const repeatedSimulateResponse = await simulateFunding(account_id, 'charge', null)
    expect([repeatedSimulateResponse.status, repeatedSimulateResponse.json.error?.detail]).toEqual([
      422,
      expect.stringMatching(/^Nothing to fund/),
    ])
    await advanceClock(200)
    expect(await readUncollectedCharge()).toMatchObject({ funding_ids: [id] })
  })

  test('rejects a missing or unknown value', async () => {
    const account_id = await findAccountId(5)
    const missingHeaderResponse = await client().post('/v1/funding_events/simulate', {
      funding_event_job_type: 'charges',
    })
    expect([missingHeaderResponse.status, missingHeaderResponse.json.error?.items]).toMatchObject([
      400,
      [{ reference: 'Service-Account-Id' }],
    ])
    for (const [field, body] of [
      ['funding_event_job_type', {}],
      ['funding_event_job_type', { funding_event_job_type: 'refunds' }],
      ['sandbox_outcome', { funding_event_job_type: 'charges', sandbox_outcome: 'lost' }],
      ['amount', { funding_event_job_type: 'charges', amount: 1 }],
    ] as const) {
      const { status, json } = await client().post('/v1/funding_events/simulate', body, {
        'service-account-id': account_id,
      })
      expect([status, json.error?.items]).toMatchObject([422, [{ reference: field }]])
    }
  })

  test('does not exist in production', async () => {
    const { production } = process()
    if (!production) throw new Error('the process plays no production')
    const { status } = await new SandboxClient(production).post('/v1/funding_events/simulate', {
      funding_event_job_type: 'charges',
    })
    expect(status).toBe(403)
  })

  test.each(['charge', 'payout'] as const)(
    'moves a funding event of %ss to the end of each outcome, where it stays',
    async (type) => {
      const account_id = await findAccountId(type === 'charge' ? 6 : 7)
      await simulateFunding(account_id, type)
      const eventIdByOutcome = new Map<string, string>()
      for (const outcome of sandboxOutcomes) {
        await createPaidPaymentReader(account_id, type)
        await advanceClock(type === 'charge' ? 140 : 80)
        const { status, json } = await simulateFunding(account_id, type, outcome)
        expect([outcome, status]).toEqual([outcome, 201])
        eventIdByOutcome.set(outcome, (json.data as { id: string }).id)
      }
      await advanceClock(10 * 24 * 3_600)
      for (const outcome of sandboxOutcomes) {
        const { status_history, config } = await readFundingEvent(eventIdByOutcome.get(outcome))
        const { reason, source, code } = status_history.at(-1) ?? {}
        const joinedStatuses = status_history.map(({ status }) => status).join(' ')
        expect([outcome, joinedStatuses, reason, source, code]).toEqual([
          outcome,
          ...expectedStatusesByOutcome[outcome],
        ])
        expect(config).toEqual({ sandbox_outcome: outcome })
      }
    },
  )
})

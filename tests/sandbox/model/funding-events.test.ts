import fc from 'fast-check'
import { beforeAll, expect } from 'vitest'
import { fundingMachine } from '@/sandbox/funding/funding-event-moves'
import { testInFullRun } from '@/tests/sandbox/sample'
import { ObjectModel } from './object-model'
import { createModelTestData, type ModelTestData, startStoppedClockSandbox } from './open-world'
import { forcedEntriesByOutcome, type HistoryEntry } from './payment-oracle'
import { testSequences } from './sequences'
import type { MoveRequest, ServiceObject } from './subject'
import { MoveTally } from './tally'

const { client } = startStoppedClockSandbox()
const moveTally = new MoveTally()
let testData: ModelTestData | undefined
beforeAll(async () => {
  testData = await createModelTestData(client())
})

type FundingStart = { type: 'charge' | 'payout'; outcome: string; amount: number }
type FundingStep = 'simulate' | number

const startArbitrary: fc.Arbitrary<FundingStart> = fc.record({
  type: fc.constantFrom('charge', 'payout'),
  outcome: fc.constantFrom(...Object.keys(forcedEntriesByOutcome)),
  amount: fc.integer({ min: 1, max: 100_000 }),
})
const stepArbitrary: fc.Arbitrary<FundingStep> = fc.oneof(
  { weight: 1, arbitrary: fc.constant('simulate' as const) },
  { weight: 3, arbitrary: fc.constantFrom(1, 4, 5, 30, 60, 240, 86_400) },
)

/**
 * Seconds from the release of a payment until a funding event can collect its money: until a charge
 * is paid, and until a payout is sent.
 */
const secondsUntilFundable = { charge: 130, payout: 70 } as const

const readHistoryWithoutMessages = ({ status_history }: ServiceObject): HistoryEntry[] =>
  (status_history as (HistoryEntry & { message: string })[]).map(
    ({ message: _message, ...entry }) => entry,
  )

/**
 * Returns the next history entry of a funding event and its due time in milliseconds; undefined if
 * the status is final. The outcome may force an entry. With outcome `standard`, `paid` is due on
 * the morning of the transfer date, otherwise after a minute.
 */
function predictNextEntry(
  { status, transfer_date, status_details }: ServiceObject,
  outcome: string,
): { entry: Omit<HistoryEntry, 'changed_at'>; due: number } | undefined {
  const statusChangedMs = Date.parse((status_details as HistoryEntry).changed_at)
  const forcedEntry = forcedEntriesByOutcome[outcome]
  const buildDefaultEntry = (nextStatus: string) => ({
    status: nextStatus,
    reason: 'ok',
    source: 'system',
    code: null,
  })
  switch (status) {
    case 'created':
      return {
        entry: forcedEntry?.check ?? buildDefaultEntry('pending'),
        due: statusChangedMs + 5_000,
      }
    case 'pending': {
      const transferMorningMs =
        outcome === 'standard' ? Date.parse(`${transfer_date}T13:30:00Z`) : 0
      return {
        entry: forcedEntry?.pending ?? buildDefaultEntry('paid'),
        due: Math.max(statusChangedMs + 60_000, transferMorningMs),
      }
    }
    case 'paid':
      return forcedEntry?.paid && { entry: forcedEntry.paid, due: statusChangedMs + 240_000 }
    default:
      return undefined
  }
}

/** Returns the history that the funding event must have at `now` (milliseconds). */
function predictHistory(fundingEvent: ServiceObject, outcome: string, now: number): HistoryEntry[] {
  const nextEntryAndDue = predictNextEntry(fundingEvent, outcome)
  if (!nextEntryAndDue || nextEntryAndDue.due > now) return readHistoryWithoutMessages(fundingEvent)
  const nextHistoryEntry = {
    ...nextEntryAndDue.entry,
    changed_at: new Date(nextEntryAndDue.due).toISOString(),
  }
  const { status_history } = fundingEvent
  return predictHistory(
    {
      ...fundingEvent,
      status: nextHistoryEntry.status,
      status_details: nextHistoryEntry,
      status_history: [...(status_history as HistoryEntry[]), nextHistoryEntry],
    },
    outcome,
    now,
  )
}

const createSimulationSender = (
  { client, account }: ModelTestData,
  { type, outcome }: FundingStart,
): MoveRequest['send'] => {
  const simulationBody = { funding_event_job_type: `${type}s`, sandbox_outcome: outcome }
  return (key) =>
    client.post('/v1/funding_events/simulate', simulationBody, { ...account.headers, ...key })
}

/**
 * Creates a payment whose money waits for funding, then the funding event that collects the money.
 * Returns the model of the funding event.
 */
async function beginModel(modelTestData: ModelTestData, start: FundingStart): Promise<ObjectModel> {
  const { client, account, customer } = modelTestData
  const { type, amount } = start
  const payment = await client.control<{ id: string }>(`objects/${type}s`, {
    customer_id: customer,
    sandbox_outcome: 'paid',
    amount,
  })
  await client.put(`/v1/${type}s/${payment.id}/release`, {}, account.headers)
  await modelTestData.advance(secondsUntilFundable[type])
  const modelSubject = {
    client,
    table: fundingMachine,
    path: '/v1/funding_events/:id',
    resource: 'funding_event',
    tally: moveTally,
  }
  const sendSimulation: MoveRequest['send'] = async (key) => {
    const simulationResponse = await createSimulationSender(modelTestData, start)(key)
    const { id } = simulationResponse.json.data as { id: string }
    return {
      ...simulationResponse,
      json: {
        ...simulationResponse.json,
        data: (await client.ask(`/v1/funding_events/${id}`)).json.data,
      },
    }
  }
  const model = await ObjectModel.begin(modelSubject, 'funding_events.simulate', sendSimulation)
  expect(model.whole).toMatchObject({ status: 'created', amount, payment_count: 1 })
  // Repeat the request now. Later steps advance the clock by days, and an Idempotency-Key expires
  // after one day.
  await model.repeat()
  return model
}

testSequences(
  'funding events',
  { some: 8, all: 150 },
  { start: startArbitrary, step: stepArbitrary },
  async (overrides, steps) => {
    if (!testData) throw new Error('the world is made before the sequences')
    const model = await beginModel(testData, overrides)
    for (const step of steps) {
      if (step === 'simulate') {
        const emptySimulationResponse = await createSimulationSender(testData, overrides)({})
        expect([
          emptySimulationResponse.status,
          emptySimulationResponse.json.error?.detail,
        ]).toEqual([422, expect.stringMatching(/^Nothing to fund/)])
        await model.look((before, after) => expect(after).toEqual(before))
      } else {
        const sandboxTimeMs = await testData.advance(step)
        await model.look((before, after) => {
          const predictedHistory = predictHistory(before, overrides.outcome, sandboxTimeMs)
          expect([after.status, readHistoryWithoutMessages(after)]).toEqual([
            predictedHistory.at(-1)?.status,
            predictedHistory,
          ])
          for (const [place, { status }] of predictedHistory.entries()) {
            if (place < readHistoryWithoutMessages(before).length) continue
            moveTally.noteClock(fundingMachine, predictedHistory[place - 1]?.status ?? '', status)
            model.expectEvent(status)
          }
        })
      }
    }
    await model.finish()
  },
)

testInFullRun('the sequences cover every transition of the table', () => {
  expect(moveTally.missing(fundingMachine, undefined, ['moves'])).toEqual([])
})

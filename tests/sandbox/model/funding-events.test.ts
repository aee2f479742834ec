import fc from 'fast-check'
import { beforeAll, expect } from 'vitest'
import { fundingMachine } from '@/sandbox/funding/funding-event-moves'
import { fullTest } from '@/tests/sandbox/sample'
import { ObjectModel } from './object-model'
import { openWorld, startStoppedClockSandbox, type World } from './open-world'
import { type Entry, finalEntries } from './payment-oracle'
import { testSequences } from './sequences'
import type { MoveRequest, ServiceObject } from './subject'
import { Tally } from './tally'

const { client } = startStoppedClockSandbox()
const tally = new Tally()
let world: World | undefined
beforeAll(async () => {
  world = await openWorld(client())
})

type Start = { type: 'charge' | 'payout'; outcome: string; amount: number }
type Step = 'simulate' | number

const startArbitrary: fc.Arbitrary<Start> = fc.record({
  type: fc.constantFrom('charge', 'payout'),
  outcome: fc.constantFrom(...Object.keys(finalEntries)),
  amount: fc.integer({ min: 1, max: 100_000 }),
})
const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.constant('simulate' as const) },
  { weight: 3, arbitrary: fc.constantFrom(1, 4, 5, 30, 60, 240, 86_400) },
)

/** Seconds from a payment's release until its money can be collected: a charge's when it is paid, a payout's when it is sent. */
const secondsUntilMoved = { charge: 130, payout: 70 } as const

const readHistory = ({ status_history }: ServiceObject): Entry[] =>
  (status_history as (Entry & { message: string })[]).map(({ message: _message, ...entry }) => entry)

/**
 * Returns the next history entry and its due time in milliseconds: the forced move of the outcome, or the usual one. The usual last entry
 * is due on the morning of the transfer date.
 */
function predictNextEntry(
  { status, transfer_date, status_details }: ServiceObject,
  outcome: string,
): { entry: Omit<Entry, 'changed_at'>; due: number } | undefined {
  const since = Date.parse((status_details as Entry).changed_at)
  const forcedEntry = finalEntries[outcome]
  const defaultEntry = (to: string) => ({ status: to, reason: 'ok', source: 'system', code: null })
  switch (status) {
    case 'created':
      return { entry: forcedEntry?.check ?? defaultEntry('pending'), due: since + 5_000 }
    case 'pending': {
      const morningMs = outcome === 'standard' ? Date.parse(`${transfer_date}T13:30:00Z`) : 0
      return { entry: forcedEntry?.pending ?? defaultEntry('paid'), due: Math.max(since + 60_000, morningMs) }
    }
    case 'paid':
      return forcedEntry?.paid && { entry: forcedEntry.paid, due: since + 240_000 }
    default:
      return undefined
  }
}

/** Returns the history that the funding event must have at `now`. */
function predictHistory(event: ServiceObject, outcome: string, now: number): Entry[] {
  const nextEntry = predictNextEntry(event, outcome)
  if (!nextEntry || nextEntry.due > now) return readHistory(event)
  const entry = { ...nextEntry.entry, changed_at: new Date(nextEntry.due).toISOString() }
  const { status_history } = event
  return predictHistory(
    { ...event, status: entry.status, status_details: entry, status_history: [...(status_history as Entry[]), entry] },
    outcome,
    now,
  )
}

const createSimulateSend = ({ client, account }: World, { type, outcome }: Start): MoveRequest['send'] => {
  const body = { funding_event_job_type: `${type}s`, sandbox_outcome: outcome }
  return (key) => client.post('/v1/funding_events/simulate', body, { ...account.headers, ...key })
}

/** Creates a payment whose money waits for funding, and collects it into a funding event. */
async function beginModel(world: World, overrides: Start): Promise<ObjectModel> {
  const { client, account, customer } = world
  const { type, amount } = overrides
  const payment = await client.control<{ id: string }>(`objects/${type}s`, { customer_id: customer, sandbox_outcome: 'paid', amount })
  await client.put(`/v1/${type}s/${payment.id}/release`, {}, account.headers)
  await world.advance(secondsUntilMoved[type])
  const subject = { client, table: fundingMachine, path: '/v1/funding_events/:id', resource: 'funding_event', tally }
  const send: MoveRequest['send'] = async (key) => {
    const answer = await createSimulateSend(world, overrides)(key)
    const { id } = answer.json.data as { id: string }
    return { ...answer, json: { ...answer.json, data: (await client.ask(`/v1/funding_events/${id}`)).json.data } }
  }
  const model = await ObjectModel.begin(subject, 'funding_events.simulate', send)
  expect(model.whole).toMatchObject({ status: 'created', amount, payment_count: 1 })
  // Repeat the request now. Later steps advance the clock by days, and an Idempotency-Key expires after one.
  await model.repeat()
  return model
}

testSequences('funding events', { some: 8, all: 150 }, { start: startArbitrary, step: stepArbitrary }, async (overrides, steps) => {
  if (!world) throw new Error('the world is made before the sequences')
  const model = await beginModel(world, overrides)
  for (const one of steps) {
    if (one === 'simulate') {
      const answer = await createSimulateSend(world, overrides)({})
      expect([answer.status, answer.json.error?.detail]).toEqual([422, expect.stringMatching(/^Nothing to fund/)])
      await model.look((before, after) => expect(after).toEqual(before))
    } else {
      const now = await world.advance(one)
      await model.look((before, after) => {
        const predictedHistory = predictHistory(before, overrides.outcome, now)
        expect([after.status, readHistory(after)]).toEqual([predictedHistory.at(-1)?.status, predictedHistory])
        for (const [place, { status }] of predictedHistory.entries()) {
          if (place < readHistory(before).length) continue
          tally.noteClock(fundingMachine, predictedHistory[place - 1]?.status ?? '', status)
          model.expectEvent(status)
        }
      })
    }
  }
  await model.finish()
})

fullTest('the sequences cover every transition of the table', () => {
  expect(tally.missing(fundingMachine, undefined, ['moves'])).toEqual([])
})

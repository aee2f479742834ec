import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SqliteStore } from '@/sandbox/store/store'
import { openEventStores } from '@/tests/sandbox/event-stores'
import { DeliveryStore, readDeliveries, type WebhookMessage } from './delivery-store'
import { EventStore } from './event-store'

const startTime = Date.parse('2030-01-31T12:00:00Z')
const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const refusedOutcome = { status: 500, error: null, ms: 1 }
const receivedOutcome = { status: 204, error: null, ms: 1 }

const webhookUrl = 'http://127.0.0.1:1/hook'

let closeStores: () => void
let store: SqliteStore
let deliveries: DeliveryStore
let events: EventStore

beforeEach(() => {
  ;({ store, deliveries, events, close: closeStores } = openEventStores(webhookUrl))
})

afterEach(() => closeStores())

const recordChange = (id: string, at: number) =>
  store.transaction(() => events.changed({ resource: 'payout', accountId: 'a', data: { id } }, at))
const readDeliveryLog = () =>
  readDeliveries(store, { since: 0, state: null, objectId: null, limit: 1_000_000 })

function claimMessage(at: number): WebhookMessage {
  const message = deliveries.claim(at)
  if (!message) throw new Error(`nothing is due at ${at - startTime} ms`)
  return message
}

function failAttempt(at: number): WebhookMessage {
  const message = claimMessage(at)
  deliveries.settle(message, refusedOutcome, at)
  return message
}

describe('the schedule', () => {
  // Waits before the second to the eighth attempt. They are copied from the provider's
  // documentation, because values derived from the code under test would repeat its errors.
  const expectedRetryDelaysMs = [
    5 * secondMs,
    5 * minuteMs,
    30 * minuteMs,
    2 * hourMs,
    5 * hourMs,
    10 * hourMs,
    10 * hourMs,
  ]

  test('makes eight attempts under one ID, none too early, and then fails', () => {
    recordChange('p', startTime)
    let attemptTime = startTime
    const webhookIds = [failAttempt(attemptTime).webhookId]
    for (const wait of expectedRetryDelaysMs) {
      expect(deliveries.claim(attemptTime + wait - 1)).toBeUndefined()
      attemptTime += wait
      webhookIds.push(failAttempt(attemptTime).webhookId)
    }
    expect(new Set(webhookIds).size).toBe(1)
    expect(deliveries.claim(attemptTime + 30 * dayMs)).toBeUndefined()
    expect(readDeliveryLog()).toMatchObject([
      { id: webhookIds[0], state: 'failed', next_attempt_at: null },
    ])
    expect(readDeliveryLog()[0]?.attempts.map((attempt) => attempt.at - startTime)).toEqual([
      0,
      ...expectedRetryDelaysMs.map((_, index) =>
        expectedRetryDelaysMs.slice(0, index + 1).reduce((sum, wait) => sum + wait, 0),
      ),
    ])
  })

  test('ends with a success', () => {
    recordChange('p', startTime)
    failAttempt(startTime)
    deliveries.settle(
      claimMessage(startTime + 5 * secondMs),
      receivedOutcome,
      startTime + 5 * secondMs,
    )
    expect(readDeliveryLog()).toMatchObject([
      { state: 'delivered', next_attempt_at: null, attempts: [refusedOutcome, receivedOutcome] },
    ])
    expect(deliveries.claim(startTime + dayMs)).toBeUndefined()
  })

  test.each([199, 301, 302, 400, 410, 500])('a %i is not a success', (status) => {
    recordChange('p', startTime)
    deliveries.settle(claimMessage(startTime), { status, error: null, ms: 1 }, startTime)
    expect(readDeliveryLog()).toMatchObject([
      { state: 'pending', next_attempt_at: startTime + 5 * secondMs },
    ])
  })

  test.each([200, 204, 299])('a %i is a success', (status) => {
    recordChange('p', startTime)
    deliveries.settle(claimMessage(startTime), { status, error: null, ms: 1 }, startTime)
    expect(readDeliveryLog()).toMatchObject([{ state: 'delivered' }])
  })
})

describe('the next delivery', () => {
  test('is one at a time in order for each object, and other objects do not wait', () => {
    for (const id of ['p', 'p', 'q']) recordChange(id, startTime)
    const [first, other] = [claimMessage(startTime), claimMessage(startTime)]
    expect([first.objectId, other.objectId, deliveries.claim(startTime)]).toEqual([
      'p',
      'q',
      undefined,
    ])
    deliveries.settle(first, receivedOutcome, startTime)
    expect(claimMessage(startTime).seq).toBe(first.seq + 1)
  })

  test('released without a result is due again, without an attempt in its log', () => {
    recordChange('p', startTime)
    deliveries.release(claimMessage(startTime))
    expect(readDeliveryLog()).toMatchObject([{ state: 'pending', attempts: [] }])
    expect(claimMessage(startTime).objectId).toBe('p')
  })

  test('started by a former process is due again under the same ID', () => {
    recordChange('p', startTime)
    const claimedMessage = claimMessage(startTime)
    expect(new DeliveryStore(store, webhookUrl).claim(startTime)).toEqual(claimedMessage)
  })

  test('ignores a response to a message of a wiped platform', () => {
    recordChange('p', startTime)
    const messageBeforeForget = claimMessage(startTime)
    deliveries.forget()
    expect(claimMessage(startTime)).toEqual(messageBeforeForget)
    deliveries.settle(messageBeforeForget, receivedOutcome, startTime)
    expect(readDeliveryLog()).toMatchObject([{ state: 'pending', attempts: [] }])
  })
})

test('without an endpoint there are events but no deliveries', () => {
  const eventStoreWithoutEndpoint = new EventStore(store, new DeliveryStore(store), (data) => data)
  store.transaction(() =>
    eventStoreWithoutEndpoint.created(
      { resource: 'charge', accountId: 'a', data: { id: 'c' } },
      startTime,
    ),
  )
  expect(eventStoreWithoutEndpoint.read(0, null, 10).map(({ type }) => type)).toEqual([
    'charge.created.v1',
    'charge.event.v1',
  ])
  expect(readDeliveryLog()).toEqual([])
})

test('an event that is rolled back creates no delivery', () => {
  expect(() =>
    store.transaction(() => {
      events.changed({ resource: 'payout', accountId: 'a', data: { id: 'p' } }, startTime)
      throw new Error('no')
    }),
  ).toThrow('no')
  expect([events.read(0, null, 10), readDeliveryLog()]).toEqual([[], []])
})

describe('an endpoint that keeps failing', () => {
  const disableEndpoint = () => {
    recordChange('p', startTime)
    failAttempt(startTime)
    recordChange('q', startTime + 5 * dayMs - 1)
    for (const id of ['p', 'q']) expect(failAttempt(startTime + 5 * dayMs - 1).objectId).toBe(id)
    expect(deliveries.endpoint.disabled_at).toBeNull()
    recordChange('r', startTime + 5 * dayMs)
    failAttempt(startTime + 5 * dayMs)
  }

  test('is disabled after five days, and pending deliveries have failed', () => {
    disableEndpoint()
    expect(deliveries.endpoint).toEqual({
      failing_since: startTime,
      disabled_at: startTime + 5 * dayMs,
    })
    expect(readDeliveryLog().map(({ state }) => state)).toEqual(['failed', 'failed', 'failed'])
    recordChange('s', startTime + 6 * dayMs)
    expect(deliveries.claim(startTime + 6 * dayMs)).toBeUndefined()
    expect(readDeliveryLog().at(-1)).toMatchObject({
      object_id: 's',
      state: 'failed',
      attempts: [],
    })
  })

  test('can be enabled, and deliveries failed since a time are recovered with a new schedule', () => {
    disableEndpoint()
    recordChange('s', startTime + 6 * dayMs)
    deliveries.enable()
    const now = startTime + 7 * dayMs
    expect(deliveries.claim(now)).toBeUndefined()
    expect(deliveries.recover(startTime + 5 * dayMs, now)).toBe(2)
    expect([failAttempt(now).objectId, failAttempt(now).objectId, deliveries.claim(now)]).toEqual([
      'r',
      's',
      undefined,
    ])
    expect(readDeliveryLog().map(({ next_attempt_at }) => next_attempt_at)).toEqual([
      null,
      null,
      now + 5 * secondMs,
      now + 5 * secondMs,
    ])
  })

  test('stays disabled across a restart, and another URL is another endpoint', () => {
    disableEndpoint()
    expect(new DeliveryStore(store, webhookUrl).endpoint).toEqual(deliveries.endpoint)
    expect(new DeliveryStore(store, `${webhookUrl}/other`).endpoint).toEqual({
      failing_since: null,
      disabled_at: null,
    })
  })

  test('starts counting again after one success', () => {
    recordChange('p', startTime)
    failAttempt(startTime)
    deliveries.settle(claimMessage(startTime + 4 * dayMs), receivedOutcome, startTime + 4 * dayMs)
    recordChange('q', startTime + 6 * dayMs)
    failAttempt(startTime + 6 * dayMs)
    expect(deliveries.endpoint).toEqual({ failing_since: startTime + 6 * dayMs, disabled_at: null })
  })
})

test('a delivered message can be sent again under the same ID', () => {
  recordChange('p', startTime)
  const firstMessage = claimMessage(startTime)
  deliveries.settle(firstMessage, receivedOutcome, startTime)
  deliveries.resend(firstMessage.seq, startTime + dayMs)
  expect(claimMessage(startTime + dayMs)).toEqual(firstMessage)
})

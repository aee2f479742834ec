import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SqliteStore } from '@/sandbox/store/store'
import { openEventStores } from '@/tests/sandbox/event-stores'
import { DeliveryStore, type Message, readDeliveries } from './delivery-store'
import { EventStore } from './event-store'

const start = Date.parse('2030-01-31T12:00:00Z')
const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const refusedOutcome = { status: 500, error: null, ms: 1 }
const receivedOutcome = { status: 204, error: null, ms: 1 }

const url = 'http://127.0.0.1:1/hook'

let closeStores: () => void
let store: SqliteStore
let deliveries: DeliveryStore
let events: EventStore

beforeEach(() => {
  ;({ store, deliveries, events, close: closeStores } = openEventStores(url))
})

afterEach(() => closeStores())

const recordChange = (id: string, at: number) =>
  store.transaction(() => events.changed({ resource: 'payout', accountId: 'a', data: { id } }, at))
const readDeliveryLog = () =>
  readDeliveries(store, { since: 0, state: null, objectId: null, limit: 1_000_000 })

function claimMessage(at: number): Message {
  const message = deliveries.claim(at)
  if (!message) throw new Error(`nothing is due at ${at - start} ms`)
  return message
}

function failAttempt(at: number): Message {
  const message = claimMessage(at)
  deliveries.settle(message, refusedOutcome, at)
  return message
}

describe('the schedule', () => {
  // Waits before the second to the eighth attempt. They are copied from the provider's
  // documentation, because values derived from the code under test would repeat its errors.
  const expectedRetryWaits = [
    5 * second,
    5 * minute,
    30 * minute,
    2 * hour,
    5 * hour,
    10 * hour,
    10 * hour,
  ]

  test('makes eight attempts under one ID, none too early, and then fails', () => {
    recordChange('p', start)
    let attemptTime = start
    const ids = [failAttempt(attemptTime).webhookId]
    for (const wait of expectedRetryWaits) {
      expect(deliveries.claim(attemptTime + wait - 1)).toBeUndefined()
      attemptTime += wait
      ids.push(failAttempt(attemptTime).webhookId)
    }
    expect(new Set(ids).size).toBe(1)
    expect(deliveries.claim(attemptTime + 30 * day)).toBeUndefined()
    expect(readDeliveryLog()).toMatchObject([
      { id: ids[0], state: 'failed', next_attempt_at: null },
    ])
    expect(readDeliveryLog()[0]?.attempts.map((attempt) => attempt.at - start)).toEqual([
      0,
      ...expectedRetryWaits.map((_, index) =>
        expectedRetryWaits.slice(0, index + 1).reduce((sum, wait) => sum + wait, 0),
      ),
    ])
  })

  test('ends with a success', () => {
    recordChange('p', start)
    failAttempt(start)
    deliveries.settle(claimMessage(start + 5 * second), receivedOutcome, start + 5 * second)
    expect(readDeliveryLog()).toMatchObject([
      { state: 'delivered', next_attempt_at: null, attempts: [refusedOutcome, receivedOutcome] },
    ])
    expect(deliveries.claim(start + day)).toBeUndefined()
  })

  test.each([199, 301, 302, 400, 410, 500])('a %i is not a success', (status) => {
    recordChange('p', start)
    deliveries.settle(claimMessage(start), { status, error: null, ms: 1 }, start)
    expect(readDeliveryLog()).toMatchObject([
      { state: 'pending', next_attempt_at: start + 5 * second },
    ])
  })

  test.each([200, 204, 299])('a %i is a success', (status) => {
    recordChange('p', start)
    deliveries.settle(claimMessage(start), { status, error: null, ms: 1 }, start)
    expect(readDeliveryLog()).toMatchObject([{ state: 'delivered' }])
  })
})

describe('the next delivery', () => {
  test('is one at a time in order for each object, and other objects do not wait', () => {
    for (const id of ['p', 'p', 'q']) recordChange(id, start)
    const [first, other] = [claimMessage(start), claimMessage(start)]
    expect([first.objectId, other.objectId, deliveries.claim(start)]).toEqual(['p', 'q', undefined])
    deliveries.settle(first, receivedOutcome, start)
    expect(claimMessage(start).seq).toBe(first.seq + 1)
  })

  test('released without a result is due again, without an attempt in its log', () => {
    recordChange('p', start)
    deliveries.release(claimMessage(start))
    expect(readDeliveryLog()).toMatchObject([{ state: 'pending', attempts: [] }])
    expect(claimMessage(start).objectId).toBe('p')
  })

  test('started by a former process is due again under the same ID', () => {
    recordChange('p', start)
    const claimedMessage = claimMessage(start)
    expect(new DeliveryStore(store, url).claim(start)).toEqual(claimedMessage)
  })

  test('ignores a response to a message of a wiped platform', () => {
    recordChange('p', start)
    const oldMessage = claimMessage(start)
    deliveries.forget()
    expect(claimMessage(start)).toEqual(oldMessage)
    deliveries.settle(oldMessage, receivedOutcome, start)
    expect(readDeliveryLog()).toMatchObject([{ state: 'pending', attempts: [] }])
  })
})

test('without an endpoint there are events but no deliveries', () => {
  const storeWithoutEndpoint = new EventStore(store, new DeliveryStore(store), (data) => data)
  store.transaction(() =>
    storeWithoutEndpoint.created({ resource: 'charge', accountId: 'a', data: { id: 'c' } }, start),
  )
  expect(storeWithoutEndpoint.read(0, null, 10).map(({ type }) => type)).toEqual([
    'charge.created.v1',
    'charge.event.v1',
  ])
  expect(readDeliveryLog()).toEqual([])
})

test('an event that is rolled back creates no delivery', () => {
  expect(() =>
    store.transaction(() => {
      events.changed({ resource: 'payout', accountId: 'a', data: { id: 'p' } }, start)
      throw new Error('no')
    }),
  ).toThrow('no')
  expect([events.read(0, null, 10), readDeliveryLog()]).toEqual([[], []])
})

describe('an endpoint that keeps failing', () => {
  const disableEndpoint = () => {
    recordChange('p', start)
    failAttempt(start)
    recordChange('q', start + 5 * day - 1)
    for (const id of ['p', 'q']) expect(failAttempt(start + 5 * day - 1).objectId).toBe(id)
    expect(deliveries.endpoint.disabled_at).toBeNull()
    recordChange('r', start + 5 * day)
    failAttempt(start + 5 * day)
  }

  test('is disabled after five days, and pending deliveries have failed', () => {
    disableEndpoint()
    expect(deliveries.endpoint).toEqual({ failing_since: start, disabled_at: start + 5 * day })
    expect(readDeliveryLog().map(({ state }) => state)).toEqual(['failed', 'failed', 'failed'])
    recordChange('s', start + 6 * day)
    expect(deliveries.claim(start + 6 * day)).toBeUndefined()
    expect(readDeliveryLog().at(-1)).toMatchObject({
      object_id: 's',
      state: 'failed',
      attempts: [],
    })
  })

  test('can be enabled, and deliveries failed since a time are recovered with a new schedule', () => {
    disableEndpoint()
    recordChange('s', start + 6 * day)
    deliveries.enable()
    const now = start + 7 * day
    expect(deliveries.claim(now)).toBeUndefined()
    expect(deliveries.recover(start + 5 * day, now)).toBe(2)
    expect([failAttempt(now).objectId, failAttempt(now).objectId, deliveries.claim(now)]).toEqual([
      'r',
      's',
      undefined,
    ])
    expect(readDeliveryLog().map(({ next_attempt_at }) => next_attempt_at)).toEqual([
      null,
      null,
      now + 5 * second,
      now + 5 * second,
    ])
  })

  test('stays disabled across a restart, and another URL is another endpoint', () => {
    disableEndpoint()
    expect(new DeliveryStore(store, url).endpoint).toEqual(deliveries.endpoint)
    expect(new DeliveryStore(store, `${url}/other`).endpoint).toEqual({
      failing_since: null,
      disabled_at: null,
    })
  })

  test('starts counting again after one success', () => {
    recordChange('p', start)
    failAttempt(start)
    deliveries.settle(claimMessage(start + 4 * day), receivedOutcome, start + 4 * day)
    recordChange('q', start + 6 * day)
    failAttempt(start + 6 * day)
    expect(deliveries.endpoint).toEqual({ failing_since: start + 6 * day, disabled_at: null })
  })
})

test('a delivered message can be sent again under the same ID', () => {
  recordChange('p', start)
  const firstMessage = claimMessage(start)
  deliveries.settle(firstMessage, receivedOutcome, start)
  deliveries.resend(firstMessage.seq, start + day)
  expect(claimMessage(start + day)).toEqual(firstMessage)
})

import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SqliteStore } from '@/sandbox/store/store'
import { openEventStores } from '@/tests/sandbox/event-stores'
import { DeliveryStore } from './delivery-store'
import { deleteOldEvents, EventStore } from './event-store'

const startTime = Date.parse('2030-01-31T12:00:00Z')
const weekMs = 7 * 86_400_000

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
  events.changed({ resource: 'payout', accountId: 'a', data: { id } }, at)
const countRows = (table: string) =>
  store.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n

function deliverNextMessage(now: number, status: number): void {
  const message = deliveries.claim(now)
  if (message) deliveries.settle(message, { status, error: null, ms: 1 }, now)
}

function deleteAllOldEvents(now: number): void {
  let hasMore = true
  while (hasMore) hasMore = deleteOldEvents(store, now)
}

test('deletes events older than a week with their deliveries, and keeps undelivered ones', () => {
  recordChange('delivered', startTime)
  deliverNextMessage(startTime, 204)
  recordChange('owed', startTime)
  deliverNextMessage(startTime, 500)
  recordChange('new', startTime + 1)
  deleteAllOldEvents(startTime + weekMs)
  expect(countRows('events')).toBe(3)
  deleteAllOldEvents(startTime + weekMs + 1)
  expect(events.read(0, null, 10).map((event) => event.object_id)).toEqual(['owed', 'new'])
  expect([countRows('deliveries'), countRows('delivery_attempts')]).toEqual([2, 1])
  for (let n = 0; n < 2; n++) deliverNextMessage(startTime + weekMs, 204)
  deleteAllOldEvents(startTime + weekMs + 1)
  expect(events.read(0, null, 10).map((event) => event.object_id)).toEqual(['new'])
})

test('keeps the newest 20,000 events', () => {
  const eventStoreWithoutEndpoint = new EventStore(store, new DeliveryStore(store), (data) => data)
  store.transaction(() => {
    for (let n = 1; n <= 21_500; n++)
      eventStoreWithoutEndpoint.changed(
        { resource: 'payout', accountId: 'a', data: { id: `p${n}` } },
        startTime,
      )
  })
  deleteAllOldEvents(startTime)
  const remainingEvents = eventStoreWithoutEndpoint.read(0, null, 30_000)
  expect([
    remainingEvents.length,
    remainingEvents[0]?.object_id,
    remainingEvents.at(-1)?.object_id,
  ]).toEqual([20_000, 'p1501', 'p21500'])
})

import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SqliteStore } from '@/sandbox/store/store'
import { openEventStores } from '@/tests/sandbox/event-stores'
import { DeliveryStore } from './delivery-store'
import { deleteOldEvents, EventStore } from './event-store'

const start = Date.parse('2030-01-31T12:00:00Z')
const week = 7 * 86_400_000

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
  recordChange('delivered', start)
  deliverNextMessage(start, 204)
  recordChange('owed', start)
  deliverNextMessage(start, 500)
  recordChange('new', start + 1)
  deleteAllOldEvents(start + week)
  expect(countRows('events')).toBe(3)
  deleteAllOldEvents(start + week + 1)
  expect(events.read(0, null, 10).map((event) => event.object_id)).toEqual(['owed', 'new'])
  expect([countRows('deliveries'), countRows('delivery_attempts')]).toEqual([2, 1])
  for (let n = 0; n < 2; n++) deliverNextMessage(start + week, 204)
  deleteAllOldEvents(start + week + 1)
  expect(events.read(0, null, 10).map((event) => event.object_id)).toEqual(['new'])
})

test('keeps the newest 20,000 events', () => {
  const storeWithoutEndpoint = new EventStore(store, new DeliveryStore(store), (data) => data)
  store.transaction(() => {
    for (let n = 1; n <= 21_500; n++)
      storeWithoutEndpoint.changed(
        { resource: 'payout', accountId: 'a', data: { id: `p${n}` } },
        start,
      )
  })
  deleteAllOldEvents(start)
  const remainingEvents = storeWithoutEndpoint.read(0, null, 30_000)
  expect([
    remainingEvents.length,
    remainingEvents[0]?.object_id,
    remainingEvents.at(-1)?.object_id,
  ]).toEqual([20_000, 'p1501', 'p21500'])
})

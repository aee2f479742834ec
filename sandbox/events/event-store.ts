import { newId, type SqliteStore } from '@/sandbox/store/store'
import type { DeliveryStore } from './delivery-store'

/** Resources whose changes create events (provider-facts 4.1). */
export const eventResources = [
  'customer',
  'paykey',
  'charge',
  'payout',
  'funding_event',
  'account',
  'representative',
  'linked_bank_account',
  'capability_request',
] as const

export type EventResource = (typeof eventResources)[number]

/** An outbox: an event and its change are in one transaction, so neither is stored alone. */
export const eventsTableSql = `
CREATE TABLE IF NOT EXISTS events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, account_id TEXT, object_id TEXT NOT NULL,
  at INTEGER NOT NULL, payload TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS events_object ON events (object_id);`

/**
 * A stored event. `account_id` is null for a customer or paykey of the platform. `payload` is the
 * exact JSON text that is delivered.
 */
export type EventRow = {
  seq: number
  id: string
  type: string
  account_id: string | null
  object_id: string
  at: number
  payload: string
}

/** `accountId` is null if the platform of a marketplace owns the object. */
export type ObjectChange = {
  resource: EventResource
  accountId: string | null
  data: { id: string }
}

type EventDataConverter = (data: ObjectChange['data'], resource: EventResource) => object

export class EventStore {
  readonly #store: SqliteStore
  readonly #deliveries: DeliveryStore
  readonly #spoken: EventDataConverter

  constructor(store: SqliteStore, deliveries: DeliveryStore, toEventData: EventDataConverter) {
    this.#store = store
    this.#deliveries = deliveries
    this.#spoken = toEventData
  }

  /** Must run in the transaction that creates the resource. */
  created(change: ObjectChange, now: number): void {
    this.#write('created', change, now)
    this.#write('event', change, now)
  }

  changed(change: ObjectChange, now: number): void {
    this.#write('event', change, now)
  }

  read(afterSeq: number, objectId: string | null, limit: number): EventRow[] {
    return this.#store.all<EventRow>(
      'SELECT * FROM events WHERE seq > ?1 AND (?2 IS NULL OR object_id = ?2) ORDER BY seq LIMIT ?3',
      ...[afterSeq, objectId, limit],
    )
  }

  /**
   * Removes personal data from stored events after a permanent deletion, in its transaction.
   * Pending deliveries send the changed data. `change` gets the data in the dialect (wire format)
   * in which the event was written.
   */
  retell<Data extends object>(objectId: string, change: (data: Data) => object): void {
    const eventRows = this.#store.all<Pick<EventRow, 'seq' | 'payload'>>(
      'SELECT seq, payload FROM events WHERE object_id = ?',
      objectId,
    )
    for (const { seq, payload } of eventRows) {
      const storedPayload = JSON.parse(payload) as { data: Data }
      this.#store.run(
        'UPDATE events SET payload = ? WHERE seq = ?',
        JSON.stringify({ ...storedPayload, data: change(storedPayload.data) }),
        seq,
      )
    }
  }

  #write(
    eventKind: 'created' | 'event',
    { resource, accountId, data }: ObjectChange,
    now: number,
  ): void {
    const id = newId(now)
    const eventType = `${resource}.${eventKind}.v1`
    const payload = JSON.stringify({
      event_type: eventType,
      event_id: id,
      account_id: accountId,
      data: this.#spoken(data, resource),
    })
    this.#store.run(
      'INSERT INTO events (id, type, account_id, object_id, at, payload) VALUES (?, ?, ?, ?, ?, ?)',
      ...[id, eventType, accountId, data.id, now, payload],
    )
    this.#deliveries.addLast({ objectId: data.id, at: now })
  }
}

const weekMs = 7 * 86_400_000
const maxKeptEvents = 20_000
const deletionBatchSize = 1_000

/**
 * Keeps events with a pending delivery. Deletes at most 1,000 events per call, oldest first.
 * Returns true if there may be more.
 */
export function deleteOldEvents(store: SqliteStore, now: number): boolean {
  return store.transaction(() => {
    const oldEvents = store.all<{ seq: number }>(
      `SELECT e.seq FROM events e LEFT JOIN deliveries d ON d.seq = e.seq
       WHERE (e.at < ? OR e.seq <= (SELECT max(seq) FROM events) - ?) AND d.next_attempt_at IS NULL ORDER BY e.seq LIMIT ?`,
      ...[now - weekMs, maxKeptEvents, deletionBatchSize],
    )
    const oldEventSeqsJson = JSON.stringify(oldEvents.map(({ seq }) => seq))
    store.run(
      'DELETE FROM delivery_attempts WHERE delivery IN (SELECT value FROM json_each(?))',
      oldEventSeqsJson,
    )
    for (const table of ['deliveries', 'events'])
      store.run(
        `DELETE FROM ${table} WHERE seq IN (SELECT value FROM json_each(?))`,
        oldEventSeqsJson,
      )
    return oldEvents.length === deletionBatchSize
  })
}

import type { Store } from '@/sandbox/store/store'
import { type DeliveryState, eventIdOf, type Outcome, webhookIdOf } from './delivery-store'

/** One attempt; `at` is milliseconds on the sandbox's clock. */
export type Attempt = Outcome & { at: number }

/** A delivery in the log: `id` is the `webhook-id` the receiver gets, `at` the event's time. */
export type DeliveryEntry = {
  seq: number
  id: string
  event_type: string
  account_id: string
  object_id: string
  at: number
  state: DeliveryState
  next_attempt_at: number | null
  attempts: Attempt[]
}

/** Filter of the log: deliveries after number `since`, in a state, about an object. */
export type RequestedDelivery = { since: number; state: DeliveryState | null; objectId: string | null; limit: number }

type Row = Omit<DeliveryEntry, 'id' | 'attempts'> & { event_id: string; attempts: string }

/** Returns the matching deliveries and all their attempts, both oldest first. */
export function readDeliveries(store: Store, { since, state, objectId, limit }: RequestedDelivery): DeliveryEntry[] {
  const rows = store.all<Row>(
    `SELECT d.seq, e.id AS event_id, e.type AS event_type, e.account_id, d.object_id, e.at, d.state, d.next_attempt_at,
       (SELECT json_group_array(json_object('at', at, 'status', status, 'error', error, 'ms', ms))
        FROM (SELECT * FROM delivery_attempts WHERE delivery = d.seq ORDER BY n)) AS attempts
     FROM deliveries d JOIN events e ON e.seq = d.seq
     WHERE d.seq > ?1 AND (?2 IS NULL OR d.state = ?2) AND (?3 IS NULL OR d.object_id = ?3) ORDER BY d.seq LIMIT ?4`,
    ...[since, state, objectId, limit],
  )
  return rows.map(({ event_id, attempts, ...entry }) => ({
    ...entry,
    id: webhookIdOf(event_id),
    attempts: JSON.parse(attempts) as Attempt[],
  }))
}

/** Returns the number of the delivery with this `webhook-id`, or undefined. */
export const deliveryNumber = (store: Store, webhookId: string): number | undefined =>
  store.get<{ seq: number }>('SELECT d.seq FROM deliveries d JOIN events e ON e.seq = d.seq WHERE e.id = ?', eventIdOf(webhookId))?.seq

/** Returns the number of deliveries in each state; empty states are absent. */
export function countDeliveries(store: Store): Partial<Record<DeliveryState, number>> {
  const rows = store.all<{ state: DeliveryState; total: number }>('SELECT state, count(*) AS total FROM deliveries GROUP BY state')
  return Object.fromEntries(rows.map(({ state, total }) => [state, total]))
}

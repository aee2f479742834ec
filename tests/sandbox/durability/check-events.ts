import type { JournalRow } from '@/sandbox/http/journal'
import { findMissingEvents } from '@/tests/sandbox/expected-events'
import type { ListedEvent, ServiceConnectionPool } from './service-connection-pool'

type Deliveries = { deliveries: { pending: number; delivered: number; failed: number } }

/** Returns an error text for each journal row without its events, or without an event that has the row's status. */
export function findEventFaults(rows: readonly JournalRow[], events: readonly ListedEvent[]): string[] {
  const eventKeys = new Set(events.map(({ object_id, at, payload }) => `${object_id} ${at} ${String(payload.data.status)}`))
  const rowsWithoutStatusEvent = rows.filter(
    ({ target_id, at, to, operation }) => operation !== 'customers.delete' && !eventKeys.has(`${target_id} ${at} ${to}`),
  )
  return [
    ...findMissingEvents(rows, events),
    ...rowsWithoutStatusEvent.map(({ operation, target_id, to }) => `${operation} of ${target_id} made no event that says ${to}`),
  ]
}

export const countPendingDeliveries = async (service: ServiceConnectionPool): Promise<number> =>
  (await service.control<Deliveries>('webhooks')).deliveries.pending

/**
 * Returns an error text for each event that did not arrive, and for each arrived event that is not stored. The latter would belong to a
 * lost change.
 */
export function findDeliveryFaults(events: readonly ListedEvent[], arrived: ReadonlySet<string>): string[] {
  const eventIds = new Set(events.map(({ id }) => id))
  return [
    ...events.filter(({ id }) => !arrived.has(id)).map(({ id, type }) => `${type} ${id} never arrived`),
    ...[...arrived].filter((id) => !eventIds.has(id)).map((id) => `an event ${id} arrived that is not in the outbox`),
  ]
}

import type { JournalRow } from '@/sandbox/http/journal'
import { findMissingEvents } from '@/tests/sandbox/expected-events'
import type { ListedEvent, ServiceConnectionPool } from './service-connection-pool'

type DeliveryStatus = { deliveries: { pending: number; delivered: number; failed: number } }

/**
 * Returns an error text for each journal row (a logged change) whose events are missing, and for
 * each row without an event that has the new status of the row.
 */
export function findEventFaults(
  rows: readonly JournalRow[],
  events: readonly ListedEvent[],
): string[] {
  const eventKeys = new Set(
    events.map(({ object_id, at, payload }) => `${object_id} ${at} ${String(payload.data.status)}`),
  )
  const rowsWithoutStatusEvent = rows.filter(
    ({ target_id, at, to, operation }) =>
      operation !== 'customers.delete' && !eventKeys.has(`${target_id} ${at} ${to}`),
  )
  return [
    ...findMissingEvents(rows, events),
    ...rowsWithoutStatusEvent.map(
      ({ operation, target_id, to }) =>
        `${operation} of ${target_id} made no event that says ${to}`,
    ),
  ]
}

export const countPendingDeliveries = async (service: ServiceConnectionPool): Promise<number> =>
  (await service.control<DeliveryStatus>('webhooks')).deliveries.pending

/**
 * Returns an error text for each stored event that did not arrive, and for each arrived event that
 * is not stored. An event that is not stored would belong to a change that was lost.
 */
export function findDeliveryFaults(
  events: readonly ListedEvent[],
  arrivedEventIds: ReadonlySet<string>,
): string[] {
  const eventIds = new Set(events.map(({ id }) => id))
  return [
    ...events
      .filter(({ id }) => !arrivedEventIds.has(id))
      .map(({ id, type }) => `${type} ${id} never arrived`),
    ...[...arrivedEventIds]
      .filter((id) => !eventIds.has(id))
      .map((id) => `an event ${id} arrived that is not in the outbox`),
  ]
}

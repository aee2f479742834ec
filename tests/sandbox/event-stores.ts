import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DeliveryStore, deliveriesTableSql } from '@/sandbox/events/delivery-store'
import { EventStore, eventsTableSql } from '@/sandbox/events/event-store'
import { SqliteStore, settingsTableSql } from '@/sandbox/store/store'

/**
 * Opens the event store and the delivery store on a database in a temporary folder, which `close`
 * deletes.
 */
export function openEventStores(webhookUrl: string): {
  store: SqliteStore
  deliveries: DeliveryStore
  events: EventStore
  close: () => void
} {
  const folder = mkdtempSync(join(tmpdir(), 'sbx-'))
  const store = new SqliteStore(join(folder, 'events.db'))
  for (const table of [settingsTableSql, eventsTableSql, deliveriesTableSql]) store.exec(table)
  const deliveries = new DeliveryStore(store, webhookUrl)
  const closeStore = () => {
    store.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    store,
    deliveries,
    events: new EventStore(store, deliveries, (data) => data),
    close: closeStore,
  }
}

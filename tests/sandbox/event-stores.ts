import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DeliveryStore, deliveriesTable } from '@/sandbox/events/delivery-store'
import { EventStore, eventsTable } from '@/sandbox/events/event-store'
import { Store, settingsTable } from '@/sandbox/store/store'

/** Opens event and delivery stores on a database in a temporary folder, which `close` deletes. */
export function openEventStores(url: string): { store: Store; deliveries: DeliveryStore; events: EventStore; close: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'sbx-'))
  const store = new Store(join(folder, 'events.db'))
  for (const table of [settingsTable, eventsTable, deliveriesTable]) store.exec(table)
  const deliveries = new DeliveryStore(store, url)
  const close = () => {
    store.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { store, deliveries, events: new EventStore(store, deliveries, (data) => data), close }
}

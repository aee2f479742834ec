import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DeliveryBook, deliveriesTable } from '@/sandbox/events/delivery-book'
import { EventBook, eventsTable } from '@/sandbox/events/event-book'
import { settingsTable } from '@/sandbox/store/settings'
import { Store } from '@/sandbox/store/store'

/** The outbox and its deliveries over a store of their own in a temporary folder; `close` removes it. */
export function openEventBooks(url: string): { store: Store; book: DeliveryBook; events: EventBook; close: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'sbx-'))
  const store = new Store(join(folder, 'events.db'))
  for (const table of [settingsTable, eventsTable, deliveriesTable]) store.exec(table)
  const book = new DeliveryBook(store, url)
  const close = () => {
    store.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { store, book, events: new EventBook(store, book), close }
}

import type { Store } from './store'

/** Small named values that survive restarts, such as the clock's offset. */
export const settingsTable = 'CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;'

/** Returns the stored value, or undefined. */
export function readSetting(store: Store, name: string): string | undefined {
  return store.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', name)?.value
}

export function writeSetting(store: Store, name: string, value: string): void {
  store.run('INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value', name, value)
}

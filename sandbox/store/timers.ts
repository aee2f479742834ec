import type { Store } from './store'

/** What has to happen at a time of the sandbox's clock. One row for each kind and target: setting it again moves it. */
export const timersTable = `
CREATE TABLE IF NOT EXISTS timers (kind TEXT NOT NULL, target TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (kind, target)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS timers_at ON timers (at);`

/** A timer: `target` is an id or number in the kind's own terms, `at` milliseconds on the sandbox's clock. */
export type Timer = { kind: string; target: string; at: number }

/** The store's timers: they outlive a restart, and commit with the effect that set them. */
export class Timers {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  /** Sets the timer of a target, or moves it. Must run inside the transaction of what it belongs to. */
  set(kind: string, target: string | number, at: number): void {
    this.#store.run('INSERT OR REPLACE INTO timers (kind, target, at) VALUES (?, ?, ?)', kind, String(target), at)
  }

  /** Takes the timer of a target away, if there is one. */
  clear(kind: string, target: string | number): void {
    this.#store.run('DELETE FROM timers WHERE kind = ? AND target = ?', kind, String(target))
  }

  /** When the timer of a target is due, or undefined. */
  at(kind: string, target: string | number): number | undefined {
    return this.#store.get<{ at: number }>('SELECT at FROM timers WHERE kind = ? AND target = ?', kind, String(target))?.at
  }

  /** The timers that are due, earliest first. */
  due(now: number, limit: number): Timer[] {
    return this.#store.all<Timer>('SELECT kind, target, at FROM timers WHERE at <= ? ORDER BY at LIMIT ?', now, limit)
  }
}

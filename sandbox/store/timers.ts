import type { Store } from './store'

/** Actions due at a time of the sandbox's clock. One row per kind and target: setting a timer again moves it. */
export const timersTable = `
CREATE TABLE IF NOT EXISTS timers (kind TEXT NOT NULL, target TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (kind, target)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS timers_at ON timers (at);`

/** A timer: `target` is an id or number that depends on the kind, `at` is milliseconds on the sandbox's clock. */
export type Timer = { kind: string; target: string; at: number }

/** The store's timers: they survive a restart and commit with the change that set them. */
export class Timers {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  /** Sets or moves the timer of a target. Must run inside the transaction of its change. */
  set(kind: string, target: string | number, at: number): void {
    this.#store.run('INSERT OR REPLACE INTO timers (kind, target, at) VALUES (?, ?, ?)', kind, String(target), at)
  }

  clear(kind: string, target: string | number): void {
    this.#store.run('DELETE FROM timers WHERE kind = ? AND target = ?', kind, String(target))
  }

  /** Returns the due time of a target's timer, or undefined. */
  at(kind: string, target: string | number): number | undefined {
    return this.#store.get<{ at: number }>('SELECT at FROM timers WHERE kind = ? AND target = ?', kind, String(target))?.at
  }

  due(now: number, limit: number): Timer[] {
    return this.#store.all<Timer>('SELECT kind, target, at FROM timers WHERE at <= ? ORDER BY at LIMIT ?', now, limit)
  }
}

import { readSetting, type Store, writeSetting } from './store'

/**
 * The sandbox's adjustable clock. It starts at the machine's time or at `begin`, runs `speed` times as fast, and the control plane can set
 * it. Its offset from the machine's clock is stored, so that a restart does not undo an advance. While no process runs, it advances at
 * normal speed. API keys expire on the machine's clock instead.
 */
export class Clock {
  readonly #store: Store
  readonly #speed: number
  #base: { real: number; now: number }

  /**
   * With `speed` 60, an hour passes in a minute. `begin` is the first time of a new clock, in milliseconds since 1970; ignored if an offset
   * is stored.
   */
  constructor(store: Store, speed = 1, begin?: number) {
    this.#store = store
    this.#speed = speed
    const machineTime = Date.now()
    const offset = readSetting(store, 'clock_offset_ms') ?? (begin ?? machineTime) - machineTime
    this.#base = { real: machineTime, now: machineTime + Number(offset) }
    this.keep()
  }

  /** Returns the time in whole milliseconds since 1970. */
  now(): number {
    return this.#at(Date.now())
  }

  /** Current offset from the machine's clock in milliseconds. */
  get offset(): number {
    const real = Date.now()
    return this.#at(real) - real
  }

  /** Seconds on this clock per real second. */
  get speed(): number {
    return this.#speed
  }

  /** Sets the offset from the machine's clock in milliseconds. It may move the clock back. */
  shift(offset: number): void {
    const real = Date.now()
    this.#base = { real, now: real + offset }
    this.keep()
  }

  /**
   * Stores the offset. Call it regularly if `speed` is not 1. It stores the offset that the clock will have in `aheadMs` milliseconds: a
   * process killed before the next call then does not restart at an earlier time.
   */
  keep(aheadMs = 0): void {
    const gained = Math.max(0, aheadMs * (this.#speed - 1))
    writeSetting(this.#store, 'clock_offset_ms', String(Math.ceil(this.offset + gained)))
  }

  #at(real: number): number {
    return Math.floor(this.#base.now + (real - this.#base.real) * this.#speed)
  }
}

/** Returns ISO 8601 in UTC with milliseconds, the format of all times in the interface document's dialect. */
export const iso = (at: number): string => new Date(at).toISOString()

export const timesAt = (at: number) => ({ created_at: iso(at), updated_at: iso(at) })

export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at))

export const isoOrUndefined = (at: number | undefined): string | undefined => (at === undefined ? undefined : iso(at))

const newYorkFormat = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', year: 'numeric', month: '2-digit', day: '2-digit' })

/** Returns the calendar date in New York. Payment dates of the provider are in New York time. */
export const toPaymentDate = (at: number): string => newYorkFormat.format(at)

/** Returns the first millisecond of a date (`YYYY-MM-DD`) in New York, which is four or five hours behind UTC. */
export function startOfPaymentDate(date: string): number {
  const summerMidnight = Date.parse(`${date}T04:00:00Z`)
  return toPaymentDate(summerMidnight) === date ? summerMidnight : summerMidnight + 3_600_000
}

/** Table of timers, due at a time of the sandbox's clock. One row per kind and target: setting a timer again replaces it. */
export const timersTable = `
CREATE TABLE IF NOT EXISTS timers (kind TEXT NOT NULL, target TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (kind, target)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS timers_at ON timers (at);`

/** A timer. `target` is an id or number, depending on the kind. `at` is in milliseconds on the sandbox's clock. */
export type Timer = { kind: string; target: string; at: number }

/** A kind of timer and its delay `after` in milliseconds. */
export type TimerSpec = { kind: string; after: number }

/** Stored timers. They survive a restart, and are committed with the change that sets them. */
export class Timers {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  set(kind: string, target: string | number, at: number): void {
    this.#store.run('INSERT OR REPLACE INTO timers (kind, target, at) VALUES (?, ?, ?)', kind, String(target), at)
  }

  start({ kind, after }: TimerSpec, target: string | number, now: number): void {
    this.set(kind, target, now + after)
  }

  clear(kind: string, target: string | number): void {
    this.#store.run('DELETE FROM timers WHERE kind = ? AND target = ?', kind, String(target))
  }

  at(kind: string, target: string | number): number | undefined {
    return this.#store.get<{ at: number }>('SELECT at FROM timers WHERE kind = ? AND target = ?', kind, String(target))?.at
  }

  due(now: number, limit: number): Timer[] {
    return this.#store.all<Timer>('SELECT kind, target, at FROM timers WHERE at <= ? ORDER BY at LIMIT ?', now, limit)
  }
}

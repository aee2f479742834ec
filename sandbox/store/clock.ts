import { readSetting, type Store, writeSetting } from './store'

/**
 * The sandbox's time. It starts at the machine's clock or at `begin`, runs `speed` times as fast, and the control plane can move it. Its
 * offset from the machine's clock survives a restart, so a test that advanced 25 hours does not fall back. While no process runs, it
 * advances at the machine's pace. API keys expire by the machine's clock instead.
 */
export class Clock {
  readonly #store: Store
  readonly #speed: number
  #base: { real: number; now: number }

  /**
   * With `speed` 60 an hour passes in a minute. `begin` is the initial time of a clock that was never moved, in milliseconds since 1970.
   */
  constructor(store: Store, speed = 1, begin?: number) {
    this.#store = store
    this.#speed = speed
    const real = Date.now()
    const offset = readSetting(store, 'clock_offset_ms') ?? (begin ?? real) - real
    this.#base = { real, now: real + Number(offset) }
    this.keep()
  }

  /** Returns whole milliseconds since 1970. */
  now(): number {
    return this.#at(Date.now())
  }

  /** Offset from the machine's clock, in milliseconds. */
  get offset(): number {
    const real = Date.now()
    return this.#at(real) - real
  }

  /** Seconds on this clock per real second. */
  get speed(): number {
    return this.#speed
  }

  /** Sets the offset from the machine's clock, in milliseconds. Moving back is allowed. */
  shift(offset: number): void {
    const real = Date.now()
    this.#base = { real, now: real + offset }
    this.keep()
  }

  /**
   * Stores the offset; required regularly if `speed` is not 1. Stores it as it will be in `aheadMs` milliseconds, so that a process killed
   * before the next call does not restart at an earlier time.
   */
  keep(aheadMs = 0): void {
    const gained = Math.max(0, aheadMs * (this.#speed - 1))
    writeSetting(this.#store, 'clock_offset_ms', String(Math.ceil(this.offset + gained)))
  }

  #at(real: number): number {
    return Math.floor(this.#base.now + (real - this.#base.real) * this.#speed)
  }
}

/** Returns ISO 8601 in UTC with milliseconds, the only format the sandbox emits. */
export const iso = (at: number): string => new Date(at).toISOString()

export const timesAt = (at: number) => ({ created_at: iso(at), updated_at: iso(at) })

export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at))

export const isoOrUndefined = (at: number | undefined): string | undefined => (at === undefined ? undefined : iso(at))

const newYork = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', year: 'numeric', month: '2-digit', day: '2-digit' })

/** Returns the calendar date in New York, the meaning of `payment_date` at the provider. */
export const paymentDateOf = (at: number): string => newYork.format(at)

/** Returns the first millisecond of a `YYYY-MM-DD` date in New York, four or five hours behind UTC. */
export function startOfPaymentDate(date: string): number {
  const summer = Date.parse(`${date}T04:00:00Z`)
  return paymentDateOf(summer) === date ? summer : summer + 3_600_000
}

/** Actions due at a time of the sandbox's clock. One row per kind and target: setting a timer again moves it. */
export const timersTable = `
CREATE TABLE IF NOT EXISTS timers (kind TEXT NOT NULL, target TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (kind, target)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS timers_at ON timers (at);`

/** A timer: `target` is an id or number that depends on the kind, `at` is milliseconds on the sandbox's clock. */
export type Timer = { kind: string; target: string; at: number }

/** A kind of timer; it is due `after` milliseconds later. */
export type TimerSpec = { kind: string; after: number }

/** The store's timers: they survive a restart and commit with the change that set them. */
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

import { readSetting, type SqliteStore, writeSetting } from './store'

/**
 * The sandbox's clock, which the control plane can set. Its offset from the machine's clock is
 * stored, so that a restart does not undo a jump. While no process runs, it advances at normal
 * speed. API keys do not use this clock: they expire on the machine's.
 */
export class Clock {
  readonly #store: SqliteStore
  readonly #speed: number
  #base: { real: number; now: number }

  /** `begin` is in milliseconds since 1970, and ignored if an offset is already stored. */
  constructor(store: SqliteStore, speed = 1, begin?: number) {
    this.#store = store
    this.#speed = speed
    const machineTime = Date.now()
    const initialOffsetMs =
      readSetting(store, 'clock_offset_ms') ?? (begin ?? machineTime) - machineTime
    this.#base = { real: machineTime, now: machineTime + Number(initialOffsetMs) }
    this.keep()
  }

  /** Returns the time in whole milliseconds since 1970. */
  now(): number {
    return this.#at(Date.now())
  }

  /** Current offset from the machine's clock in milliseconds. */
  get offset(): number {
    const currentMachineTime = Date.now()
    return this.#at(currentMachineTime) - currentMachineTime
  }

  /** Seconds on this clock per real second. */
  get speed(): number {
    return this.#speed
  }

  /** Sets the offset in milliseconds. A smaller offset moves the clock back. */
  shift(offset: number): void {
    const machineTimeAtShift = Date.now()
    this.#base = { real: machineTimeAtShift, now: machineTimeAtShift + offset }
    this.keep()
  }

  /**
   * Stores the offset that the clock will have in `aheadMs` ms, so that a killed process does not
   * restart at an earlier time. If `speed` is not 1, call it again within this time.
   */
  keep(aheadMs = 0): void {
    const addedOffsetMs = Math.max(0, aheadMs * (this.#speed - 1))
    writeSetting(this.#store, 'clock_offset_ms', String(Math.ceil(this.offset + addedOffsetMs)))
  }

  #at(real: number): number {
    return Math.floor(this.#base.now + (real - this.#base.real) * this.#speed)
  }
}

/** Formats all times of the API's `document` dialect: UTC with milliseconds. */
export const toIsoTime = (at: number): string => new Date(at).toISOString()

export const makeTimestamps = (at: number) => ({
  created_at: toIsoTime(at),
  updated_at: toIsoTime(at),
})

export const toIsoTimeOrNull = (at: number | null): string | null =>
  at === null ? null : toIsoTime(at)

export const toIsoTimeOrUndefined = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : toIsoTime(at)

const newYorkFormat = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

/** Returns the calendar date in New York. Payment dates of the provider are in New York time. */
export const toPaymentDate = (at: number): string => newYorkFormat.format(at)

/**
 * Returns the time of midnight in New York, which is four hours behind UTC in summer and five in
 * winter.
 */
export function getPaymentDateStart(date: string): number {
  const summerMidnight = Date.parse(`${date}T04:00:00Z`)
  return toPaymentDate(summerMidnight) === date ? summerMidnight : summerMidnight + 3_600_000
}

/** There is one row per kind and target: setting a timer again replaces it. */
export const timersTableSql = `
CREATE TABLE IF NOT EXISTS timers (kind TEXT NOT NULL, target TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (kind, target)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS timers_at ON timers (at);`

/**
 * A stored timer. `target` identifies the object that it changes, for example by row number. `at`
 * is in milliseconds on the sandbox's clock.
 */
export type Timer = { kind: string; target: string; at: number }

/** The kind of a timer and its delay in milliseconds. */
export type TimerSpec = { kind: string; after: number }

/** Stored timers. They survive a restart, and are committed with the change that sets them. */
export class TimerStore {
  readonly #store: SqliteStore

  constructor(store: SqliteStore) {
    this.#store = store
  }

  set(kind: string, target: string | number, at: number): void {
    this.#store.run(
      'INSERT OR REPLACE INTO timers (kind, target, at) VALUES (?, ?, ?)',
      kind,
      String(target),
      at,
    )
  }

  start({ kind, after }: TimerSpec, target: string | number, now: number): void {
    this.set(kind, target, now + after)
  }

  clear(kind: string, target: string | number): void {
    this.#store.run('DELETE FROM timers WHERE kind = ? AND target = ?', kind, String(target))
  }

  at(kind: string, target: string | number): number | undefined {
    return this.#store.get<{ at: number }>(
      'SELECT at FROM timers WHERE kind = ? AND target = ?',
      kind,
      String(target),
    )?.at
  }

  due(now: number, limit: number): Timer[] {
    return this.#store.all<Timer>(
      'SELECT kind, target, at FROM timers WHERE at <= ? ORDER BY at LIMIT ?',
      now,
      limit,
    )
  }
}

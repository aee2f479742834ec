import { readSetting, writeSetting } from './settings'
import type { Store } from './store'

/**
 * The sandbox's time. It starts at the machine's clock or where it is told to, runs `speed` times as fast, and the control plane moves it. What
 * it gained over the machine's clock outlives a restart, so a test that went 25 hours ahead does not fall back; while no process runs it goes at the machine's
 * pace. API keys do not expire by it; they use the machine's clock.
 */
export class Clock {
  readonly #store: Store
  readonly #speed: number
  #base: { real: number; now: number }

  /** `speed` 60 lets an hour pass in a minute. `begin` is where a clock starts that was never moved, in milliseconds since 1970. */
  constructor(store: Store, speed = 1, begin?: number) {
    this.#store = store
    this.#speed = speed
    const real = Date.now()
    const offset = readSetting(store, 'clock_offset_ms') ?? (begin ?? real) - real
    this.#base = { real, now: real + Number(offset) }
    this.keep()
  }

  /** Milliseconds since 1970 on this clock, whole. */
  now(): number {
    return this.#at(Date.now())
  }

  /** How far it is ahead of the machine's clock, in milliseconds. */
  get offset(): number {
    const real = Date.now()
    return this.#at(real) - real
  }

  /** How many seconds pass on it in one. */
  get speed(): number {
    return this.#speed
  }

  /** Sets it ahead of the machine's clock by `offset` milliseconds. Moving back is allowed. */
  shift(offset: number): void {
    const real = Date.now()
    this.#base = { real, now: real + offset }
    this.keep()
  }

  /**
   * Writes down how far it is ahead; needed now and then while it runs at a pace of its own. `aheadMs` is how long that has to hold: it is
   * written as far ahead as it will be by then, so that a process that is killed in between does not start earlier than it ended.
   */
  keep(aheadMs = 0): void {
    const gained = Math.max(0, aheadMs * (this.#speed - 1))
    writeSetting(this.#store, 'clock_offset_ms', String(Math.ceil(this.offset + gained)))
  }

  #at(real: number): number {
    return Math.floor(this.#base.now + (real - this.#base.real) * this.#speed)
  }
}

/** ISO 8601 in UTC with milliseconds, the only form the sandbox emits. */
export const iso = (at: number): string => new Date(at).toISOString()

/** ISO 8601, or null for a time that is not set. */
export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at))

const newYork = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', year: 'numeric', month: '2-digit', day: '2-digit' })

/** The calendar date in New York, which is what `payment_date` means to the provider. */
export const paymentDateOf = (at: number): string => newYork.format(at)

/** The first millisecond of a `YYYY-MM-DD` date in New York, which is four or five hours behind UTC at that hour. */
export function startOfPaymentDate(date: string): number {
  const summer = Date.parse(`${date}T04:00:00Z`)
  return paymentDateOf(summer) === date ? summer : summer + 3_600_000
}

import { readSetting, writeSetting } from './settings'
import type { Store } from './store'

/**
 * The sandbox's time: the machine's clock plus an offset that the control plane moves. The offset outlives a restart,
 * so a test that went 25 hours ahead does not fall back. API keys do not expire by it; they use the machine's clock.
 */
export class Clock {
  readonly #store: Store
  #offset: number

  constructor(store: Store) {
    this.#store = store
    this.#offset = Number(readSetting(store, 'clock_offset_ms') ?? 0)
  }

  /** Milliseconds since 1970, offset included. */
  now(): number {
    return Date.now() + this.#offset
  }

  /** The offset in milliseconds. */
  get offset(): number {
    return this.#offset
  }

  /** Sets the offset in milliseconds. Moving back is allowed. */
  shift(offset: number): void {
    this.#offset = offset
    writeSetting(this.#store, 'clock_offset_ms', String(offset))
  }
}

/** ISO 8601 in UTC with milliseconds, the only form the sandbox emits. */
export const iso = (at: number): string => new Date(at).toISOString()

/** ISO 8601, or null for a time that is not set. */
export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at))

const newYork = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', year: 'numeric', month: '2-digit', day: '2-digit' })

/** The calendar date in New York, which is what `payment_date` means to the provider. */
export const paymentDateOf = (at: number): string => newYork.format(at)

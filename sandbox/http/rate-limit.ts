import { tooMany } from './problem'

/** Limits the requests per second of the machine's clock, for all keys and accounts of the platform together. */
export class RateLimit {
  readonly #standard: number | null
  #perSecond: number | null
  #window = 0
  #used = 0

  /** `standard` is the environment's default limit, null for none. */
  constructor(standard: number | null) {
    this.#standard = standard
    this.#perSecond = standard
  }

  /** Sets the limit; null removes it. */
  set(perSecond: number | null): void {
    this.#perSecond = perSecond
    this.#used = 0
  }

  reset(): void {
    this.set(this.#standard)
  }

  /** Counts one request. Throws a 429 if the current second is used up. */
  take(): void {
    if (this.#perSecond === null) return
    const window = Math.floor(Date.now() / 1000)
    if (window !== this.#window) this.#used = 0
    this.#window = window
    this.#used += 1
    if (this.#used > this.#perSecond) throw tooMany()
  }
}

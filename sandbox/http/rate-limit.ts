import { tooMany } from './problem'

/** How many requests per second of the machine's clock are let through, all keys and accounts of the platform together. */
export class RateLimit {
  readonly #standard: number | null
  #perSecond: number | null
  #window = 0
  #used = 0

  /** `standard` is the environment's own limit, null for none. */
  constructor(standard: number | null) {
    this.#standard = standard
    this.#perSecond = standard
  }

  /** Sets the limit; null lifts it. */
  set(perSecond: number | null): void {
    this.#perSecond = perSecond
    this.#used = 0
  }

  /** Goes back to the environment's own limit. */
  reset(): void {
    this.set(this.#standard)
  }

  /** Counts one request. Throws the 429 when the second is used up. */
  take(): void {
    if (this.#perSecond === null) return
    const window = Math.floor(Date.now() / 1000)
    if (window !== this.#window) this.#used = 0
    this.#window = window
    this.#used += 1
    if (this.#used > this.#perSecond) throw tooMany()
  }
}

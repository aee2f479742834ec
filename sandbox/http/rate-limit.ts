import { tooManyRequests } from './problem'

/**
 * Limits the requests per second, on the machine's clock. All keys and accounts of the platform
 * count together.
 */
export class RateLimit {
  readonly #standard: number | null
  #perSecond: number | null
  #window = 0
  #used = 0

  constructor(defaultPerSecond: number | null) {
    this.#standard = defaultPerSecond
    this.#perSecond = defaultPerSecond
  }

  set(perSecond: number | null): void {
    this.#perSecond = perSecond
    this.#used = 0
  }

  reset(): void {
    this.set(this.#standard)
  }

  take(): void {
    if (this.#perSecond === null) return
    const window = Math.floor(Date.now() / 1000)
    if (window !== this.#window) this.#used = 0
    this.#window = window
    this.#used += 1
    if (this.#used > this.#perSecond) throw tooManyRequests()
  }
}

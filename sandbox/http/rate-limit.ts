import { makeRateLimitProblem } from './problem'

/**
 * Limits the requests per second of the whole platform: the requests of all its API keys and
 * accounts count together. The seconds are those of the machine's clock, not of the sandbox's.
 */
export class RateLimiter {
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
    const currentSecond = Math.floor(Date.now() / 1000)
    if (currentSecond !== this.#window) this.#used = 0
    this.#window = currentSecond
    this.#used += 1
    if (this.#used > this.#perSecond) throw makeRateLimitProblem()
  }
}

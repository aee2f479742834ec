import { makeRateLimitProblem } from './problem'

/** On the machine's clock. All keys and accounts of the platform count together. */
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
    const currentSecond = Math.floor(Date.now() / 1000)
    if (currentSecond !== this.#window) this.#used = 0
    this.#window = currentSecond
    this.#used += 1
    if (this.#used > this.#perSecond) throw makeRateLimitProblem()
  }
}

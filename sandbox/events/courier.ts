import type { Clock } from '@/sandbox/store/clock'
import type { DeliveryStore, Message } from './delivery-store'
import type { Poster } from './poster'

const disabledLine = 'the webhook endpoint is disabled after five days of failures: POST /sandbox/webhooks/enable lets it be tried again'

const atOnce = 4

/**
 * Sends due messages, a few at a time, beside the requests that are served. An attempt is recorded after it was made: if the process dies
 * in between, it repeats the attempt under the same id after its next start.
 */
export class Courier {
  readonly #deliveries: DeliveryStore
  readonly #clock: Clock
  readonly #poster: Poster
  readonly #running = new Set<Promise<void>>()
  #stopping = false

  constructor(deliveries: DeliveryStore, clock: Clock, poster: Poster) {
    this.#deliveries = deliveries
    this.#clock = clock
    this.#poster = poster
    if (deliveries.endpoint.disabled_at !== null) console.error(disabledLine)
  }

  /** Sends due messages up to the concurrency limit. Called on every tick and after each attempt. */
  pump(): void {
    while (!this.#stopping && this.#running.size < atOnce) {
      const message = this.#deliveries.claim(this.#clock.now())
      if (!message) return
      const run = this.#deliver(message).then((kept) => {
        this.#running.delete(run)
        // If the outcome could not be stored, wait for the next tick: pumping now could loop forever.
        if (kept) this.pump()
      })
      this.#running.add(run)
    }
  }

  /** Aborts running attempts, which stay pending. Resolves when no more writes can follow. */
  async stop(): Promise<void> {
    this.#stopping = true
    await this.#poster.close()
    await Promise.all(this.#running)
  }

  async #deliver(message: Message): Promise<boolean> {
    const outcome = await this.#poster.post(message)
    try {
      // While stopping, a missing status is our own abort, not the receiver's failure.
      if (this.#stopping && outcome.status === null) return false
      const before = this.#deliveries.endpoint.disabled_at
      this.#deliveries.settle(message, outcome, this.#clock.now())
      if (before === null && this.#deliveries.endpoint.disabled_at !== null) console.error(disabledLine)
      return true
    } catch (error) {
      console.error('a delivery could not be kept', error instanceof Error ? error.stack : 'unknown error')
      return false
    } finally {
      this.#deliveries.release(message)
    }
  }
}

import type { Clock } from '@/sandbox/store/clock'
import type { DeliveryStore, Message } from './delivery-store'
import type { Poster } from './poster'

const disabledLine = 'the webhook endpoint is disabled after five days of failures: POST /sandbox/webhooks/enable lets it be tried again'

/** How many messages may be on their way at once. */
const atOnce = 4

/**
 * Takes messages that are due and has them posted, a few at a time, beside the requests that are served. An attempt is written down after it
 * was made: a process that dies in between makes it again after its next start, under the same id.
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

  /** Sends what is due, as far as there is room; asked on every tick, and automatically whenever an attempt has ended. */
  pump(): void {
    while (!this.#stopping && this.#running.size < atOnce) {
      const message = this.#deliveries.claim(this.#clock.now())
      if (!message) return
      const run = this.#deliver(message).then((kept) => {
        this.#running.delete(run)
        // After a failure to keep the outcome the next tick is soon enough: going on at once could turn in a circle.
        if (kept) this.pump()
      })
      this.#running.add(run)
    }
  }

  /** Cuts what is on its way, which stays pending, and resolves when nothing will be written any more. */
  async stop(): Promise<void> {
    this.#stopping = true
    await this.#poster.close()
    await Promise.all(this.#running)
  }

  async #deliver(message: Message): Promise<boolean> {
    const outcome = await this.#poster.post(message)
    try {
      // No status while stopping is our own cut, not the receiver's failure.
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

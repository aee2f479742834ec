import { Webhook } from 'standardwebhooks'
import { Agent, request } from 'undici'
import type { Clock } from '@/sandbox/store/clock'
import type { DeliveryStore, Message, Outcome } from './delivery-store'

export type Endpoint = { url: string; secret: string }

/** Time limit for a receiver's response in milliseconds, on the machine's clock (provider-facts 4.4). */
const responseTimeoutMs = 15_000

/** Bytes to read of a receiver's response, whose content is ignored. Reading it lets the connection be reused. */
const readAtMost = 65_536

const errorCodes: Readonly<Record<string, string>> = {
  TimeoutError: 'timeout',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_cut',
  EPIPE: 'connection_cut',
  UND_ERR_SOCKET: 'connection_cut',
  ENOTFOUND: 'unknown_host',
  EAI_AGAIN: 'unknown_host',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
}

/** Returns an error code for a request that got no response. Omits the error's message, which may contain the endpoint's URL. */
function toErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'failed'
  const code = 'code' in error ? String(error.code) : ''
  return errorCodes[error.name] ?? errorCodes[code] ?? 'failed'
}

/**
 * Posts messages to one endpoint, signed as Standard Webhooks defines. Timestamps are from the machine's clock, not the sandbox's
 * adjustable one, because receivers reject a timestamp that differs by minutes from their own clock.
 */
export class WebhookClient {
  readonly #url: string
  readonly #signer: Webhook
  readonly #timeout: number
  // Close an idle connection after a second. If the receiver closed it while a delivery begins, the delivery would fail.
  readonly #agent = new Agent({ keepAliveTimeout: 1_000, keepAliveMaxTimeout: 1_000 })

  /** Throws Error if the secret cannot be decoded. `timeout` is in milliseconds. */
  constructor({ url, secret }: Endpoint, timeout: number = responseTimeoutMs) {
    this.#url = url
    this.#signer = new Webhook(secret)
    this.#timeout = timeout
  }

  /** Sends a message once and returns the result. Never rejects. Does not follow redirects. */
  async post({ webhookId, payload }: Message): Promise<Outcome> {
    const startedAt = performance.now()
    const now = new Date()
    const headers = {
      'content-type': 'application/json',
      'webhook-id': webhookId,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': this.#signer.sign(webhookId, now, payload),
    }
    const makeOutcome = (status: number | null, error: string | null) => ({ status, error, ms: Math.round(performance.now() - startedAt) })
    try {
      const signal = AbortSignal.timeout(this.#timeout)
      const answer = await request(this.#url, { method: 'POST', headers, body: payload, dispatcher: this.#agent, signal })
      // Only the status counts. An error while reading the body is ignored.
      await answer.body.dump({ limit: readAtMost, signal }).catch(() => undefined)
      return makeOutcome(answer.statusCode, null)
    } catch (error) {
      return makeOutcome(null, toErrorCode(error))
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }
}

const disabledLine = 'the webhook endpoint is disabled after five days of failures: POST /sandbox/webhooks/enable lets it be tried again'

const maxConcurrent = 4

/**
 * Sends due messages, up to four at once, while the sandbox serves requests. An attempt is recorded after it ended. If the process dies
 * before that, the next start repeats the attempt with the same id.
 */
export class WebhookSender {
  readonly #deliveries: DeliveryStore
  readonly #clock: Clock
  readonly #poster: WebhookClient
  readonly #running = new Set<Promise<void>>()
  #stopping = false

  constructor(deliveries: DeliveryStore, clock: Clock, poster: WebhookClient) {
    this.#deliveries = deliveries
    this.#clock = clock
    this.#poster = poster
    if (deliveries.endpoint.disabled_at !== null) console.error(disabledLine)
  }

  pump(): void {
    while (!this.#stopping && this.#running.size < maxConcurrent) {
      const message = this.#deliveries.claim(this.#clock.now())
      if (!message) return
      const run = this.#deliver(message).then((isStored) => {
        this.#running.delete(run)
        // If the result could not be stored, wait for the next timer: an immediate retry could loop forever.
        if (isStored) this.pump()
      })
      this.#running.add(run)
    }
  }

  /** Aborts running attempts; their deliveries stay pending. Resolves when no more writes can follow. */
  async stop(): Promise<void> {
    this.#stopping = true
    await this.#poster.close()
    await Promise.all(this.#running)
  }

  async #deliver(message: Message): Promise<boolean> {
    const outcome = await this.#poster.post(message)
    try {
      // While stopping, a missing status comes from our own abort and is no failure of the receiver.
      if (this.#stopping && outcome.status === null) return false
      const disabledAtBefore = this.#deliveries.endpoint.disabled_at
      this.#deliveries.settle(message, outcome, this.#clock.now())
      if (disabledAtBefore === null && this.#deliveries.endpoint.disabled_at !== null) console.error(disabledLine)
      return true
    } catch (error) {
      console.error('a delivery could not be kept', error instanceof Error ? error.stack : 'unknown error')
      return false
    } finally {
      this.#deliveries.release(message)
    }
  }
}

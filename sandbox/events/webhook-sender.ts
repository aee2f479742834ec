import { Webhook } from 'standardwebhooks'
import { Agent, request } from 'undici'
import type { Clock } from '@/sandbox/store/clock'
import type { AttemptOutcome, DeliveryStore, WebhookMessage } from './delivery-store'

export type WebhookEndpoint = { url: string; secret: string }

/** Maximum wait for the receiver's response (provider-facts 4.4), on the machine's clock. */
const responseTimeoutMs = 15_000

/** The response's content is ignored, but reading it lets the connection be reused. */
const maxResponseBytes = 65_536

const errorCodeByName: Readonly<Record<string, string>> = {
  TimeoutError: 'timeout',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_cut',
  EPIPE: 'connection_cut',
  UND_ERR_SOCKET: 'connection_cut',
  ENOTFOUND: 'unknown_host',
  EAI_AGAIN: 'unknown_host',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
}

/** Omits the error's message, which may contain the endpoint's URL. */
function toDeliveryErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'failed'
  const code = 'code' in error ? String(error.code) : ''
  return errorCodeByName[error.name] ?? errorCodeByName[code] ?? 'failed'
}

/**
 * Signs messages as Standard Webhooks defines. Timestamps are from the machine's clock, because
 * receivers reject a timestamp that differs by minutes from their own clock.
 */
export class WebhookClient {
  readonly #url: string
  readonly #signer: Webhook
  readonly #timeout: number
  // Close an idle connection after a second, before the receiver does. A delivery fails if the
  // receiver closes the connection just as the delivery begins.
  readonly #agent = new Agent({ keepAliveTimeout: 1_000, keepAliveMaxTimeout: 1_000 })

  /** Throws Error if the secret cannot be decoded. `timeout` is in milliseconds. */
  constructor({ url, secret }: WebhookEndpoint, timeout: number = responseTimeoutMs) {
    this.#url = url
    this.#signer = new Webhook(secret)
    this.#timeout = timeout
  }

  /** Never rejects. Does not follow redirects. */
  async post({ webhookId, payload }: WebhookMessage): Promise<AttemptOutcome> {
    const startedAt = performance.now()
    const now = new Date()
    const headers = {
      'content-type': 'application/json',
      'webhook-id': webhookId,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': this.#signer.sign(webhookId, now, payload),
    }
    const makeOutcome = (status: number | null, error: string | null) => ({
      status,
      error,
      ms: Math.round(performance.now() - startedAt),
    })
    try {
      const signal = AbortSignal.timeout(this.#timeout)
      const response = await request(this.#url, {
        method: 'POST',
        headers,
        body: payload,
        dispatcher: this.#agent,
        signal,
      })
      // Only the status counts. An error while reading the body is ignored.
      await response.body.dump({ limit: maxResponseBytes, signal }).catch(() => undefined)
      return makeOutcome(response.statusCode, null)
    } catch (error) {
      return makeOutcome(null, toDeliveryErrorCode(error))
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }
}

const endpointDisabledText =
  'the webhook endpoint is disabled after five days of failures: POST /sandbox/webhooks/enable lets it be tried again'

const maxConcurrentDeliveries = 4

/**
 * Stores a result after the attempt ended. If the process dies before that, the next start repeats
 * the attempt with the same `webhook-id`.
 */
export class WebhookSender {
  readonly #deliveries: DeliveryStore
  readonly #clock: Clock
  readonly #poster: WebhookClient
  readonly #running = new Set<Promise<void>>()
  #stopping = false

  constructor(deliveries: DeliveryStore, clock: Clock, webhookClient: WebhookClient) {
    this.#deliveries = deliveries
    this.#clock = clock
    this.#poster = webhookClient
    if (deliveries.endpoint.disabled_at !== null) console.error(endpointDisabledText)
  }

  pump(): void {
    while (!this.#stopping && this.#running.size < maxConcurrentDeliveries) {
      const message = this.#deliveries.claim(this.#clock.now())
      if (!message) return
      const runningDelivery = this.#deliver(message).then((isStored) => {
        this.#running.delete(runningDelivery)
        // If the result could not be stored, wait for the next timer: an immediate retry could loop
        // forever.
        if (isStored) this.pump()
      })
      this.#running.add(runningDelivery)
    }
  }

  /** Running deliveries stay pending. Once resolved, the sender writes nothing to the database. */
  async stop(): Promise<void> {
    this.#stopping = true
    await this.#poster.close()
    await Promise.all(this.#running)
  }

  async #deliver(message: WebhookMessage): Promise<boolean> {
    const outcome = await this.#poster.post(message)
    try {
      // While stopping, a missing status comes from our own abort, not from the receiver.
      if (this.#stopping && outcome.status === null) return false
      const disabledAtBefore = this.#deliveries.endpoint.disabled_at
      this.#deliveries.settle(message, outcome, this.#clock.now())
      if (disabledAtBefore === null && this.#deliveries.endpoint.disabled_at !== null)
        console.error(endpointDisabledText)
      return true
    } catch (error) {
      console.error(
        'a delivery could not be kept',
        error instanceof Error ? error.stack : 'unknown error',
      )
      return false
    } finally {
      this.#deliveries.release(message)
    }
  }
}

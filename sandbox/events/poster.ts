import { Webhook } from 'standardwebhooks'
import { Agent, request } from 'undici'
import type { Message, Outcome } from './delivery-store'

/** Webhook endpoint and the `whsec_…` secret for its signatures. */
export type Endpoint = { url: string; secret: string }

/** Milliseconds a receiver has to respond, by the machine's clock (provider-facts 4.4). */
const answerWithin = 15_000

/** Bytes of a response to read so that the connection stays usable; the content is ignored. */
const readAtMost = 65_536

const words: Readonly<Record<string, string>> = {
  TimeoutError: 'timeout',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_cut',
  EPIPE: 'connection_cut',
  UND_ERR_SOCKET: 'connection_cut',
  ENOTFOUND: 'unknown_host',
  EAI_AGAIN: 'unknown_host',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
}

/** Returns one word for a missing response. Never the error's own text, which may contain the address. */
function wordOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed'
  const code = 'code' in error ? String(error.code) : ''
  return words[error.name] ?? words[code] ?? 'failed'
}

/**
 * Posts messages to one endpoint, signed per Standard Webhooks. The timestamp is from the machine's clock, not the movable one: receivers
 * reject a timestamp that differs by minutes from their own.
 */
export class Poster {
  readonly #url: string
  readonly #signer: Webhook
  readonly #timeout: number
  // Close idle connections early: a receiver that closes them after some seconds must not cause a failed delivery.
  readonly #agent = new Agent({ keepAliveTimeout: 1_000, keepAliveMaxTimeout: 1_000 })

  /** Throws Error if the secret cannot be decoded. `timeout` is in milliseconds. */
  constructor({ url, secret }: Endpoint, timeout: number = answerWithin) {
    this.#url = url
    this.#signer = new Webhook(secret)
    this.#timeout = timeout
  }

  /** Makes one attempt and returns its result. Never rejects; does not follow redirects. */
  async post({ webhookId, payload }: Message): Promise<Outcome> {
    const began = performance.now()
    const now = new Date()
    const headers = {
      'content-type': 'application/json',
      'webhook-id': webhookId,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': this.#signer.sign(webhookId, now, payload),
    }
    const ended = (status: number | null, error: string | null) => ({ status, error, ms: Math.round(performance.now() - began) })
    try {
      const signal = AbortSignal.timeout(this.#timeout)
      const answer = await request(this.#url, { method: 'POST', headers, body: payload, dispatcher: this.#agent, signal })
      // The status decides; an error while reading the body changes nothing.
      await answer.body.dump({ limit: readAtMost, signal }).catch(() => undefined)
      return ended(answer.statusCode, null)
    } catch (error) {
      return ended(null, wordOf(error))
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }
}

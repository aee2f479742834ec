import { Webhook } from 'standardwebhooks'
import { Agent, request } from 'undici'
import type { Message, Outcome } from './delivery-store'

/** Where webhooks go and the `whsec_…` secret they are signed with. */
export type Endpoint = { url: string; secret: string }

/** A receiver has so long to answer, by the machine's clock (provider-facts 4.4). */
const answerWithin = 15_000

/** As much of an answer is read as keeps the connection usable; nothing in it matters. */
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

/** One word for why there was no answer; never the error's own text, which may quote the address. */
function wordOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed'
  const code = 'code' in error ? String(error.code) : ''
  return words[error.name] ?? words[code] ?? 'failed'
}

/**
 * Posts messages to one endpoint, signed as Standard Webhooks has it. The timestamp is the machine's, not that of the movable clock, because
 * receivers refuse one that is minutes off their own.
 */
export class Poster {
  readonly #url: string
  readonly #signer: Webhook
  readonly #timeout: number
  // Idle connections are let go early, so that a receiver which closes them after some seconds does not turn a delivery into a failure.
  readonly #agent = new Agent({ keepAliveTimeout: 1_000, keepAliveMaxTimeout: 1_000 })

  /** Throws Error when the secret cannot be decoded. `timeout` in milliseconds. */
  constructor({ url, secret }: Endpoint, timeout: number = answerWithin) {
    this.#url = url
    this.#signer = new Webhook(secret)
    this.#timeout = timeout
  }

  /** Makes one attempt and tells how it ended. Never rejects; redirects are not followed. */
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
      // The status has decided; an answer that breaks off afterwards changes nothing.
      await answer.body.dump({ limit: readAtMost, signal }).catch(() => undefined)
      return ended(answer.statusCode, null)
    } catch (error) {
      return ended(null, wordOf(error))
    }
  }

  /** Cuts what is on its way and closes all connections. */
  async close(): Promise<void> {
    await this.#agent.destroy()
  }
}

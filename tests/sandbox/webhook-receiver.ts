import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

/** A received message: raw body, parsed event, and whether its signature is valid. */
export type ReceivedWebhook = {
  id: string
  headers: IncomingHttpHeaders
  body: string
  event: {
    event_type: string
    event_id: string
    /** Null for a customer or paykey of a marketplace's platform. */
    account_id: string | null
    data: Record<string, unknown> & { id: string; status?: string }
  }
  verified: boolean
}

/**
 * Reaction of the receiver to a request: responds with a status, does not respond, or closes the
 * connection.
 */
export type ReceiverReply = number | 'hang' | 'cut'

function isSignatureValid(secret: string, body: string, headers: IncomingHttpHeaders): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

function sendReply(response: ServerResponse, reply: ReceiverReply): void {
  if (reply === 'hang') return
  if (reply === 'cut') {
    response.destroy()
    return
  }
  const isRedirect = reply >= 300 && reply < 400
  response.writeHead(reply, isRedirect ? { location: '/elsewhere' } : {}).end()
}

export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = []
  reply: ReceiverReply = 204
  readonly url: string
  /** Flags that make a sandbox send its events here, signed with this receiver's secret. */
  readonly flags: readonly string[]
  readonly #folder = mkdtempSync(join(tmpdir(), 'webhook-'))
  readonly #server: Server
  #here = 0

  mostAtOnce = 0

  private constructor(server: Server, secret: string, port: number) {
    this.#server = server
    this.url = `http://127.0.0.1:${port}/hook`
    const secretFile = join(this.#folder, 'secret')
    writeFileSync(secretFile, `${secret}\n`, { mode: 0o600 })
    this.flags = ['--webhook', this.url, '--webhook-secret-file', secretFile]
    server.on('request', async (request, response) => {
      this.#here += 1
      this.mostAtOnce = Math.max(this.mostAtOnce, this.#here)
      response.once('close', () => {
        this.#here -= 1
      })
      const body = await text(request)
      const event = JSON.parse(body) as ReceivedWebhook['event']
      const { headers } = request
      this.received.push({
        id: String(headers['webhook-id']),
        headers,
        body,
        event,
        verified: isSignatureValid(secret, body, headers),
      })
      sendReply(response, request.url === '/hook' ? this.reply : 404)
    })
  }

  /** Opens a receiver that verifies signatures with `secret`. With `port` 0 it uses a free port. */
  static async open(secret: string, port = 0): Promise<WebhookReceiver> {
    const server = createServer()
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    return new WebhookReceiver(
      server,
      secret,
      typeof address === 'object' && address ? address.port : 0,
    )
  }

  about(objectId: string): ReceivedWebhook[] {
    return this.received.filter(({ event }) => event.data.id === objectId)
  }

  async close(): Promise<void> {
    rmSync(this.#folder, { recursive: true, force: true })
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

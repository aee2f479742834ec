import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

/** A message as it arrived: the bytes of its body, what the body says, and whether the signature was right. */
export type Received = {
  id: string
  headers: IncomingHttpHeaders
  body: string
  event: { event_type: string; event_id: string; account_id: string; data: Record<string, unknown> & { id: string; status?: string } }
  verified: boolean
}

/** How the receiver answers: a status, no answer at all, or a line it cuts. */
export type Reply = number | 'hang' | 'cut'

function verified(secret: string, body: string, headers: IncomingHttpHeaders): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

function answer(response: ServerResponse, reply: Reply): void {
  if (reply === 'hang') return
  if (reply === 'cut') {
    response.destroy()
    return
  }
  const redirect = reply >= 300 && reply < 400
  response.writeHead(reply, redirect ? { location: '/elsewhere' } : {}).end()
}

/** A real receiver of webhooks on a free port of this machine. */
export class WebhookReceiver {
  readonly received: Received[] = []
  /** How it answers from now on. */
  reply: Reply = 204
  /** Where messages are to be sent. */
  readonly url: string
  /** What tells a sandbox to send here, signed with this receiver's secret. */
  readonly flags: readonly string[]
  readonly #folder = mkdtempSync(join(tmpdir(), 'webhook-'))
  readonly #server: Server
  #here = 0

  /** How many messages were here at once, at most. */
  mostAtOnce = 0

  private constructor(server: Server, secret: string, port: number) {
    this.#server = server
    this.url = `http://127.0.0.1:${port}/hook`
    const file = join(this.#folder, 'secret')
    writeFileSync(file, `${secret}\n`, { mode: 0o600 })
    this.flags = ['--webhook', this.url, '--webhook-secret-file', file]
    server.on('request', async (request, response) => {
      this.#here += 1
      this.mostAtOnce = Math.max(this.mostAtOnce, this.#here)
      response.once('close', () => {
        this.#here -= 1
      })
      const body = await text(request)
      const event = JSON.parse(body) as Received['event']
      const { headers } = request
      this.received.push({ id: String(headers['webhook-id']), headers, body, event, verified: verified(secret, body, headers) })
      answer(response, request.url === '/hook' ? this.reply : 404)
    })
  }

  /** Opens one; `port` 0 takes a free one. `secret` is what it verifies with. */
  static async open(secret: string, port = 0): Promise<WebhookReceiver> {
    const server = createServer()
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    return new WebhookReceiver(server, secret, typeof address === 'object' && address ? address.port : 0)
  }

  /** What arrived about one object. */
  about(objectId: string): Received[] {
    return this.received.filter(({ event }) => event.data.id === objectId)
  }

  /** Closes the port and every connection. */
  async close(): Promise<void> {
    rmSync(this.#folder, { recursive: true, force: true })
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

import 'server-only'
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import next from 'next'
import { addressHeader, clientAddress } from '@/lib/server/client-address'
import { env } from '@/lib/server/env'
import { lastWrites } from '@/lib/server/last-writes'
import { type Refusal, refusal } from './admission'
import { GuardedResponse } from './guarded-response'
import { responseHeaders } from './response-headers'

const limits = {
  /** Time for the request line and all headers: 16 kB come in a blink, and who sends them slowly only holds a connection (milliseconds). */
  headersTimeout: 15_000,
  /** Time for a whole request: a little more than an upload is given by its own reader, which can say why (milliseconds). */
  requestTimeout: 150_000,
  connectionsCheckingInterval: 5000,
  /** Longer than a load balancer keeps its connections, so that it is never we who close under its request (milliseconds). */
  keepAliveTimeout: 75_000,
  maxHeaderSize: 16_384,
}

/**
 * What only a proxy or the framework itself may say. None of ours reads the first four, and the rest steer Next from within: a client's own must
 * not come through.
 */
const privateHeaders =
  /^(?:x-forwarded-(?:host|proto|port|for)|forwarded|x-middleware-.*|x-nonce|content-security-policy(?:-report-only)?|next-action)$/

/** Marks the request with the client's address as we know it and takes away what a client may not say. */
function cleanHeaders({ headers, socket }: IncomingMessage): void {
  const address = clientAddress(socket.remoteAddress, String(headers['x-forwarded-for'] ?? ''), env().trustedProxies)
  for (const name of Object.keys(headers)) if (privateHeaders.test(name) || name === addressHeader) delete headers[name]
  if (address) headers[addressHeader] = address
}

function refuse(response: ServerResponse, { status, detail, headers = {} }: Refusal): void {
  // The rest of such a request is of no interest, so the connection is not kept for it.
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close', ...headers }).end(`${detail}\n`)
}

/** Answers where there is no response to write to, and closes. Node's own words for it carry no headers of ours. */
function answerRaw(socket: Duplex, status: number): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const headers = { ...responseHeaders, Connection: 'close', 'Content-Length': '0' }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, '', ''].join('\r\n'), () => socket.destroy())
}

/** What came is no HTTP, or did not come in time. */
function answerBroken({ code = '' }: NodeJS.ErrnoException, socket: Duplex, answered: boolean): void {
  if (code === 'ECONNRESET' || answered) socket.destroy()
  else answerRaw(socket, { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[code] ?? 400)
}

/** How long the rest of a body is waited for once its request is answered (milliseconds): long enough for a sender to come to hear the answer. */
const restWithin = 10_000

/** Closes the connection of a request that was answered before its body had come, unless the rest of it comes soon. */
function endWithBody(request: IncomingMessage): void {
  if (request.complete) return
  const late = setTimeout(() => request.complete || request.socket.destroy(), restWithin)
  request.once('close', () => clearTimeout(late))
}

/** The answers that are under way, by the connection they go out on. */
type UnderWay = Map<Duplex, ServerResponse>

/** Ends the process once what is being answered has been answered; connections that only wait are closed at once. */
function endOnSignal(server: Server, underWay: UnderWay, close: () => Promise<void>): void {
  const end = () => {
    server.close(() =>
      close()
        .then(lastWrites)
        .finally(() => process.exit(0)),
    )
    for (const response of underWay.values()) {
      if (!response.headersSent) response.setHeader('Connection', 'close')
      response.once('close', () => server.closeIdleConnections())
    }
  }
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
}

/** Where the dashboard listens; `dev` compiles pages as they are asked for. */
export type Listen = { host: string; port: number; dev: boolean }

/**
 * Starts the dashboard: Next behind an HTTP server of our own, which bounds how long a request may take to arrive, lets through only what
 * `refusal` lets, puts the client's address where nobody can forge it, and adds our headers to every answer. It resolves when it listens.
 */
export async function serve({ host, port, dev }: Listen): Promise<void> {
  const server = createServer({ ...limits, ServerResponse: GuardedResponse })
  // Only the development build speaks WebSocket. Given another server to listen on, Next leaves upgrades of ours alone, and Node ignores them.
  const app = next({ dev, hostname: host, port, httpServer: dev ? server : createServer() })
  await app.prepare()
  const handle = app.getRequestHandler()
  const admission = { appOrigin: env().appOrigin, port, dev }
  const underWay: UnderWay = new Map()
  server.on('request', (request, response) => {
    underWay.set(request.socket, response)
    response.once('close', () => underWay.delete(request.socket))
    response.once('finish', () => endWithBody(request))
    const refused = refusal(request, admission)
    if (refused) return refuse(response, refused)
    cleanHeaders(request)
    return handle(request, response)
  })
  server.on('connect', (_request, socket) => answerRaw(socket, 405))
  server.on('clientError', (error, socket) => answerBroken(error, socket, underWay.get(socket)?.headersSent ?? false))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  endOnSignal(server, underWay, () => app.close())
}

import 'server-only'
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Duplex } from 'node:stream'
import next from 'next'
import { isApiPath, isProbePath } from '@/lib/routes'
import { addressHeader, clientAddress } from '@/lib/server/audit/client'
import { env, tellNext, tellNextAuth, times } from '@/lib/server/config/env'
import { loopbackNames } from '@/lib/server/config/setting-forms'
import { logConsole } from '@/lib/server/log-console'
import { endOnSignal } from './stop'

/** Which requests get through to the application. `port` is the one that is listened on. */
type Admission = { appOrigin: string; port: number; dev: boolean }

/** Why a request does not get through; `detail` is one line for whoever reads the answer. */
type Refusal = { status: number; detail: string; headers?: Record<string, string> }

const apiMethods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']
const pageMethods = ['GET', 'HEAD']

/** The path of a request line; null where it is none (`*`, an absolute address) or holds an escape that is none, on which Next answers 500. */
function pathOf(url = ''): string | null {
  const [path = ''] = url.split('?')
  try {
    return path.startsWith('/') && !path.startsWith('//') && decodeURIComponent(path) ? path : null
  } catch {
    return null
  }
}

/**
 * Whether a Host is ours: that of APP_ORIGIN, or a loopback name with our port, as a proxy on the same machine and a person at it write. A page
 * of another site whose name was pointed at our address (DNS rebinding) carries its own name here.
 */
function isOwnHost(hosts: readonly string[] | undefined, { appOrigin, port }: Pick<Admission, 'appOrigin' | 'port'>): boolean {
  const [host = '', ...others] = hosts ?? []
  const { protocol, host: own } = new URL(appOrigin)
  if (others.length > 0 || !/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`${protocol}//${host}`)) return false
  if (new URL(`${protocol}//${host}`).host === own) return true
  const direct = new URL(`http://${host}`)
  return loopbackNames.has(direct.hostname) && Number(direct.port || 80) === port
}

const methodRefused = (allowed: string[]): Refusal => ({
  status: 405,
  detail: `This address takes ${allowed.join(', ')}`,
  headers: { Allow: allowed.join(', ') },
})

/**
 * Pages are read and nothing else. A method or a body more would only reach the framework's decoders for features we do not have. A form sent
 * before its script has started is shown its page again.
 */
function refusedOfPage({ method = '', url = '', headers }: IncomingMessage): Refusal | null {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')
  if (method === 'POST' && isForm) return { status: 303, detail: 'Reload the page', headers: { Location: url } }
  if (!pageMethods.includes(method)) return methodRefused(pageMethods)
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  return hasBody ? { status: 400, detail: 'A page takes no body' } : null
}

/**
 * Decides from the request line and the Host alone whether a request gets through; null lets it. What load balancers and monitors ask is open to every
 * Host: they name the machine, and no page of another site learns anything of use there.
 */
function refusal(request: IncomingMessage, admission: Admission): Refusal | null {
  const { method = '', url } = request
  const path = pathOf(url)
  if (!apiMethods.includes(method)) return methodRefused(apiMethods)
  if (path === null) return { status: 400, detail: 'The address is not valid: write it as /path, with every % followed by two hex digits' }
  if (!isProbePath(path) && !isOwnHost(request.headersDistinct.host, admission)) {
    return { status: 421, detail: 'Paydesk does not answer under this name: use the address in APP_ORIGIN' }
  }
  if (isApiPath(path) || (admission.dev && path.startsWith('/__nextjs'))) return null
  return refusedOfPage(request)
}

/** What an answer that is not a page may do when somebody opens it as one: nothing. Pages have a policy of their own, with a nonce. */
const nothing = "default-src 'none'; frame-ancestors 'none'; sandbox"

/**
 * The headers of every answer, whoever makes it: page, redirect, file, API and refusal. Our HTTP server adds those that an answer does not have,
 * so what wants another value (a page's policy, the cache life of built files) sets it and nobody else repeats these.
 */
const responseHeaders: Readonly<Record<string, string>> = {
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
  'Cache-Control': 'private, no-store',
  'Content-Security-Policy': nothing,
}

/** An answer that cannot leave without our headers: what nobody has set by the time the head is written is added there. */
class GuardedResponse extends ServerResponse<IncomingMessage> {
  override writeHead(status: number, headers?: OutgoingHttpHeaders | OutgoingHttpHeader[]): this
  override writeHead(status: number, message?: string, headers?: OutgoingHttpHeaders | OutgoingHttpHeader[]): this
  override writeHead(...args: [number, ...never[]]): this {
    for (const [name, value] of Object.entries(responseHeaders)) if (!this.hasHeader(name)) this.setHeader(name, value)
    return super.writeHead(...args)
  }
}

const limits = () => ({
  /** For the request line and all headers: 16 kB come in a blink, and who sends them slowly only holds a connection. */
  headersTimeout: times().requestStart.headers,
  /** Time for a whole request: a little more than an upload is given by its own reader, which can say why (milliseconds). */
  requestTimeout: 150_000,
  connectionsCheckingInterval: times().requestStart.check,
  /** Longer than a load balancer keeps an idle connection (Google's up to 600 s), so that it is never we who close under its request (milliseconds). */
  keepAliveTimeout: 620_000,
  maxHeaderSize: 16_384,
})

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

/** Closes the connection of a request that was answered before its body had come, unless the rest of it comes soon: its sender is to hear the answer. */
function endWithBody(request: IncomingMessage): void {
  if (request.complete) return
  const late = setTimeout(() => request.complete || request.socket.destroy(), times().requestBody.rest)
  request.once('close', () => clearTimeout(late))
}

/** The address on which the dashboard listens, and the folder of its built pages. `dev` compiles a page at its first request. */
type Listen = { host: string; port: number; dev: boolean; pages?: string }

/**
 * Starts the dashboard: Next behind an HTTP server of our own, which bounds how long a request may take to arrive, lets through only what
 * `refusal` lets, puts the client's address where nobody can forge it, and adds our headers to every answer. It resolves when it listens.
 */
export async function serve({ host, port, dev, pages }: Listen): Promise<void> {
  if (!dev) logConsole()
  if (pages) tellNext(pages)
  const server = createServer({ ...limits(), ServerResponse: GuardedResponse })
  tellNextAuth()
  // Only the development build speaks WebSocket. Given another server to listen on, Next leaves upgrades of ours alone, and Node ignores them.
  const app = next({ dev, hostname: host, port, httpServer: dev ? server : createServer() })
  await app.prepare()
  const handle = app.getRequestHandler()
  const admission = { appOrigin: env().appOrigin, port, dev }
  const isAnswered = endOnSignal(server, () => app.close())
  server.on('request', (request, response) => {
    // A stopping process has turned it away.
    if (request.socket.destroyed) return
    response.once('finish', () => endWithBody(request))
    const refused = refusal(request, admission)
    if (refused) return refuse(response, refused)
    cleanHeaders(request)
    return handle(request, response)
  })
  server.on('connect', (_request, socket) => answerRaw(socket, 405))
  server.on('clientError', (error, socket) => answerBroken(error, socket, isAnswered(socket)))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
}

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

/** Settings that decide which requests are accepted. `port` is the listening port. */
type Admission = { appOrigin: string; port: number; dev: boolean }

/** Response to a rejected request. `detail` is one line of text for a person. */
type Refusal = { status: number; detail: string; headers?: Record<string, string> }

const apiMethods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']
const pageMethods = ['GET', 'HEAD']

/**
 * Returns the path of a request line. Null if there is none (`*`, an absolute address) or it has an invalid escape, for which Next returns
 * 500.
 */
function pathOf(url = ''): string | null {
  const [path = ''] = url.split('?')
  try {
    return path.startsWith('/') && !path.startsWith('//') && decodeURIComponent(path) ? path : null
  } catch {
    return null
  }
}

/**
 * True if the Host is that of APP_ORIGIN, or a loopback name with our port. The latter is for a proxy or a person on the same machine.
 * After DNS rebinding, a page of another site sends its own name here.
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
 * Allows only reads of pages. Any other method or a body would only reach framework decoders for features that we do not use. A form that
 * is submitted before its script has started gets its page again (303).
 */
function refusedOfPage({ method = '', url = '', headers }: IncomingMessage): Refusal | null {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')
  if (method === 'POST' && isForm) return { status: 303, detail: 'Reload the page', headers: { Location: url } }
  if (!pageMethods.includes(method)) return methodRefused(pageMethods)
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  return hasBody ? { status: 400, detail: 'A page takes no body' } : null
}

/**
 * Returns why a request is rejected, from its request line and headers alone; null accepts it. Probe paths accept every Host: load
 * balancers and monitors use the machine's name, and the responses are useless to another site.
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

/** Content security policy of every response that is not a page: it allows nothing. Pages have their own policy with a nonce. */
const nothing = "default-src 'none'; frame-ancestors 'none'; sandbox"

/**
 * Default headers of every response: page, redirect, file, API and error. A header that a response has already set wins, such as a page's
 * policy or a built file's cache time.
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

/** Response that adds the missing default headers when its head is written. */
class GuardedResponse extends ServerResponse<IncomingMessage> {
  override writeHead(status: number, headers?: OutgoingHttpHeaders | OutgoingHttpHeader[]): this
  override writeHead(status: number, message?: string, headers?: OutgoingHttpHeaders | OutgoingHttpHeader[]): this
  override writeHead(...args: [number, ...never[]]): this {
    for (const [name, value] of Object.entries(responseHeaders)) if (!this.hasHeader(name)) this.setHeader(name, value)
    return super.writeHead(...args)
  }
}

const limits = () => ({
  /** Timeout for the request line and all headers: 16 kB arrive quickly, and a slow sender only holds a connection. */
  headersTimeout: times().requestStart.headers,
  /** Timeout for a whole request (milliseconds). It exceeds the timeout of the upload reader, which can return an error with the reason. */
  requestTimeout: 150_000,
  connectionsCheckingInterval: times().requestStart.check,
  /**
   * Timeout of an idle connection (milliseconds). Longer than a load balancer's (Google's up to 600 s), so that we never close one under a
   * request.
   */
  keepAliveTimeout: 620_000,
  maxHeaderSize: 16_384,
})

/**
 * Headers that only a proxy or the framework may set; a client's own are removed. Our routes do not read the `x-forwarded-*` headers, and
 * the others control Next internally.
 */
const privateHeaders =
  /^(?:x-forwarded-(?:host|proto|port|for)|forwarded|x-middleware-.*|x-nonce|content-security-policy(?:-report-only)?|next-action)$/

/** Sets the verified client address on the request and removes the private headers. */
function cleanHeaders({ headers, socket }: IncomingMessage): void {
  const address = clientAddress(socket.remoteAddress, String(headers['x-forwarded-for'] ?? ''), env().trustedProxies)
  for (const name of Object.keys(headers)) if (privateHeaders.test(name) || name === addressHeader) delete headers[name]
  if (address) headers[addressHeader] = address
}

function refuse(response: ServerResponse, { status, detail, headers = {} }: Refusal): void {
  // The rest of the request is not read, so the connection closes.
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close', ...headers }).end(`${detail}\n`)
}

/** Writes a raw response and closes the socket, for errors without a response object. Node's default response lacks our headers. */
function answerRaw(socket: Duplex, status: number): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const headers = { ...responseHeaders, Connection: 'close', 'Content-Length': '0' }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, '', ''].join('\r\n'), () => socket.destroy())
}

/** Responds to input that is not valid HTTP or is too late. */
function answerBroken({ code = '' }: NodeJS.ErrnoException, socket: Duplex, answered: boolean): void {
  if (code === 'ECONNRESET' || answered) socket.destroy()
  else answerRaw(socket, { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[code] ?? 400)
}

/**
 * Closes the connection of a request that was answered before its body arrived. Waits a moment for the rest, so that the sender can read
 * the response.
 */
function endWithBody(request: IncomingMessage): void {
  if (request.complete) return
  const timer = setTimeout(() => request.complete || request.socket.destroy(), times().requestBody.rest)
  request.once('close', () => clearTimeout(timer))
}

/** The listening address, and the folder of the built pages. `dev` compiles a page at its first request. */
type Listen = { host: string; port: number; dev: boolean; pages?: string }

/**
 * Starts the dashboard: Next behind our own HTTP server, and resolves when it listens. The server limits the time in which a request must
 * arrive, and rejects requests (see `refusal`). It sets an unforgeable client address and adds our headers to every response.
 */
export async function serve({ host, port, dev, pages }: Listen): Promise<void> {
  if (!dev) logConsole()
  if (pages) tellNext(pages)
  const server = createServer({ ...limits(), ServerResponse: GuardedResponse })
  tellNextAuth()
  // Only the development build uses WebSocket. In production Next gets an unused server, so it ignores upgrades on ours. Node ignores them
  // too.
  const app = next({ dev, hostname: host, port, httpServer: dev ? server : createServer() })
  await app.prepare()
  const handle = app.getRequestHandler()
  const admission = { appOrigin: env().appOrigin, port, dev }
  const isAnswered = endOnSignal(server, () => app.close())
  server.on('request', (request, response) => {
    // The stopping process has already rejected it.
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

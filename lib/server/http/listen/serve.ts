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
import { clientAddressHeader, getClientAddress } from '@/lib/server/audit/client'
import {
  env,
  getTimeSettings,
  setNextAuthUrl,
  setPagesFolderVariable,
} from '@/lib/server/config/env'
import { loopbackHostnames } from '@/lib/server/config/setting-forms'
import { redirectConsoleToLog } from '@/lib/server/log-console'
import { endProcessOnSignal } from './stop'

/** `port` is the port on which the server listens. */
type AdmissionSettings = { appOrigin: string; port: number; dev: boolean }

/** `detail` is the body: one line of text for a person. */
type Rejection = { status: number; detail: string; headers?: Record<string, string> }

const apiMethods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']
const pageMethods = ['GET', 'HEAD']

/**
 * Returns null for `*`, an absolute URL, a path that begins with `//`, and an invalid percent
 * escape, for which Next would return 500.
 */
function parsePath(url = ''): string | null {
  const [path = ''] = url.split('?')
  try {
    return path.startsWith('/') && !path.startsWith('//') && decodeURIComponent(path) ? path : null
  } catch {
    return null
  }
}

/**
 * Prevents DNS rebinding: if an attacker points the name of another site to this server, browsers
 * send that name as `Host`. A loopback name with our port is accepted too, because a proxy or a
 * person on the same machine may use it.
 */
function isOwnHost(
  hostHeaders: readonly string[] | undefined,
  { appOrigin, port }: Pick<AdmissionSettings, 'appOrigin' | 'port'>,
): boolean {
  const [host = '', ...others] = hostHeaders ?? []
  const { protocol, host: ownHost } = new URL(appOrigin)
  if (others.length > 0 || !/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`${protocol}//${host}`))
    return false
  if (new URL(`${protocol}//${host}`).host === ownHost) return true
  const hostUrl = new URL(`http://${host}`)
  return loopbackHostnames.has(hostUrl.hostname) && Number(hostUrl.port || 80) === port
}

const createMethodRejection = (allowedMethods: string[]): Rejection => ({
  status: 405,
  detail: `This address takes ${allowedMethods.join(', ')}`,
  headers: { Allow: allowedMethods.join(', ') },
})

/**
 * Null for a GET or HEAD without a body. Next has decoders for other requests, but only for
 * features that we do not use. A form that the browser submits before its script has started is
 * redirected to its page (303).
 */
function findPageRejection({ method = '', url = '', headers }: IncomingMessage): Rejection | null {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')
  if (method === 'POST' && isForm)
    return { status: 303, detail: 'Reload the page', headers: { Location: url } }
  if (!pageMethods.includes(method)) return createMethodRejection(pageMethods)
  const hasBody =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  return hasBody ? { status: 400, detail: 'A page takes no body' } : null
}

/**
 * Uses only the request line and the headers. The health and metrics paths accept every `Host`:
 * load balancers and monitors use the name of the machine, and another site cannot misuse these
 * responses.
 */
function findRejection(request: IncomingMessage, admission: AdmissionSettings): Rejection | null {
  const { method = '', url } = request
  const path = parsePath(url)
  if (!apiMethods.includes(method)) return createMethodRejection(apiMethods)
  if (path === null)
    return {
      status: 400,
      detail:
        'The address is not valid: write it as /path, with every % followed by two hex digits',
    }
  if (!isProbePath(path) && !isOwnHost(request.headersDistinct.host, admission)) {
    return {
      status: 421,
      detail: 'Paydesk does not answer under this name: use the address in APP_ORIGIN',
    }
  }
  if (isApiPath(path) || (admission.dev && path.startsWith('/__nextjs'))) return null
  return findPageRejection(request)
}

/** For every response that is not a page. Pages have their own policy with a nonce. */
const denyAllPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"

/**
 * A header that the response already has is not replaced, such as a page's policy or a built file's
 * cache time.
 */
const responseHeaders: Readonly<Record<string, string>> = {
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy':
    'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
  'Cache-Control': 'private, no-store',
  'Content-Security-Policy': denyAllPolicy,
}

/** Adds the missing default headers just before the status line and headers are sent. */
class GuardedResponse extends ServerResponse<IncomingMessage> {
  override writeHead(status: number, headers?: OutgoingHttpHeaders | OutgoingHttpHeader[]): this
  override writeHead(
    status: number,
    message?: string,
    headers?: OutgoingHttpHeaders | OutgoingHttpHeader[],
  ): this
  override writeHead(...args: [number, ...never[]]): this {
    for (const [name, value] of Object.entries(responseHeaders))
      if (!this.hasHeader(name)) this.setHeader(name, value)
    return super.writeHead(...args)
  }
}

const getServerLimits = () => ({
  /** Milliseconds. A client that sends its few kB of headers slowly would occupy a connection. */
  headersTimeout: getTimeSettings().requestStart.headers,
  /**
   * Milliseconds for a whole request. Longer than the time limit of an upload, which must be
   * reached first, because only the upload error names the reason.
   */
  requestTimeout: 150_000,
  connectionsCheckingInterval: getTimeSettings().requestStart.check,
  /**
   * Milliseconds. Longer than the timeouts of load balancers (up to 600 s at Google). Otherwise, we
   * could close a connection while a load balancer sends a request on it.
   */
  keepAliveTimeout: 620_000,
  maxHeaderSize: 16_384,
})

/**
 * Headers that only a proxy or Next may set. A client could forge `x-forwarded-*`, and the others
 * control Next internally.
 */
const privateHeaderPattern =
  /^(?:x-forwarded-(?:host|proto|port|for)|forwarded|x-middleware-.*|x-nonce|content-security-policy(?:-report-only)?|next-action)$/

/** Removes the headers that a client must not set, and adds the checked address of the client. */
function replacePrivateHeaders({ headers, socket }: IncomingMessage): void {
  const address = getClientAddress(
    socket.remoteAddress,
    String(headers['x-forwarded-for'] ?? ''),
    env().trustedProxies,
  )
  for (const name of Object.keys(headers))
    if (privateHeaderPattern.test(name) || name === clientAddressHeader) delete headers[name]
  if (address) headers[clientAddressHeader] = address
}

function sendRejection(
  response: ServerResponse,
  { status, detail, headers = {} }: Rejection,
): void {
  // The rest of the request body is not read, so the connection cannot be used again.
  response
    .writeHead(status, {
      'Content-Type': 'text/plain; charset=utf-8',
      Connection: 'close',
      ...headers,
    })
    .end(`${detail}\n`)
}

/** For errors without a response object: Node's default response would lack our headers. */
function writeRawResponse(socket: Duplex, status: number): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const headers = { ...responseHeaders, Connection: 'close', 'Content-Length': '0' }
  const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(
    [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headerLines, '', ''].join('\r\n'),
    () => socket.destroy(),
  )
}

/**
 * For input that is not valid HTTP or arrives too late. If a response has already begun, only
 * closes the connection.
 */
function answerClientError(
  { code = '' }: NodeJS.ErrnoException,
  socket: Duplex,
  answered: boolean,
): void {
  if (code === 'ECONNRESET' || answered) socket.destroy()
  else
    writeRawResponse(
      socket,
      { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[code] ?? 400,
    )
}

/**
 * For a response that was sent before the whole request body arrived. Waits a moment for the rest
 * of the body: if the connection closed at once, the client might not receive the response.
 */
function closeConnectionAfterBody(request: IncomingMessage): void {
  if (request.complete) return
  const timer = setTimeout(
    () => request.complete || request.socket.destroy(),
    getTimeSettings().requestBody.rest,
  )
  request.once('close', () => clearTimeout(timer))
}

/** `pages` is the folder of the built pages. If `dev`, Next compiles a page at first request. */
type ListenOptions = { host: string; port: number; dev: boolean; pages?: string }

/**
 * Next runs behind our own HTTP server, which limits the time in which a request must arrive and
 * rejects some requests (see `findRejection`). Resolves when the server listens.
 */
export async function startServer({ host, port, dev, pages }: ListenOptions): Promise<void> {
  if (!dev) redirectConsoleToLog()
  if (pages) setPagesFolderVariable(pages)
  const server = createServer({ ...getServerLimits(), ServerResponse: GuardedResponse })
  setNextAuthUrl()
  // Only the development build uses WebSocket. In production, Next gets an unused server, so that
  // it cannot handle upgrade requests to our server. Node ignores upgrade requests for which no
  // handler is registered.
  const app = next({ dev, hostname: host, port, httpServer: dev ? server : createServer() })
  await app.prepare()
  const handleRequest = app.getRequestHandler()
  const admissionSettings = { appOrigin: env().appOrigin, port, dev }
  const hasResponseBegunOn = endProcessOnSignal(server, () => app.close())
  server.on('request', (request, response) => {
    // The process is stopping and has already closed this connection.
    if (request.socket.destroyed) return
    response.once('finish', () => closeConnectionAfterBody(request))
    const rejection = findRejection(request, admissionSettings)
    if (rejection) return sendRejection(response, rejection)
    replacePrivateHeaders(request)
    return handleRequest(request, response)
  })
  server.on('connect', (_request, socket) => writeRawResponse(socket, 405))
  server.on('clientError', (error, socket) =>
    answerClientError(error, socket, hasResponseBegunOn(socket)),
  )
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, host, resolve),
  )
}

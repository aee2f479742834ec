import 'server-only'
import type { IncomingMessage } from 'node:http'
import { healthApiPath, isApiPath } from '@/lib/routes'
import { loopbackNames } from '@/lib/server/env'

/** Which requests get through to the application. `port` is the one that is listened on. */
export type Admission = { appOrigin: string; port: number; dev: boolean }

/** Why a request does not get through; `detail` is one line for whoever reads the answer. */
export type Refusal = { status: number; detail: string; headers?: Record<string, string> }

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
export function isOwnHost(hosts: readonly string[] | undefined, { appOrigin, port }: Pick<Admission, 'appOrigin' | 'port'>): boolean {
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
  if (method === 'POST' && isForm) return { status: 303, detail: 'Read the page again', headers: { Location: url } }
  if (!pageMethods.includes(method)) return methodRefused(pageMethods)
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  return hasBody ? { status: 400, detail: 'A page takes no body' } : null
}

/**
 * Decides from the request line and the Host alone whether a request gets through; null lets it. The health check is open to every Host: load
 * balancers name the machine, and its answer is the same word for all.
 */
export function refusal(request: IncomingMessage, admission: Admission): Refusal | null {
  const { method = '', url } = request
  const path = pathOf(url)
  if (!apiMethods.includes(method)) return methodRefused(apiMethods)
  if (path === null) return { status: 400, detail: 'The address is not valid: write it as /path, with every % followed by two hex digits' }
  if (path !== healthApiPath && !isOwnHost(request.headersDistinct.host, admission)) {
    return { status: 421, detail: 'Paydesk does not answer under this name: use the address in APP_ORIGIN' }
  }
  if (isApiPath(path) || (admission.dev && path.startsWith('/__nextjs'))) return null
  return refusedOfPage(request)
}

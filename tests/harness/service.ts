import { randomUUID } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

export type RecordedRequest = { method: string; path: string; headers: http.IncomingHttpHeaders; body: string }
export type ResponseBehavior = (response: http.ServerResponse, seen: RecordedRequest) => void
export type Service = Awaited<ReturnType<typeof startService>>

/** Returns a behavior that sends a response with this status and body. An object is sent as JSON. */
export const respondWith =
  (status: number, body: unknown, headers: Record<string, string> = {}): ResponseBehavior =>
  (response) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(text)
  }

/** Returns the service's envelope around data (interface document, "Response envelope"). */
export const wrapInEnvelope = (data: unknown, meta: Record<string, unknown> = {}) => ({
  meta: { api_request_id: '0190a000-0000-7000-8000-000000000001', api_request_timestamp: '2026-11-20T10:00:00Z', ...meta },
  response_type: Array.isArray(data) ? 'array' : 'object',
  data,
})

/** Returns a payout with the minimum of fields, and additional fields of a test. */
export const buildPayout = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  amount: '12500',
  currency: 'USD',
  status: 'on_hold',
  status_history: [],
  ...more,
})

/**
 * Starts a payments service of a test. It records requests. If a request's path contains a UUID with a behavior, that behavior responds;
 * otherwise the response is a payout. This service can send or omit data that the sandbox never would.
 */
export async function startService() {
  const requests: RecordedRequest[] = []
  const behaviorById = new Map<string, ResponseBehavior>()
  let listBehavior: ResponseBehavior = respondWith(200, wrapInEnvelope([], { page_number: 1, page_size: 50, total_items: 0 }))
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (part: Buffer) => chunks.push(part))
    request.on('end', () => {
      const entry = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      }
      requests.push(entry)
      const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(entry.path)?.[0]
      const answer = id ? (behaviorById.get(id) ?? respondWith(200, wrapInEnvelope(buildPayout(id)))) : listBehavior
      answer(response, entry)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: requests,
    about: (id: string) => requests.filter((entry) => entry.path.includes(id)),
    /** Returns the id of a new object with this behavior. */
    object: (answering: (id: string) => ResponseBehavior): string => {
      const id = randomUUID()
      behaviorById.set(id, answering(id))
      return id
    },
    behave: (id: string, answering: ResponseBehavior) => {
      behaviorById.set(id, answering)
    },
    lists: (answering: ResponseBehavior) => {
      listBehavior = answering
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

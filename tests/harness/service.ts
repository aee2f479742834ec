import { randomUUID } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

export type RecordedRequest = {
  method: string
  path: string
  headers: http.IncomingHttpHeaders
  body: string
}
export type ResponseBehavior = (response: http.ServerResponse, seen: RecordedRequest) => void
export type StubService = Awaited<ReturnType<typeof startStubService>>

/**
 * Returns a behavior that responds with this status and body. A body that is not a string is sent
 * as JSON.
 */
export const respondWith =
  (status: number, body: unknown, headers: Record<string, string> = {}): ResponseBehavior =>
  (response) => {
    const bodyText = typeof body === 'string' ? body : JSON.stringify(body)
    response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
      .end(bodyText)
  }

/** Returns the service's envelope around data (interface document, "Response envelope"). */
export const wrapInEnvelope = (data: unknown, meta: Record<string, unknown> = {}) => ({
  meta: {
    api_request_id: '0190a000-0000-7000-8000-000000000001',
    api_request_timestamp: '2026-11-20T10:00:00Z',
    ...meta,
  },
  response_type: Array.isArray(data) ? 'array' : 'object',
  data,
})

/** Returns a payout with the minimum of fields. The second parameter adds or replaces fields. */
export const buildPayout = (id: string, overrides: Record<string, unknown> = {}) => ({
  id,
  amount: '12500',
  currency: 'USD',
  status: 'on_hold',
  status_history: [],
  ...overrides,
})

/**
 * Starts a payments service for a test. Unlike the sandbox, it can send malformed responses or omit
 * data. It records all requests. The first UUID in a request’s path selects the behavior that
 * responds; a UUID without a behavior gets a payout. Paths without a UUID get the behavior that
 * `lists` sets.
 */
export async function startStubService() {
  const recordedRequests: RecordedRequest[] = []
  const behaviorById = new Map<string, ResponseBehavior>()
  let listBehavior: ResponseBehavior = respondWith(
    200,
    wrapInEnvelope([], { page_number: 1, page_size: 50, total_items: 0 }),
  )
  const stubServer = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (part: Buffer) => chunks.push(part))
    request.on('end', () => {
      const recordedRequest = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      }
      recordedRequests.push(recordedRequest)
      const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(recordedRequest.path)?.[0]
      const responseBehavior = id
        ? (behaviorById.get(id) ?? respondWith(200, wrapInEnvelope(buildPayout(id))))
        : listBehavior
      responseBehavior(response, recordedRequest)
    })
  })
  await new Promise<void>((resolve) => stubServer.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(stubServer.address() as AddressInfo).port}`,
    seen: recordedRequests,
    about: (id: string) => recordedRequests.filter((entry) => entry.path.includes(id)),
    /** Returns a new id. Requests with this id in their path get the behavior. */
    object: (createBehavior: (id: string) => ResponseBehavior): string => {
      const id = randomUUID()
      behaviorById.set(id, createBehavior(id))
      return id
    },
    behave: (id: string, answering: ResponseBehavior) => {
      behaviorById.set(id, answering)
    },
    lists: (answering: ResponseBehavior) => {
      listBehavior = answering
    },
    stop: async () => {
      stubServer.closeAllConnections()
      await new Promise((resolve) => stubServer.close(resolve))
    },
  }
}

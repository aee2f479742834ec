import { randomUUID } from 'node:crypto'
import net from 'node:net'
import fc from 'fast-check'
import { Pool } from 'undici'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { matchOperation } from '@/lib/operations/registry'
import {
  getServiceOperation,
  type ServiceOperationId,
  serviceOperationIds,
} from '@/lib/operations/service-operations'
import { sampleItems } from '@/tests/sandbox/sample'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { createIdempotencyKey, type Person, signIn } from './harness/person'
import { type Sandbox, startSandbox } from './harness/sandbox'

let sandbox: Sandbox
let dashboard: Dashboard
let admin: Person
let connectionPool: Pool
let seqBefore: number

beforeAll(async () => {
  sandbox = await startSandbox()
  dashboard = await startDashboard({ serviceUrl: sandbox.url, apiKey: sandbox.keys.full })
  admin = await signIn(dashboard.url, 'admin')
  connectionPool = new Pool(dashboard.url, { connections: 16 })
})
beforeEach(async () => {
  seqBefore = await sandbox.lastSeq()
})
afterAll(async () => {
  await connectionPool?.close()
  await dashboard?.stop()
  await sandbox?.stop()
})

const account = `acct_${randomUUID()}`
const buildCookieHeader = () => [...admin.jar].map(([name, value]) => `${name}=${value}`).join('; ')

type ResponseSummary = { status: number; json: boolean }

/** Sends a request with exactly this path. `fetch` would normalize the path. */
async function sendRequest(method: string, path: string): Promise<ResponseSummary> {
  const isWrite = method !== 'GET' && method !== 'HEAD'
  const { statusCode, headers, body } = await connectionPool.request({
    method: method as 'GET',
    path,
    headers: {
      cookie: buildCookieHeader(),
      origin: dashboard.url,
      'sec-fetch-site': 'same-origin',
      ...(isWrite
        ? { 'content-type': 'application/json', 'idempotency-key': createIdempotencyKey() }
        : {}),
    },
    body: isWrite
      ? JSON.stringify({ reason: 'AUTH_PROOF_OK: the proof was received and checked' })
      : null,
  })
  await body.dump()
  return {
    status: statusCode,
    json: String(headers['content-type']).startsWith('application/json'),
  }
}

const isUuid = (segment: string): boolean => {
  try {
    return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(
      decodeURIComponent(segment),
    )
  } catch {
    return false
  }
}

const nastySegments = [
  '..%2f',
  '%2e%2e%2f',
  '..%5c',
  '%00',
  '%0d%0a',
  '%3f',
  '%23',
  '%25',
  '%252e',
  ';',
  '@',
  ':80',
  '%c3%a9',
  '%ef%bc%8f',
  '{}',
  '*',
]
const segmentArbitrary = fc.constantFrom(
  ...nastySegments,
  'payouts',
  'accounts',
  'release',
  randomUUID(),
  'acct_',
  '0',
  '-',
  'null',
  '__proto__',
)
const encodedTextArbitrary = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 80 })
  .map((text) => encodeURIComponent(text))
const longSegmentArbitrary = fc.integer({ min: 100, max: 6000 }).map((length) => 'a'.repeat(length))
const idWithSuffixArbitrary = fc
  .tuple(fc.uuid(), fc.constantFrom(...nastySegments))
  .map(([id, bad]) => `${id}${bad}`)
const shortIdArbitrary = fc.uuid().map((id) => id.slice(0, -1))
const joinedSegmentsArbitrary = fc
  .array(segmentArbitrary, { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(''))
const badIdArbitrary = fc
  .oneof(
    joinedSegmentsArbitrary,
    encodedTextArbitrary,
    longSegmentArbitrary,
    idWithSuffixArbitrary,
    shortIdArbitrary,
  )
  .filter((id) => !isUuid(id) && id !== '.' && id !== '..')

const idOperations = serviceOperationIds.filter((id) =>
  getServiceOperation(id).path.includes(':id'),
)
const buildPath = (operationId: ServiceOperationId, id: string) =>
  `/api/sandbox/v1${getServiceOperation(operationId).path.replace(':id', id)}`

const invalidIds = sampleItems(fc.sample(badIdArbitrary, { numRuns: 5000, seed: 20261121 }), 120)

test(`${invalidIds.length} invalid IDs are rejected, and nothing is sent to the service`, async () => {
  const unexpectedReplyTexts: string[] = []
  const invalidIdRequests = invalidIds.map((id, at) => ({
    id,
    operation: idOperations[at % idOperations.length] ?? 'payouts.get',
    scoped: at % 3 > 0,
  }))
  async function runWorker() {
    for (let next = invalidIdRequests.pop(); next; next = invalidIdRequests.pop()) {
      const { method } = getServiceOperation(next.operation)
      const path = `${buildPath(next.operation, next.id)}${next.scoped ? `?account=${account}` : ''}`
      const invalidIdResponse = await sendRequest(method, path)
      if (![404, 405, 422].includes(invalidIdResponse.status))
        unexpectedReplyTexts.push(`${invalidIdResponse.status} ${method} ${path.slice(0, 120)}`)
    }
  }
  await Promise.all(Array.from({ length: 16 }, runWorker))
  expect(unexpectedReplyTexts).toEqual([])
  expect(await sandbox.requests(seqBefore)).toEqual([])
})

test('an invalid escape is a client error, and nothing is sent to the service', async () => {
  for (const id of ['%', '%zz', '%ff', '%c0%af', '%e0%80', `${'%41'.repeat(20)}%`]) {
    expect((await sendRequest('GET', buildPath('payouts.get', id))).status).toBe(400)
    expect((await sendRequest('PUT', buildPath('payouts.release', id))).status).toBe(400)
  }
  expect(await sandbox.requests(seqBefore)).toEqual([])
})

test.each([
  '/payout',
  '/payments/extra',
  '/payouts/018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f/approve',
  '/payouts/018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f/release/again',
  '/transfers',
  '/paykeys/018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f/reveal',
  '/constructor',
  '/__proto__',
  '/webhooks',
  '/account_settings',
])('%s is not an operation: 404 with every method', async (path) => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    expect(await sendRequest(method, `/api/sandbox/v1${path}`)).toEqual({ status: 404, json: true })
  }
  expect(await sandbox.requests(seqBefore)).toEqual([])
})

const routedOperations = serviceOperationIds.filter(
  (operation) => !getServiceOperation(operation).internal,
)

test.each(routedOperations)('%s accepts only its own method', async (operation) => {
  const path = buildPath(operation, randomUUID())
  const segments = getServiceOperation(operation).path.slice(1).split('/')
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    const matchedOperation = matchOperation(method, segments)
    if (
      matchedOperation &&
      'id' in matchedOperation &&
      getServiceOperation(matchedOperation.id).path === getServiceOperation(operation).path
    )
      continue
    // With this method, the path can match another operation that has `:id` where this path has a
    // fixed segment. That operation then responds 422, because the segment is not an id.
    expect(await sendRequest(method, path)).toEqual({
      status: matchedOperation && 'id' in matchedOperation ? 422 : 405,
      json: true,
    })
  }
  expect((await sendRequest('TRACE', path)).status).toBeGreaterThanOrEqual(400)
  expect(await sandbox.requests(seqBefore)).toEqual([])
})

/**
 * Sends a request line unchanged through a socket, because client libraries would normalize its
 * path. Returns the status.
 */
function fetchRawStatus(requestLine: string): Promise<number> {
  const { hostname, port } = new URL(dashboard.url)
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => {
      socket.write(
        `${requestLine} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: ${buildCookieHeader()}\r\nConnection: close\r\n\r\n`,
      )
    })
    let receivedText = ''
    socket.on('data', (part) => {
      receivedText += part.toString()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(receivedText)?.[1] ?? 0)))
  })
}

test.each([
  'GET /api/sandbox/v1/payouts/../transfers',
  'GET /api/sandbox/v1/payouts/./../../v2/accounts',
  'GET /api/sandbox/v1/payouts/..%2faccounts',
  'GET /api/sandbox/v1/payouts/..\\accounts',
  'GET /api/sandbox/v1//payouts',
  'GET /api/sandbox/v1/payouts/',
  'GET /api/sandbox/v1/payouts/?id=018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f',
  'PUT /api/sandbox/v1/payouts//release',
  'GET //127.0.0.1:1/v1/accounts',
  'GET http://127.0.0.1:1/v1/accounts',
  'GET /api/sandbox/v1/http://127.0.0.1:1/v1/accounts',
])('%s, sent unchanged, reaches no operation', async (line) => {
  const status = await fetchRawStatus(line)
  // A 308 redirects the client to the path without a double or trailing slash. The request itself
  // was not served.
  expect([308, 400, 403, 404, 405, 422]).toContain(status)
  expect(await sandbox.requests(seqBefore)).toEqual([])
})

test('a path that climbs to another operation reaches at most that operation, with its own checks', async () => {
  const status = await fetchRawStatus('GET /api/sandbox/v1/payouts/../accounts')
  expect([200, 308, 400, 404]).toContain(status)
  const arrivedRequests = await sandbox.requests(seqBefore)
  expect(new Set(arrivedRequests.map((row) => row.path))).toEqual(
    new Set(status === 200 ? ['/v1/accounts'] : []),
  )
})

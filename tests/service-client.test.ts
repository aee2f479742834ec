import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { createIdempotencyKey, createPdfFile, type Person, signIn } from './harness/person'
import {
  buildPayout,
  type ResponseBehavior,
  respondWith,
  type StubService,
  startStubService,
  wrapInEnvelope,
} from './harness/service'

const apiKey = `key-of-this-test-${randomUUID()}`
const account = `acct_${randomUUID()}`

let stubService: StubService
let redirectTargetService: StubService
let dashboard: Dashboard
let person: Person

beforeAll(async () => {
  ;[stubService, redirectTargetService] = await Promise.all([
    startStubService(),
    startStubService(),
  ])
  dashboard = await startDashboard({ serviceUrl: `${stubService.url}/base`, apiKey })
  person = await signIn(dashboard.url)
})
afterAll(async () => {
  await dashboard?.stop()
  await Promise.all([stubService?.stop(), redirectTargetService?.stop()])
})

const respondWithPayout = (id: string) => respondWith(200, wrapInEnvelope(buildPayout(id)))
const readPayout = (id: string, query = '', headers = {}) =>
  person.send(`/api/sandbox/v1/payouts/${id}${query}`, { headers })
const listSentHeaderNames = (id: string) =>
  Object.keys(stubService.about(id)[0]?.headers ?? {}).sort()

const forgedHeaders = {
  'service-account-id': `acct_${randomUUID()}`,
  authorization: 'Bearer of-somebody-else',
  'request-id': 'chosen-by-the-browser',
  'x-forwarded-for': '203.0.113.9',
  'x-forwarded-host': 'elsewhere.test',
  'x-forwarded-proto': 'https',
  forwarded: 'for=203.0.113.9',
  'x-real-ip': '203.0.113.9',
  'x-request-id': 'chosen-by-the-browser',
  'x-http-method-override': 'DELETE',
  'accept-encoding': 'gzip, br',
  'accept-language': 'de',
}

describe('the service receives', () => {
  test('on a read only Paydesk’s headers, the key, and no account for the whole platform', async () => {
    const payoutId = stubService.object(respondWithPayout)
    const response = await readPayout(payoutId, '', forgedHeaders)
    expect(response.status).toBe(200)
    const [recordedRequest] = stubService.about(payoutId)
    expect(recordedRequest).toMatchObject({
      method: 'GET',
      path: `/base/v1/payouts/${payoutId}`,
      body: '',
    })
    expect(listSentHeaderNames(payoutId)).toEqual([
      'accept',
      'accept-encoding',
      'authorization',
      'connection',
      'host',
      'request-id',
      'user-agent',
    ])
    expect(recordedRequest?.headers.authorization).toBe(`Bearer ${apiKey}`)
    expect(recordedRequest?.headers['request-id']).toBe(response.headers.get('request-id'))
    expect(recordedRequest?.headers['request-id']).toMatch(/^req_[0-9a-f]{32}$/)
  })

  test('the account of the verified scope, whatever header the browser sent', async () => {
    const id = stubService.object(respondWithPayout)
    await readPayout(id, `?account=${account}`, forgedHeaders)
    expect(stubService.about(id)[0]?.headers['service-account-id']).toBe(account)
    expect(listSentHeaderNames(id)).toEqual([
      'accept',
      'accept-encoding',
      'authorization',
      'connection',
      'host',
      'request-id',
      'service-account-id',
      'user-agent',
    ])
  })

  test('no account for an operation without one', async () => {
    const id = stubService.object((own) =>
      respondWith(200, wrapInEnvelope({ id: own, status: 'active' })),
    )
    expect(
      (
        await person.send(`/api/sandbox/v1/accounts/${id}?account=${account}`, {
          headers: forgedHeaders,
        })
      ).status,
    ).toBe(200)
    expect(listSentHeaderNames(id)).not.toContain('service-account-id')
  })

  test('on a write the key, the correlation ID and Paydesk’s body, and no other header', async () => {
    const id = stubService.object(respondWithPayout)
    const idempotencyKey = createIdempotencyKey()
    const correlationId = randomUUID()
    const reply = await person.decide('cancel', { id, account }, idempotencyKey, undefined, {
      ...forgedHeaders,
      'correlation-id': correlationId,
    })
    expect(reply.status).toBe(200)
    const [seen] = stubService.about(id)
    expect(seen).toMatchObject({ method: 'PUT', path: `/base/v1/payouts/${id}/cancel` })
    expect(listSentHeaderNames(id)).toEqual(
      [
        'accept',
        'accept-encoding',
        'authorization',
        'connection',
        'content-length',
        'content-type',
        'correlation-id',
      ].concat(['host', 'idempotency-key', 'request-id', 'service-account-id', 'user-agent']),
    )
    expect(seen?.headers).toMatchObject({
      authorization: `Bearer ${apiKey}`,
      'idempotency-key': idempotencyKey,
      'correlation-id': correlationId,
      'service-account-id': account,
      'content-type': 'application/json',
    })
    expect(Object.keys(JSON.parse(seen?.body ?? '{}'))).toEqual(['reason'])
    expect(reply.body.action?.attempts[0]?.request_id).toBe(seen?.headers['request-id'])
  })

  test('on an upload one part with its exact length', async () => {
    const id = stubService.object((own) => respondWith(201, wrapInEnvelope(buildPayout(own))))
    expect((await person.upload({ id, account }, createPdfFile('proof.pdf'))).status).toBe(201)
    const [seen] = stubService.about(id)
    expect(seen?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=paydesk-/)
    expect(Number(seen?.headers['content-length'])).toBeGreaterThan(2000)
    expect(seen?.headers['transfer-encoding']).toBeUndefined()
    expect(seen?.body.match(/Content-Disposition/g)).toHaveLength(1)
  })

  test('a new correlation ID if the given one is invalid', async () => {
    const id = stubService.object(respondWithPayout)
    await person.decide('cancel', { id, account }, createIdempotencyKey(), undefined, {
      'correlation-id': 'two words, and <more>',
    })
    expect(stubService.about(id)[0]?.headers['correlation-id']).toMatch(/^cor_[0-9a-f]{32}$/)
  })
})

test('a redirect is never followed, and the other server receives nothing', async () => {
  const redirectOutcomes = await Promise.all(
    [301, 302, 303, 307, 308].flatMap((status) => {
      const respondWithRedirect = () =>
        respondWith(status, '', { location: `${redirectTargetService.url}/v1/elsewhere` })
      return [
        readPayout(stubService.object(respondWithRedirect)).then((response) => response.status),
        person
          .decide('cancel', { id: stubService.object(respondWithRedirect), account })
          .then((reply) => [reply.status, reply.body.action?.state]),
      ]
    }),
  )
  expect(redirectOutcomes).toEqual(Array.from({ length: 5 }, () => [502, [202, 'unknown']]).flat())
  expect(redirectTargetService.seen).toEqual([])
})

/**
 * Sends the first bytes of a response body and then nothing. The connection stays open, so Paydesk
 * must time out.
 */
const respondPartially: ResponseBehavior = (response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"data":')

/**
 * Sends one byte every 50 ms and never ends the response. It is never silent long enough for the
 * timeout of the body, so only the deadline of the whole request can end it.
 */
const respondSlowly: ResponseBehavior = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 50)
  response.on('close', () => clearInterval(timer))
}

let sentByteCount = 0
const respondEndlessly: ResponseBehavior = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const chunk = Buffer.alloc(64 * 1024, ' ')
  const writeMoreChunks = () => {
    while (!response.destroyed && sentByteCount < 500e6) {
      sentByteCount += chunk.length
      if (!response.write(chunk)) return
    }
  }
  response.on('drain', writeMoreChunks)
  writeMoreChunks()
}

/**
 * Reads a payout while the service responds in the given way. Expects a 502 response with this
 * fault, and only one request to the service. The 502 response must contain the request id that the
 * service received.
 */
async function expectReadFault(
  fault: string,
  behavior: ResponseBehavior,
  requester = person,
): Promise<void> {
  const id = stubService.object(() => behavior)
  const response = await requester.send(`/api/sandbox/v1/payouts/${id}`)
  const body = (await response.json()) as {
    error: { code: string; detail: string }
    meta: { request_id: string }
  }
  expect(response.status).toBe(502)
  expect(body.error).toMatchObject({
    code: 'service_failed',
    detail: `The payments service did not answer (${fault})`,
  })
  expect(body.meta.request_id).toBe(stubService.about(id)[0]?.headers['request-id'])
  expect(stubService.about(id)).toHaveLength(1)
}

describe('a malformed response is one typed error', () => {
  test.concurrent.each<[string, string, ResponseBehavior]>([
    [
      'a line cut in the body',
      'line_cut',
      (response) =>
        response.writeHead(200, { 'content-length': 99 }).write('{', () => response.destroy()),
    ],
    ['3 MB', 'too_large', respondWith(200, wrapInEnvelope({ filler: 'x'.repeat(3e6) }))],
    ['more than a memory holds', 'too_large', respondEndlessly],
    [
      'a compressed body',
      'encoded',
      (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{}')),
    ],
  ])('%s: %s', (_name, fault, answering) => expectReadFault(fault, answering))

  test('an endless response is aborted early', () => {
    expect(sentByteCount).toBeGreaterThan(2e6)
    expect(sentByteCount).toBeLessThan(50e6)
  })
})

describe('a late response is a timeout', () => {
  let shortTimeoutDashboard: Dashboard
  let shortTimeoutPerson: Person

  beforeAll(async () => {
    const env = { TEST_TIMES: 'pauses,hashes,responseHeaders,responseBody' }
    shortTimeoutDashboard = await startDashboard({
      serviceUrl: `${stubService.url}/base`,
      apiKey,
      env,
    })
    shortTimeoutPerson = await signIn(shortTimeoutDashboard.url)
  })
  afterAll(() => shortTimeoutDashboard?.stop())

  test('without headers', () =>
    expectReadFault('headers_timeout', () => undefined, shortTimeoutPerson))

  test('with silence in the body', () =>
    expectReadFault('body_timeout', respondPartially, shortTimeoutPerson))

  test('of a write without headers, which is unknown and sent once', async () => {
    const id = stubService.object(() => () => undefined)
    const reply = await shortTimeoutPerson.decide('cancel', { id, account })
    expect(reply).toMatchObject({
      status: 202,
      body: { error: { code: 'outcome_unknown' }, action: { state: 'unknown' } },
    })
    expect(reply.body.action?.attempts.map((attempt) => attempt.fault)).toEqual(['headers_timeout'])
  })

  test('with a body that never ends', async () => {
    await shortTimeoutDashboard.end()
    await shortTimeoutDashboard.restart({ TEST_TIMES: 'pauses,hashes,exchange' })
    await expectReadFault('deadline', respondSlowly, shortTimeoutPerson)
  })
})

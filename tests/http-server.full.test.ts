import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { signIn } from './harness/person'
import { sendRawBytes, sendRawRequest } from './harness/raw-request'
import { respondWith, startStubService, wrapInEnvelope } from './harness/service'
import { waitUntil } from './harness/wait-until'

const apiKey = 'key-of-this-test-0123456789'
const commonHeaderNames = [
  'strict-transport-security',
  'x-content-type-options',
  'referrer-policy',
  'x-frame-options',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'permissions-policy',
  'cache-control',
  'content-security-policy',
]

let dashboard: Dashboard
let hostHeader: string

beforeAll(async () => {
  dashboard = await startDashboard({ serviceUrl: 'http://127.0.0.1:9', apiKey })
  hostHeader = `Host: ${new URL(dashboard.url).host}`
})
afterAll(() => dashboard?.stop())

const getPort = () => new URL(dashboard.url).port
const findMissingHeaders = (headers: Headers) =>
  commonHeaderNames.filter((name) => !headers.has(name))

describe('a foreign Host header', () => {
  test.each([
    ['another site', () => ['Host: evil.test']],
    ['another site with our port', () => [`Host: evil.test:${getPort()}`]],
    ['a name that begins like ours', () => [`Host: 127.0.0.1.evil.test:${getPort()}`]],
    ['our name with another port', () => ['Host: 127.0.0.1:1']],
    ['our name hidden in another', () => [`Host: evil.test/127.0.0.1:${getPort()}`]],
    ['our name as a user', () => [`Host: 127.0.0.1:${getPort()}@evil.test`]],
    ['two of them', () => [`Host: 127.0.0.1:${getPort()}`, 'Host: evil.test']],
    ['none that can be read', () => ['Host: [']],
    ['an empty one', () => ['Host:']],
  ])('%s is rejected before the application', async (_name, lines) => {
    for (const path of [
      '/sign-in',
      '/api/auth/csrf',
      '/api/sandbox/v1/payouts',
      '/_next/static/none.js',
    ]) {
      const { status, headers, body } = await sendRawRequest(dashboard.url, `GET ${path}`, lines())
      expect([path, status]).toEqual([path, 421])
      expect(headers.getSetCookie()).toEqual([])
      expect(findMissingHeaders(headers)).toEqual([])
      expect(body).not.toContain('evil')
    }
  })

  test('a missing Host header is rejected', async () => {
    expect((await sendRawRequest(dashboard.url, 'GET /sign-in')).status).toBe(400)
    expect((await sendRawBytes(dashboard.url, 'GET /sign-in HTTP/1.0\r\n\r\n')).status).toBe(421)
  })

  test('the names of this machine with Paydesk’s port are accepted', async () => {
    for (const name of ['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST']) {
      expect(
        (await sendRawRequest(dashboard.url, 'GET /sign-in', [`Host: ${name}:${getPort()}`]))
          .status,
      ).toBe(200)
    }
  })

  test('the health check accepts the Host header of load balancers', async () => {
    expect(
      (await sendRawRequest(dashboard.url, 'GET /api/health', ['Host: 10.0.0.5:3000'])).body,
    ).toContain('"ok"')
    expect(
      (await sendRawRequest(dashboard.url, 'GET /api/health/', ['Host: 10.0.0.5:3000'])).status,
    ).toBe(421)
  })

  test('a request target with another host than the Host header is rejected', async () => {
    for (const line of ['GET http://evil.test/sign-in', 'GET //evil.test/sign-in', 'OPTIONS *']) {
      const { status, text } = await sendRawRequest(dashboard.url, line, [hostHeader])
      expect([line, status]).toEqual([line, 400])
      expect(text).not.toContain('evil')
    }
  })
})

describe('an unsupported method', () => {
  test.each(['TRACE', 'PROPFIND', 'LINK', 'CONNECT'])(
    '%s is rejected with Paydesk’s headers',
    async (method) => {
      for (const path of ['/sign-in', '/api/health', '/api/auth/csrf']) {
        const { status, headers, body } = await sendRawRequest(dashboard.url, `${method} ${path}`, [
          hostHeader,
          'Cookie: paydesk.session=canary',
        ])
        expect([path, status]).toEqual([path, 405])
        expect(findMissingHeaders(headers)).toEqual([])
        expect(body).not.toContain('canary')
      }
    },
  )

  test('pages accept only GET and HEAD without a body', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await sendRawRequest(dashboard.url, `${method} /sign-in`, [
        hostHeader,
        'Next-Action: x',
        'Content-Length: 0',
      ])
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET, HEAD'])
    }
    expect(
      (await sendRawRequest(dashboard.url, 'GET /sign-in', [hostHeader, 'Content-Length: 2'], '[]'))
        .status,
    ).toBe(400)
    expect(
      (
        await sendRawRequest(
          dashboard.url,
          'GET /sign-in',
          [hostHeader, 'Transfer-Encoding: chunked'],
          '0\r\n\r\n',
        )
      ).status,
    ).toBe(400)
    expect(
      (await sendRawRequest(dashboard.url, 'GET /sign-in', [hostHeader, 'Content-Length: 0']))
        .status,
    ).toBe(200)
  })

  test('a form sent before hydration redirects to its page', async () => {
    const headerLines = [
      hostHeader,
      'Content-Type: application/x-www-form-urlencoded',
      'Content-Length: 15',
    ]
    const { status, headers, text } = await sendRawRequest(
      dashboard.url,
      'POST /sign-in?next=%2F',
      headerLines,
      'password=canary',
    )
    expect([status, headers.get('location')]).toEqual([303, '/sign-in?next=%2F'])
    expect(text).not.toContain('canary')
  })
})

describe('a malformed request', () => {
  test.each([
    ['an escape that is none', (where: string) => `GET ${where}/%E0%A4%A HTTP/1.1\r\n`, 400],
    ['half an escape', (where: string) => `GET ${where}/a%2 HTTP/1.1\r\n`, 400],
    [
      'headers without end',
      (where: string) => `GET ${where} HTTP/1.1\r\nX-Long: ${'a'.repeat(20_000)}\r\n`,
      431,
    ],
    ['no method', (where: string) => `${where} HTTP/1.1\r\n`, 400],
    [
      'two lengths',
      (where: string) =>
        `POST ${where} HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n`,
      400,
    ],
  ])('%s gets a response with Paydesk’s headers', async (_name, head, status) => {
    for (const where of ['/sandbox', '/api', '/api/auth']) {
      const rawResponse = await sendRawBytes(
        dashboard.url,
        `${head(where)}${hostHeader}\r\nConnection: close\r\n\r\n`,
      )
      expect([where, rawResponse.status]).toEqual([where, status])
      expect(findMissingHeaders(rawResponse.headers)).toEqual([])
    }
  })

  test('a WebSocket upgrade gets a plain response', async () => {
    const upgradeHeaderLines = [
      hostHeader,
      'Connection: Upgrade, close',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ]
    expect(
      (
        await sendRawBytes(
          dashboard.url,
          `GET /api/health HTTP/1.1\r\n${upgradeHeaderLines.join('\r\n')}\r\n\r\n`,
        )
      ).status,
    ).toBe(200)
  })
})

test('a request whose headers never end is closed after a timeout', async () => {
  const shortTimeoutDashboard = await startDashboard({
    serviceUrl: 'http://127.0.0.1:9',
    apiKey,
    env: { TEST_TIMES: 'requestStart' },
  })
  const { hostname, port } = new URL(shortTimeoutDashboard.url)
  const startedAt = performance.now()
  const responseText = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET /sign-in HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-Slow: `),
    )
    let receivedText = ''
    socket.on('data', (part) => {
      receivedText += part
    })
    socket.on('close', () => resolve(receivedText))
  })
  expect(responseText).toMatch(/^HTTP\/1\.1 408 /)
  expect(performance.now() - startedAt).toBeLessThan(60_000)
  await shortTimeoutDashboard.stop()
})

test('an idle connection is kept longer than load balancers keep theirs', async () => {
  const healthResponse = await fetch(`${dashboard.url}/api/health`)
  await healthResponse.text()
  const [, seconds] = /^timeout=(\d+)$/.exec(healthResponse.headers.get('keep-alive') ?? '') ?? []
  expect(Number(seconds)).toBeGreaterThan(600)
})

test('a response that comes before the end of a large body is received, and the connection stays', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const requestOptions = { agent, host: '127.0.0.1', port: getPort() }
  const path = `/api/sandbox/v1/payouts/${randomUUID()}/authorization`
  const sendUpload = () => {
    const uploadRequest = request({ ...requestOptions, method: 'POST', path })
    const responsePromise = once(uploadRequest, 'response')
    // The body is larger than the buffers of a connection, so the upload can end only if the server
    // reads it.
    uploadRequest.end(Buffer.alloc(9_000_000))
    return { upload: uploadRequest, responded: responsePromise }
  }
  const { upload, responded } = sendUpload()
  const [response] = (await responded) as [IncomingMessage]
  response.resume()
  expect(response.statusCode).toBe(403)
  if (!upload.writableFinished) await once(upload, 'finish')
  await waitUntil('a free connection', () =>
    Object.keys(agent.freeSockets).length > 0 ? true : null,
  )
  const secondUpload = sendUpload()
  expect(((await secondUpload.responded) as [IncomingMessage])[0].statusCode).toBe(403)
  expect(secondUpload.upload.reusedSocket).toBe(true)
  agent.destroy()
})

test('a stop waits for the pending request and exits with 0', async () => {
  const stubService = await startStubService()
  const otherDashboard = await startDashboard({ serviceUrl: stubService.url, apiKey })
  const person = await signIn(otherDashboard.url, 'admin')
  const pendingResponders: (() => void)[] = []
  stubService.lists((response, seen) => {
    pendingResponders.push(() =>
      respondWith(200, wrapInEnvelope([], { page_number: 1, page_size: 50, total_items: 0 }))(
        response,
        seen,
      ),
    )
  })
  const pendingReply = person.get('/api/sandbox/v1/accounts')
  await waitUntil('the call', () => (pendingResponders.length > 0 ? true : null))
  const exitCodePromise = otherDashboard.end()
  await waitUntil('the closed door', () =>
    fetch(`${otherDashboard.url}/api/health`).then(
      () => null,
      () => true,
    ),
  )
  for (const answer of pendingResponders) answer()
  const { status, headers } = await pendingReply
  expect([status, headers.get('connection')]).toEqual([200, 'close'])
  expect(await exitCodePromise).toBe(0)
  await otherDashboard.stop()
  await stubService.stop()
})

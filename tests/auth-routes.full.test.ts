import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleOfEachKind } from '@/tests/sandbox/sample'
import { startDashboard } from './harness/dashboard'
import { signIn } from './harness/person'
import { parseRawResponse, type RawResponse, sendRawRequest } from './harness/raw-request'
import { openSharedDesk } from './harness/shared-desk'
import { createVisitor } from './harness/sign-in'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let dashboard: WholeDesk['dashboard']
let hostHeader: string

beforeAll(async () => {
  testStack = await openSharedDesk()
  dashboard = testStack.dashboard
  hostHeader = `Host: ${new URL(dashboard.url).host}`
})
afterAll(() => testStack?.stop())

const formTypeHeader = 'Content-Type: application/x-www-form-urlencoded'
const jsonTypeHeader = 'Content-Type: application/json'
const mebibyte = 2 ** 20

function* buildBody(megabytes: number, chunked: boolean) {
  const mebibyteChunk = '[],'.repeat(mebibyte / 3).padEnd(mebibyte, ' ')
  for (let sent = 0; sent < megabytes; sent += 1)
    yield chunked ? `${mebibyte.toString(16)}\r\n${mebibyteChunk}\r\n` : mebibyteChunk
  if (chunked) yield '0\r\n\r\n'
}

function isCompleteResponse({ headers, body }: RawResponse): boolean {
  if (headers.get('transfer-encoding') === 'chunked') return body.endsWith('0\r\n\r\n')
  return headers.has('content-length') && body.length >= Number(headers.get('content-length'))
}

/**
 * Sends a body of `megabytes` as fast as the server reads it. Returns the complete response, or
 * what arrived before the server closed the connection (status 0 if nothing).
 */
function sendLargeBody(head: string[], megabytes: number): Promise<RawResponse> {
  const { hostname, port } = new URL(dashboard.url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let receivedText = ''
    socket.setEncoding('latin1')
    socket.on('data', (bytes: string) => {
      receivedText += bytes
      if (isCompleteResponse(parseRawResponse(receivedText))) socket.destroy()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(parseRawResponse(receivedText)))
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    Readable.from(buildBody(megabytes, head.includes('Transfer-Encoding: chunked'))).pipe(socket, {
      end: false,
    })
  })
}

const lengthHeaderBuilders = [
  ['what it is', (size: number) => [`Content-Length: ${size}`]],
  ['nothing, in chunks', () => ['Transfer-Encoding: chunked']],
] as const

const authRoutes = [
  '_log',
  'callback/credentials',
  'signout',
  'session',
  'csrf',
  'signin/credentials',
  'unknown',
]
const bodyKinds = lengthHeaderBuilders.flatMap(([said, length]) =>
  [jsonTypeHeader, formTypeHeader].map((type) => ({ said, length, type })),
)
const largeBodyCases = sampleOfEachKind(
  authRoutes.flatMap((action) => bodyKinds.map((way) => ({ action, ...way }))),
  1,
  ({ action }) => action,
  ({ said, type }) => `${said} ${type}`,
)

describe('a request body without a session', () => {
  test.each(largeBodyCases)(
    '$action rejects a hundred megabytes of $type, with the length $said, and the process continues',
    async ({ action, type, length }) => {
      const requestHead = [
        `POST /api/auth/${action} HTTP/1.1`,
        hostHeader,
        type,
        ...length(100 * mebibyte),
        'Connection: close',
      ]
      const { status } = await sendLargeBody(requestHead, 100)
      // The server may close the connection before its response has arrived.
      expect([0, 400, 404, 405, 413]).toContain(status)
      expect((await fetch(`${dashboard.url}/api/health`)).status).toBe(200)
    },
  )

  test.each(lengthHeaderBuilders)(
    'over 8 kB is rejected with a message if its length is given by %s',
    async (_name, length) => {
      const formBodyStart = 'email=a&password='
      const sendFormOfSize = async (size: number) => {
        const body = formBodyStart.padEnd(size, 'x')
        const framedBody = length(0)[0]?.startsWith('T')
          ? `${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`
          : body
        return sendRawRequest(
          dashboard.url,
          'POST /api/auth/callback/credentials',
          [hostHeader, formTypeHeader, ...length(size)],
          framedBody,
        )
      }
      expect((await sendFormOfSize(8192)).status).not.toBe(413)
      const overLimitReply = await sendFormOfSize(8193)
      expect(overLimitReply.status).toBe(413)
      expect(overLimitReply.body).toContain('must be at most 8192 bytes')
      expect(overLimitReply.headers.get('content-security-policy')).toContain("default-src 'none'")
    },
  )

  test('with a false length is rejected', async () => {
    const understatedLengthReply = await sendRawRequest(
      dashboard.url,
      'POST /api/auth/callback/credentials',
      [hostHeader, formTypeHeader, 'Content-Length: 3'],
      'a=1&b=2',
    )
    expect(understatedLengthReply.status).not.toBe(500)
    const overstatedLengthReply = await sendLargeBody(
      [
        'POST /api/auth/callback/credentials HTTP/1.1',
        hostHeader,
        formTypeHeader,
        'Content-Length: 99999999999',
        'Connection: close',
      ],
      0,
    )
    expect(overstatedLengthReply.status).toBe(413)
  })

  test('that never ends times out', async () => {
    const serviceOptions = {
      serviceUrl: 'http://127.0.0.1:9',
      apiKey: 'key-of-this-test-0123456789',
    }
    const shortTimeoutDashboard = await startDashboard({
      ...serviceOptions,
      env: { TEST_TIMES: 'requestBody' },
    })
    const startedAt = performance.now()
    const headerLines = [
      `Host: ${new URL(shortTimeoutDashboard.url).host}`,
      formTypeHeader,
      'Content-Length: 100',
    ]
    const { status, body } = await sendRawRequest(
      shortTimeoutDashboard.url,
      'POST /api/auth/callback/credentials',
      headerLines,
    )
    expect([status, body]).toEqual([408, expect.stringContaining('too long to arrive')])
    expect(performance.now() - startedAt).toBeLessThan(60_000)
    await shortTimeoutDashboard.stop()
  })

  test('is not read by the rest of the API', async () => {
    const sendWrite = (path: string) =>
      sendRawRequest(dashboard.url, `PUT ${path}`, [
        hostHeader,
        `Origin: ${dashboard.url}`,
        jsonTypeHeader,
        'Content-Length: 50',
      ])
    for (const path of [
      '/api/sandbox/v1/customers/018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f',
      '/api/sandbox/desk/views/018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f',
    ])
      expect([path, (await sendWrite(path)).status]).toEqual([path, 401])
  })
})

describe('with a session', () => {
  test('a JSON body over 64 kB is rejected, also in chunks', async () => {
    const { jar } = await signIn(dashboard.url)
    const cookie = `Cookie: ${[...jar].map(([name, value]) => `${name}=${value}`).join('; ')}`
    const path =
      '/api/sandbox/v1/payouts/018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f/hold?account=acct_018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
    for (const [, length] of lengthHeaderBuilders) {
      const writeRequestHead = [
        `PUT ${path} HTTP/1.1`,
        hostHeader,
        cookie,
        `Origin: ${dashboard.url}`,
        jsonTypeHeader,
        'Idempotency-Key: pdk_0123456789',
        ...length(mebibyte),
      ]
      // Omits `Connection: close`: if the server closes a connection with unread bytes, the
      // response can be lost.
      const { status, body } = await sendLargeBody(writeRequestHead, 1)
      expect([status, body]).toEqual([413, expect.stringContaining('at most 65536 bytes')])
    }
  })
})

describe('routes of next-auth', () => {
  test.each([
    ['POST', '_log', 404],
    ['GET', 'providers', 404],
    ['GET', 'error', 404],
    ['GET', 'verify-request', 404],
    ['GET', 'signin', 404],
    ['POST', 'signin/credentials', 404],
    ['GET', 'signin/credentials', 404],
    ['GET', 'callback/credentials', 405],
    ['GET', 'callback/unknown', 404],
    ['GET', 'signout', 405],
    ['POST', 'session', 405],
    ['POST', 'csrf', 405],
    ['PUT', 'csrf', 405],
    ['DELETE', 'session', 405],
    ['GET', 'constructor', 404],
    ['GET', '', 404],
    ['GET', 'csrf/more', 404],
    ['GET', 'csrf', 200],
    ['HEAD', 'csrf', 200],
    ['GET', 'session', 200],
  ])('%s %s returns %i with Paydesk’s text and headers', async (method, action, status) => {
    const logBefore = dashboard.log()
    const response = await fetch(`${dashboard.url}/api/auth/${action}`, {
      method,
      ...(method === 'GET' || method === 'HEAD'
        ? {}
        : {
            body: '{"level":"error","code":"canary-of-a-stranger"}',
            headers: { 'content-type': 'application/json' },
          }),
    })
    const responseText = await response.text()
    expect(response.status).toBe(status)
    if (status >= 400)
      expect(JSON.parse(responseText)).toMatchObject({ response_type: 'error', error: { status } })
    if (status === 405) expect(response.headers.get('allow')).toMatch(/^(GET|POST)$/)
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; frame-ancestors 'none'; sandbox",
    )
    expect(dashboard.log().slice(logBefore.length)).not.toContain('canary-of-a-stranger')
  })

  test('the callback URL of a stranger is ignored', async () => {
    const { send } = createVisitor(dashboard.url)
    for (const callback of ['https://evil.test', 'canary', '//evil.test']) {
      const response = await send(`/api/auth/csrf?callbackUrl=${encodeURIComponent(callback)}`)
      expect(response.status).toBe(200)
      expect(response.headers.getSetCookie().join()).not.toMatch(/evil|canary/)
    }
  })
})

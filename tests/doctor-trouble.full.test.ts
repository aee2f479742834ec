import http from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type DoctorRunner,
  htmlResponse,
  jsonResponse,
  startOwnDoctorRunner,
} from './harness/doctor'
import { findFreePort } from './harness/free-port'

let doctorRunner: DoctorRunner

beforeAll(async () => {
  doctorRunner = await startOwnDoctorRunner()
})
afterEach(() => doctorRunner?.tidy())
afterAll(() => doctorRunner?.stop())

describe('a service without usable responses', () => {
  test('that is not running', async () => {
    const { code, text, line } = await doctorRunner.examine(
      `http://127.0.0.1:${await findFreePort()}`,
    )
    expect([code, line('Address')]).toEqual([
      1,
      expect.stringContaining('nothing answers at this address'),
    ])
    expect(text).toContain('Stopped early: nothing answers at this address')
    expect(text).toContain('0 requests')
  })

  test('without TLS', async () => {
    const { code, line } = await doctorRunner.examine(
      doctorRunner.sandbox.url.replace('http:', 'https:'),
    )
    expect([code, line('Address')]).toEqual([1, expect.stringContaining('no secure connection')])
  })

  test('that hangs', async () => {
    const silentServer = http.createServer(() => undefined)
    const port = await findFreePort()
    await new Promise<void>((resolve) => silentServer.listen(port, '127.0.0.1', resolve))
    doctorRunner.later(async () => {
      silentServer.closeAllConnections()
      await new Promise((resolve) => silentServer.close(resolve))
    })
    const { code, line } = await doctorRunner.examine(`http://127.0.0.1:${port}`)
    expect([code, line('Address')]).toEqual([
      1,
      expect.stringContaining('no answer within 10 seconds'),
    ])
  })

  test.each([
    ['pages for everything', htmlResponse(200), 'answers 200 with an HTML page'],
    ['a page that says not found', htmlResponse(404), 'answers 404 with an HTML page'],
    ['nothing but not found', jsonResponse(404, null), 'there is no such address'],
    [
      'a redirect',
      htmlResponse(302, { location: 'https://elsewhere.test/login?secret=c4n4ry' }),
      'redirects (302)',
    ],
  ])('that responds with %s', async (_, answer, words) => {
    const serviceProxy = await doctorRunner.between({ there: () => answer })
    const { code, text, line } = await doctorRunner.examine(serviceProxy.url)
    expect(code).toBe(1)
    expect(line('Address')).toContain(`mismatch ${serviceProxy.url}: ${words}`)
    expect(line('Address')).toContain('→')
    expect(serviceProxy.seen).toHaveLength(1)
    expect(text).not.toContain('c4n4ry')
  })

  test('at a URL that ends in /v1', async () => {
    const { code, line } = await doctorRunner.examine(`${doctorRunner.sandbox.url}/v1`)
    expect([code, line('Address')]).toEqual([
      1,
      expect.stringContaining('leave /v1 out of SERVICE_SANDBOX_URL'),
    ])
  })

  test.each([
    [
      'asks to slow down',
      jsonResponse(429, null, { 'retry-after': '30' }),
      'rate-limited by the provider: try again in 30 seconds',
    ],
    ['fails', jsonResponse(503, null), 'the service failed (503)'],
  ])('that %s is unknown and not a mismatch', async (_, answer, words) => {
    const unavailableService = await doctorRunner.between({ there: () => answer })
    const { code, line } = await doctorRunner.examine(unavailableService.url)
    expect([code, line('Address')]).toEqual([0, expect.stringContaining(words)])
    if (answer.status === 429) expect(unavailableService.seen).toHaveLength(1)
  })

  test('that closes each connection after one response can still be checked', async () => {
    const usedSockets = new WeakSet<object>()
    const sandboxUrl = new URL(doctorRunner.sandbox.url)
    const oneRequestServer = http.createServer((request, response) => {
      if (usedSockets.has(request.socket)) return request.socket.destroy()
      usedSockets.add(request.socket)
      const { connection: _, host: __, ...headers } = request.headers
      const forwardedRequest = http.get(
        { host: sandboxUrl.hostname, port: sandboxUrl.port, path: request.url, headers },
        (answer) => {
          response.writeHead(answer.statusCode ?? 0, {
            ...answer.headers,
            connection: 'keep-alive',
          })
          answer.pipe(response)
        },
      )
      return forwardedRequest
    })
    const port = await findFreePort()
    await new Promise<void>((resolve) => oneRequestServer.listen(port, '127.0.0.1', resolve))
    doctorRunner.later(async () => {
      oneRequestServer.closeAllConnections()
      await new Promise((resolve) => oneRequestServer.close(resolve))
    })
    const { code, text, line } = await doctorRunner.examine(`http://127.0.0.1:${port}`)
    expect(text).not.toContain('Stopped early')
    expect([code, line('capability_requests.list')]).toEqual([
      0,
      expect.stringContaining('all readable'),
    ])
  })

  test('without accounts', async () => {
    const emptyListsService = await doctorRunner.between({
      there: ({ path }) =>
        /\?/.test(path)
          ? jsonResponse(200, { meta: { total_items: 0 }, response_type: 'array', data: [] })
          : undefined,
    })
    const { code, line } = await doctorRunner.examine(emptyListsService.url)
    expect(code).toBe(0)
    expect(line('Account header')).toContain('unknown there is no account to try it with')
    expect(line('accounts.get')).toContain('not asked')
  })
})

describe('settings', () => {
  test('without a service exit with 2', async () => {
    const { code, text } = await doctorRunner.run({})
    expect([code, text]).toEqual([2, expect.stringContaining('No payments service is configured')])
  })

  test('that are invalid exit with 2 and name the setting, not its value', async () => {
    const { code, text } = await doctorRunner.run({
      SERVICE_SANDBOX_URL: 'http://elsewhere.test/c4n4ry',
      SERVICE_SANDBOX_API_KEY: doctorRunner.sandbox.keys.full,
    })
    expect([code, text]).toEqual([
      2,
      expect.stringContaining('SERVICE_SANDBOX_URL: must begin with https:'),
    ])
    expect(text).not.toContain('c4n4ry')
    const resultWithoutKey = await doctorRunner.run({
      SERVICE_SANDBOX_URL: doctorRunner.sandbox.url,
    })
    expect([resultWithoutKey.code, resultWithoutKey.text]).toEqual([
      2,
      expect.stringContaining('SERVICE_SANDBOX_API_KEY: must be set together'),
    ])
    const resultWithBadSecret = await doctorRunner.run({
      SERVICE_SANDBOX_URL: doctorRunner.sandbox.url,
      SERVICE_SANDBOX_API_KEY: doctorRunner.sandbox.keys.full,
      SERVICE_SANDBOX_WEBHOOK_SECRET: 'c4n4ry',
    })
    expect([resultWithBadSecret.code, resultWithBadSecret.text]).toEqual([
      2,
      expect.stringMatching(/^SERVICE_SANDBOX_WEBHOOK_SECRET: must be whsec_/),
    ])
    expect(resultWithBadSecret.text).not.toContain('c4n4ry')
  })

  test('without the requested environment exit with 2', async () => {
    const doctorEnv = {
      SERVICE_SANDBOX_URL: doctorRunner.sandbox.url,
      SERVICE_SANDBOX_API_KEY: doctorRunner.sandbox.keys.full,
    }
    const { code, text } = await doctorRunner.run(doctorEnv, ['--environment', 'production'])
    expect([code, text]).toEqual([2, 'production is not configured; there is sandbox\n'])
    expect((await doctorRunner.run(doctorEnv, ['--environment', 'sandbox'])).code).toBe(0)
  })
})

import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { isOwnHost } from './own-host'

test.each([
  [['localhost:4010'], '127.0.0.1', '127.0.0.1', true],
  [['LOCALHOST'], '127.0.0.1', '127.0.0.1', true],
  [['[::1]:4010'], '::1', '::1', true],
  [['service.test:4010'], 'service.test', '10.0.0.5', true],
  [['10.0.0.5:4010'], '0.0.0.0', '10.0.0.5', true],
  [['10.0.0.5:4010'], '::', '::ffff:10.0.0.5', true],
  [['[2001:db8::5]:4010'], '::', '2001:db8::5', true],
  [['10.0.0.6:4010'], '0.0.0.0', '10.0.0.5', false],
  [['evil.test:4010'], '127.0.0.1', '127.0.0.1', false],
  [['127.0.0.1.evil.test'], '127.0.0.1', '127.0.0.1', false],
  [['evil.test/127.0.0.1'], '127.0.0.1', '127.0.0.1', false],
  [['127.0.0.1@evil.test'], '127.0.0.1', '127.0.0.1', false],
  [['127.0.0.1', 'evil.test'], '127.0.0.1', '127.0.0.1', false],
  [[''], '127.0.0.1', '127.0.0.1', false],
  [undefined, '127.0.0.1', '127.0.0.1', false],
])('%j on %s at %s is the own host: %s', (hosts, listened, address, own) => {
  expect(isOwnHost(hosts, listened, address)).toBe(own)
})

const { process, client } = startSandboxPerFile()

/**
 * Sends these header lines and `Connection: close`, and returns the whole raw response. Unlike
 * `fetch`, it can send any Host header.
 */
function sendRawRequest(headerLines: string[], body = ''): Promise<string> {
  const { hostname, port } = new URL(process().url)
  return new Promise((resolve, reject) => {
    let responseText = ''
    const socket = connect(Number(port), hostname, () =>
      socket.write(`${[...headerLines, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`),
    )
    socket.on('data', (chunk) => (responseText += chunk.toString('latin1')))
    socket.on('error', reject)
    socket.on('close', () => resolve(responseText))
  })
}

describe('a foreign Host header', () => {
  test.each([
    '/v1/accounts',
    '/sandbox/requests',
    '/sandbox/faults',
    '/',
    '/openapi.json',
    '/bridge',
    '/bridge.js',
    '/unknown',
  ])('is rejected at %s with any method', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'HEAD']) {
      const response = await sendRawRequest([
        `${method} ${path} HTTP/1.1`,
        `Host: evil.test:${new URL(process().url).port}`,
      ])
      expect([method, response.split('\r\n')[0]]).toEqual([
        method,
        'HTTP/1.1 421 Misdirected Request',
      ])
    }
    expect(await sendRawRequest([`GET ${path} HTTP/1.0`])).toMatch(/^HTTP\/1\.1 4(00|21) /)
  })

  test('changes nothing and is not logged', async () => {
    const requestsBefore = await client().control<{ data: unknown[] }>('requests')
    const requestHeaderLines = [
      'POST /sandbox/rate-limit HTTP/1.1',
      'Host: evil.test',
      'Content-Type: application/json',
      'Content-Length: 16',
    ]
    expect(await sendRawRequest(requestHeaderLines, '{"per_second":1}')).toContain(' 421 ')
    expect(await client().control<{ data: unknown[] }>('requests')).toEqual(requestsBefore)
    expect((await client().ask('/v1/accounts')).status).toBe(200)
    expect((await client().ask('/v1/accounts')).status).toBe(200)
  })
})

test('loopback names reach the service and its control plane', async () => {
  const { port } = new URL(process().url)
  for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
    expect(await sendRawRequest(['GET /sandbox/faults HTTP/1.1', `Host: ${name}:${port}`])).toMatch(
      /^HTTP\/1\.1 200 /,
    )
  }
})

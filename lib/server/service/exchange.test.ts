import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'undici'
import { afterEach, expect, test } from 'vitest'
import { exchangeRequest } from './exchange'
import { ExchangeError, toFault } from './faults'

const closeFunctions: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closeFunctions.splice(0)) await close()
})

async function startServer(handler: http.RequestListener): Promise<Pool> {
  const server = http.createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    connections: 1,
    pipelining: 1,
  })
  closeFunctions.push(
    () => pool.destroy(),
    () => server.closeAllConnections(),
    () => server.close(),
  )
  return pool
}

const sendPut = (pool: Pool, path: string, deadline = 5000) =>
  exchangeRequest(pool, { method: 'PUT', path, body: '{}' }, deadline)
const catchError = (pendingRequest: Promise<unknown>): Promise<unknown> =>
  pendingRequest.then(
    () => null,
    (error: unknown) => error,
  )

test('a refused connection proves that nothing was sent', async () => {
  const error = await catchError(sendPut(new Pool('http://127.0.0.1:9'), '/'))
  expect(error).toMatchObject({ began: false })
  expect(toFault(error)).toBe('connect_refused')
})

test('a connection cut after the request proves nothing', async () => {
  const pool = await startServer((request) => request.socket.destroy())
  const error = await catchError(sendPut(pool, '/'))
  expect(error).toMatchObject({ began: true })
  expect(toFault(error)).toBe('line_cut')
})

test.each(['EHOSTUNREACH', 'ENETUNREACH', 'EPROTO', 'ECONNREFUSED'])(
  '%s on an open connection does not count as not sent',
  (code) => {
    const cause = Object.assign(new Error('late'), { code })
    expect(toFault(new ExchangeError(true, cause))).toBe('line_cut')
    expect(toFault(new ExchangeError(false, cause))).not.toBe('line_cut')
  },
)

test('a request still queued at its deadline is dropped and never sent', async () => {
  const receivedUrls: string[] = []
  let answerFirstRequest = () => {}
  const pool = await startServer((request, response) => {
    receivedUrls.push(request.url ?? '')
    if (request.url !== '/first') return response.end('{}')
    answerFirstRequest = () => response.end('{}')
  })
  const firstRequest = sendPut(pool, '/first')
  const queuedError = await catchError(sendPut(pool, '/queued', 50))
  expect(toFault(queuedError)).toBe('not_begun')
  answerFirstRequest()
  await firstRequest
  await sendPut(pool, '/last')
  expect(receivedUrls).toEqual(['/first', '/last'])
})

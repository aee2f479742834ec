import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createReusingPool, createSingleUsePool, exchangeRequest } from './exchange'

const closeFunctions: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closeFunctions.splice(0)) await close()
})

type ServerOptions = {
  hint?: string | undefined
  keepsFor?: number
  answer?: (response: http.ServerResponse, line: Socket, nth: number) => unknown
}

/**
 * Starts a server and collects its connections. `keepsFor` is its keep-alive time (milliseconds),
 * which it announces. By default, it announces none and closes no connection.
 */
async function startServer({
  hint,
  keepsFor = 0,
  answer = (response) => response.end('{}'),
}: ServerOptions) {
  const sockets: Socket[] = []
  const requestCounts = new Map<Socket, number>()
  const server = http.createServer(({ socket }, response) => {
    const requestNumber = (requestCounts.get(socket) ?? 0) + 1
    requestCounts.set(socket, requestNumber)
    if (hint) response.setHeader('keep-alive', hint)
    answer(response, socket, requestNumber)
  })
  server.keepAliveTimeout = keepsFor
  server.on('connection', (line) => sockets.push(line))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closeFunctions.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  return { lines: sockets, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function createPool(origin: string, idleMs?: number) {
  const pool = createReusingPool(origin, idleMs)
  closeFunctions.unshift(() => pool.destroy())
  return pool
}
/**
 * Sends a request. Resolves one turn of the event loop after the response. The connection is then
 * free for the next request.
 */
const sendGet = (pool: ReturnType<typeof createReusingPool>) =>
  exchangeRequest(pool, { method: 'GET', path: '/' }, 20_000).finally(
    () => new Promise((resolve) => setImmediate(resolve)),
  )
const catchError = (request: Promise<unknown>): Promise<unknown> =>
  request.then(
    () => null,
    (error: unknown) => error,
  )

test.each(['timeout=600', 'timeout=5, max=100', undefined])(
  'a hint of %s does not keep a connection beyond our limit',
  async (hint) => {
    const { lines, origin } = await startServer({ hint })
    await sendGet(createPool(origin, 200))
    const [line] = lines
    if (line && !line.closed) await once(line, 'close')
    expect(lines).toHaveLength(1)
  },
)

test('the pool closes an idle connection before the service does', async () => {
  const { lines, origin } = await startServer({ keepsFor: 5000 })
  await sendGet(createPool(origin))
  const [line] = lines as [Socket]
  const closedBy = await Promise.race([
    once(line, 'end').then(() => 'us'),
    once(line, 'close').then(() => 'the service'),
  ])
  expect(closedBy).toBe('us')
})

test.each(['timeout=1', 'timeout=3'])(
  'the pool does not keep a connection with the keep-alive hint %s',
  async (hint) => {
    const { lines, origin } = await startServer({ hint })
    const pool = createPool(origin)
    await sendGet(pool)
    await sendGet(pool)
    expect(lines).toHaveLength(2)
  },
)

test('keeps a connection without a hint, and never one of the fresh pool', async () => {
  const { lines, origin } = await startServer({})
  const keptPool = createPool(origin)
  await sendGet(keptPool)
  await sendGet(keptPool)
  expect(lines).toHaveLength(1)
  const freshPool = createSingleUsePool(origin)
  closeFunctions.unshift(() => freshPool.destroy())
  const sendOnce = () =>
    exchangeRequest(freshPool, { method: 'GET', path: '/', reset: true }, 20_000)
  await Promise.all([sendOnce(), sendOnce()])
  await sendOnce()
  expect(lines).toHaveLength(4)
})

/** Ways in which a server can end a connection before it sends a byte of a response. */
const cutMethods: [string, (line: Socket) => unknown][] = [
  ['a reset', (line) => line.resetAndDestroy()],
  ['an end', (line) => line.destroy()],
]

describe.each(cutMethods)('a connection that is cut by %s before a response', (_name, cut) => {
  test('counts as dead if it was reused, and not if it was fresh', async () => {
    const { lines, origin } = await startServer({
      answer: (response, line, nth) => (nth === 2 ? cut(line) : response.end('{}')),
    })
    const pool = createPool(origin)
    await sendGet(pool)
    expect(await catchError(sendGet(pool))).toMatchObject({ began: true, onDeadLine: true })
    // A new connection in the same slot of the pool counts its requests from zero.
    await sendGet(pool)
    expect(await catchError(sendGet(pool))).toMatchObject({ began: true, onDeadLine: true })
    expect(lines).toHaveLength(2)

    const brokenServer = await startServer({ answer: (_, line) => cut(line) })
    expect(await catchError(sendGet(createPool(brokenServer.origin)))).toMatchObject({
      began: true,
      onDeadLine: false,
    })
  })

  test.each(['HTTP/1.1 2', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{'])(
    'does not count as dead after the bytes %j',
    async (part) => {
      const sendPartThenCut = (line: Socket) => line.write(part, () => cut(line))
      const { origin } = await startServer({
        answer: (response, line, nth) => (nth === 2 ? sendPartThenCut(line) : response.end('{}')),
      })
      const pool = createPool(origin)
      await sendGet(pool)
      expect(await catchError(sendGet(pool))).toMatchObject({ began: true, onDeadLine: false })
    },
  )
})

test.each<[string, (pool: ReturnType<typeof createReusingPool>) => Promise<unknown>]>([
  ['silence until the deadline', (pool) => exchangeRequest(pool, { method: 'GET', path: '/' }, 50)],
  [
    'silence until the headers are late',
    (pool) => exchangeRequest(pool, { method: 'GET', path: '/', headersTimeout: 50 }, 20_000),
  ],
  [
    'a reader who goes',
    (pool) => exchangeRequest(pool, { method: 'GET', path: '/' }, 20_000, AbortSignal.timeout(50)),
  ],
])(
  '%s on a reused connection does not count as a dead connection',
  async (_name, startExchange) => {
    const { origin } = await startServer({
      answer: (response, _line, nth) => (nth === 2 ? null : response.end('{}')),
    })
    const pool = createPool(origin)
    await sendGet(pool)
    expect(await catchError(startExchange(pool))).toMatchObject({ began: true, onDeadLine: false })
  },
)

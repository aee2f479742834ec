import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { exchange, freshLines, keptLines } from './exchange'

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

type Serving = {
  hint?: string | undefined
  keepsFor?: number
  answer?: (response: http.ServerResponse, line: Socket, nth: number) => unknown
}

/** Starts a server and collects its connections. It announces `keepsFor` if set. By default, only the client closes connections. */
async function serve({ hint, keepsFor = 0, answer = (response) => response.end('{}') }: Serving) {
  const lines: Socket[] = []
  const carried = new Map<Socket, number>()
  const server = http.createServer(({ socket }, response) => {
    const nth = (carried.get(socket) ?? 0) + 1
    carried.set(socket, nth)
    if (hint) response.setHeader('keep-alive', hint)
    answer(response, socket, nth)
  })
  server.keepAliveTimeout = keepsFor
  server.on('connection', (line) => lines.push(line))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  return { lines, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function poolTo(origin: string, idle?: number) {
  const pool = keptLines(origin, idle)
  open.unshift(() => pool.destroy())
  return pool
}
/** Sends a request. Resolves one event loop turn after the response, when the connection is free for the next request. */
const ask = (pool: ReturnType<typeof keptLines>) =>
  exchange(pool, { method: 'GET', path: '/' }, 20_000).finally(() => new Promise((resolve) => setImmediate(resolve)))
const failure = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => null,
    (error: unknown) => error,
  )

test.each(['timeout=600', 'timeout=5, max=100', undefined])('a hint of %s does not keep a connection beyond our limit', async (hint) => {
  const { lines, origin } = await serve({ hint })
  await ask(poolTo(origin, 200))
  const [line] = lines
  if (line && !line.closed) await once(line, 'close')
  expect(lines).toHaveLength(1)
})

test('closes an idle connection before the service does', async () => {
  const { lines, origin } = await serve({ keepsFor: 5000 })
  await ask(poolTo(origin))
  const [line] = lines as [Socket]
  const by = await Promise.race([once(line, 'end').then(() => 'us'), once(line, 'close').then(() => 'the service')])
  expect(by).toBe('us')
})

test.each(['timeout=1', 'timeout=3'])('does not keep a connection with the keep-alive hint %s', async (hint) => {
  const { lines, origin } = await serve({ hint })
  const pool = poolTo(origin)
  await ask(pool)
  await ask(pool)
  expect(lines).toHaveLength(2)
})

test('keeps a connection without a hint, and never one of the fresh pool', async () => {
  const { lines, origin } = await serve({})
  const keptPool = poolTo(origin)
  await ask(keptPool)
  await ask(keptPool)
  expect(lines).toHaveLength(1)
  const freshPool = freshLines(origin)
  open.unshift(() => freshPool.destroy())
  const sendRequest = () => exchange(freshPool, { method: 'GET', path: '/', reset: true }, 20_000)
  await Promise.all([sendRequest(), sendRequest()])
  await sendRequest()
  expect(lines).toHaveLength(4)
})

/** Ways to end a connection without a byte of a response. */
const cuts: [string, (line: Socket) => unknown][] = [
  ['a reset', (line) => line.resetAndDestroy()],
  ['an end', (line) => line.destroy()],
]

describe.each(cuts)('a connection that is cut by %s before a response', (_name, cut) => {
  test('counts as dead if it was reused, and not if it was fresh', async () => {
    const { lines, origin } = await serve({ answer: (response, line, nth) => (nth === 2 ? cut(line) : response.end('{}')) })
    const pool = poolTo(origin)
    await ask(pool)
    expect(await failure(ask(pool))).toMatchObject({ began: true, onDeadLine: true })
    // The next connection in the same slot counts its requests from the start.
    await ask(pool)
    expect(await failure(ask(pool))).toMatchObject({ began: true, onDeadLine: true })
    expect(lines).toHaveLength(2)

    const broken = await serve({ answer: (_, line) => cut(line) })
    expect(await failure(ask(poolTo(broken.origin)))).toMatchObject({ began: true, onDeadLine: false })
  })

  test.each(['HTTP/1.1 2', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{'])('does not count as dead after the bytes %j', async (part) => {
    const half = (line: Socket) => line.write(part, () => cut(line))
    const { origin } = await serve({ answer: (response, line, nth) => (nth === 2 ? half(line) : response.end('{}')) })
    const pool = poolTo(origin)
    await ask(pool)
    expect(await failure(ask(pool))).toMatchObject({ began: true, onDeadLine: false })
  })
})

test.each<[string, (pool: ReturnType<typeof keptLines>) => Promise<unknown>]>([
  ['silence until the deadline', (pool) => exchange(pool, { method: 'GET', path: '/' }, 50)],
  ['silence until the headers are late', (pool) => exchange(pool, { method: 'GET', path: '/', headersTimeout: 50 }, 20_000)],
  ['a reader who goes', (pool) => exchange(pool, { method: 'GET', path: '/' }, 20_000, AbortSignal.timeout(50))],
])('%s on a reused connection does not count as a dead connection', async (_name, asking) => {
  const { origin } = await serve({ answer: (response, _line, nth) => (nth === 2 ? null : response.end('{}')) })
  const pool = poolTo(origin)
  await ask(pool)
  expect(await failure(asking(pool))).toMatchObject({ began: true, onDeadLine: false })
})

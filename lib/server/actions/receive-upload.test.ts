import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '@/lib/errors'
import { readAtMinimumRate } from './receive-upload'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => vi.useRealTimers())

/**
 * Creates a request body: `put` adds bytes to it, and `end` closes it. `bytes` reads it with the
 * limit on the speed.
 */
function createRequestBody() {
  const controllers: ReadableStreamDefaultController<Uint8Array>[] = []
  const body = new ReadableStream<Uint8Array>({ start: (line) => void controllers.push(line) })
  const receivedChunks = readAtMinimumRate(
    body.getReader(),
    () => new AppError('invalid_input', 'slow'),
  )
  const [line] = controllers
  return {
    bytes: receivedChunks,
    put: (length: number) => line?.enqueue(new Uint8Array(length)),
    end: () => line?.close(),
  }
}

/**
 * Sends the same number of bytes several times, each after a pause in milliseconds. Returns the
 * bytes read, or the error message.
 */
async function sendSlowly(
  byteCount: number,
  pauseMs: number,
  repeatCount: number,
): Promise<number | string> {
  const requestBody = createRequestBody()
  const receivedLengthPromise = (async () => {
    let length = 0
    for await (const chunk of requestBody.bytes) length += chunk.length
    return length
  })().catch((error: Error) => error.message)
  for (let sent = 0; sent < repeatCount; sent += 1) {
    await vi.advanceTimersByTimeAsync(pauseMs)
    requestBody.put(byteCount)
  }
  requestBody.end()
  await vi.advanceTimersByTimeAsync(0)
  return receivedLengthPromise
}

test('18 kB per second is fast enough, and no byte is lost', async () => {
  expect(await sendSlowly(18_000, 1000, 60)).toBe(60 * 18_000)
})

test('one byte per second is aborted', async () => {
  expect(await sendSlowly(1, 1000, 600)).toBe('slow')
})

test('a sender that stops halfway is aborted', async () => {
  const haltingBody = createRequestBody()
  haltingBody.put(500_000)
  expect((await haltingBody.bytes.next()).value).toHaveLength(500_000)
  // The first ten seconds had enough bytes; the next ten have none.
  const cutOffExpectation = expect(haltingBody.bytes.next()).rejects.toThrow('slow')
  await vi.advanceTimersByTimeAsync(20_000)
  await cutOffExpectation
})

test('a sender that is fast enough but never ends is aborted', async () => {
  expect(await sendSlowly(18_000, 1000, 600)).toBe('slow')
})

test('the time between reads does not count', async () => {
  const slowlyReadBody = createRequestBody()
  for (let turn = 0; turn < 20; turn += 1) {
    slowlyReadBody.put(10)
    expect((await slowlyReadBody.bytes.next()).value).toHaveLength(10)
    await vi.advanceTimersByTimeAsync(9000)
  }
})

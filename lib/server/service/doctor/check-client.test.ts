import { afterEach, expect, test, vi } from 'vitest'
import { CheckClient, type Reply } from './check-client'

afterEach(() => {
  vi.useRealTimers()
})

const createFaultReply = (fault: 'line_cut' | 'connect_refused' | 'deadline'): Reply => ({
  kind: 'fault',
  fault: fault,
  sentAt: 0,
  tookMs: 1,
})
const createAnswerReply = (status: number): Reply => ({
  kind: 'answer',
  status,
  headers: {},
  text: '{}',
  sentAt: 0,
  tookMs: 1,
})

/**
 * Returns a client that gets these replies in order, and then the last one again and again. `on`
 * sends that many requests and returns the number of requests so far.
 */
function createClient(...replies: Reply[]) {
  let requestCount = 0
  const client = new CheckClient(
    async () => replies[Math.min(requestCount++, replies.length - 1)] ?? createAnswerReply(200),
  )
  const sendRequests = async (times: number) => {
    for (let at = 0; at < times; at += 1)
      await client.ask({ operation: 'accounts.list', path: '/v1/accounts' })
    return requestCount
  }
  return { talk: client, on: sendRequests }
}

test('a slow service is queried for a minute at most', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  let requestCount = 0
  const checkClient = new CheckClient(async () => {
    requestCount += 1
    vi.advanceTimersByTime(9000)
    return createAnswerReply(200)
  })
  for (let at = 0; at < 20; at += 1)
    await checkClient.ask({ operation: 'accounts.list', path: '/v1/accounts' })
  expect(requestCount).toBe(7)
  expect(checkClient.stopped).toContain('too slowly')
})

test.each([
  ['a line that breaks at the first question', [createFaultReply('line_cut')], 1],
  [
    'a second timeout',
    [
      createAnswerReply(200),
      createFaultReply('deadline'),
      createAnswerReply(200),
      createFaultReply('deadline'),
    ],
    4,
  ],
  ['a service that is gone', [createAnswerReply(200), createFaultReply('connect_refused')], 2],
  ['a key that is refused in between', [createAnswerReply(200), createAnswerReply(401)], 2],
  ['being told to slow down', [createAnswerReply(200), createAnswerReply(429)], 2],
])('%s ends the conversation', async (_, replies, asked) => {
  expect(await createClient(...replies).on(10)).toBe(asked)
})

test.each([
  ['what is forbidden', createAnswerReply(403)],
  ['what is not there, later on', createAnswerReply(404)],
  ['what fails', createAnswerReply(500)],
])('%s does not end the conversation', async (_, reply) => {
  const { talk, on } = createClient(createAnswerReply(200), reply)
  expect(await on(5)).toBe(5)
  expect(talk.stopped).toBeNull()
})

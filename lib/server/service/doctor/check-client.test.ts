import { afterEach, expect, test, vi } from 'vitest'
import { CheckClient, type Reply } from './check-client'

afterEach(() => {
  vi.useRealTimers()
})

const createFault = (word: 'line_cut' | 'connect_refused' | 'deadline'): Reply => ({ kind: 'fault', fault: word, sentAt: 0, tookMs: 1 })
const answer = (status: number): Reply => ({ kind: 'answer', status, headers: {}, text: '{}', sentAt: 0, tookMs: 1 })

/** Returns a conversation that gets these replies in order and then repeats the last one. Counts the requests. */
function createClient(...replies: Reply[]) {
  let requestCount = 0
  const client = new CheckClient(async () => replies[Math.min(requestCount++, replies.length - 1)] ?? answer(200))
  const on = async (times: number) => {
    for (let at = 0; at < times; at += 1) await client.ask({ operation: 'accounts.list', path: '/v1/accounts' })
    return requestCount
  }
  return { talk: client, on }
}

test('a slow service is queried for a minute at most', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  let requestCount = 0
  const checkClient = new CheckClient(async () => {
    requestCount += 1
    vi.advanceTimersByTime(9000)
    return answer(200)
  })
  for (let at = 0; at < 20; at += 1) await checkClient.ask({ operation: 'accounts.list', path: '/v1/accounts' })
  expect(requestCount).toBe(7)
  expect(checkClient.stopped).toContain('too slowly')
})

test.each([
  ['a line that breaks at the first question', [createFault('line_cut')], 1],
  ['a second timeout', [answer(200), createFault('deadline'), answer(200), createFault('deadline')], 4],
  ['a service that is gone', [answer(200), createFault('connect_refused')], 2],
  ['a key that is refused in between', [answer(200), answer(401)], 2],
  ['being told to slow down', [answer(200), answer(429)], 2],
])('%s ends the conversation', async (_, replies, asked) => {
  expect(await createClient(...replies).on(10)).toBe(asked)
})

test.each([
  ['what is forbidden', answer(403)],
  ['what is not there, later on', answer(404)],
  ['what fails', answer(500)],
])('%s does not end the conversation', async (_, reply) => {
  const { talk, on } = createClient(answer(200), reply)
  expect(await on(5)).toBe(5)
  expect(talk.stopped).toBeNull()
})

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { createIdempotencyKey, type Person, signIn } from './harness/person'
import {
  buildPayout,
  respondWith,
  type StubService,
  startStubService,
  wrapInEnvelope,
} from './harness/service'
import { waitUntil } from './harness/wait-until'

let stubService: StubService
let dashboard: Dashboard
let person: Person

beforeAll(async () => {
  stubService = await startStubService()
  dashboard = await startDashboard({
    serviceUrl: stubService.url,
    apiKey: 'key-of-this-test-0123456789',
    embeddedStore: true,
  })
  person = await signIn(dashboard.url, 'admin')
})
afterAll(async () => {
  await dashboard?.stop()
  await stubService?.stop()
})

const checkConnectionRefused = () =>
  fetch(`${dashboard.url}/api/health/live`).then(
    () => null,
    () => true,
  )

test('a stop finishes the pending write, ends event streams and idle connections, and leaves nothing open', async () => {
  const account = `acct_${randomUUID()}`
  const pendingResponders: (() => void)[] = []
  const payoutId = stubService.object((own) => (response, seen) => {
    const respondCancelled = () =>
      respondWith(200, wrapInEnvelope(buildPayout(own, { status: 'cancelled' })))(response, seen)
    if (seen.method === 'GET') respondWith(200, wrapInEnvelope(buildPayout(own)))(response, seen)
    else pendingResponders.push(respondCancelled)
  })
  const eventsResponse = await person.send('/api/sandbox/desk/events')
  const eventsTextPromise = eventsResponse.text()
  const cancelReplyPromise = person.put(
    `/api/sandbox/v1/payouts/${payoutId}/cancel?account=${account}`,
    {
      headers: { 'idempotency-key': createIdempotencyKey(), 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'AUTH_PROOF_OK: the proof was received and checked' }),
    },
  )
  await waitUntil('the write at the service', () => (pendingResponders.length > 0 ? true : null))
  const silentSocket = connect(Number(new URL(dashboard.url).port), '127.0.0.1')
  await once(silentSocket, 'connect')
  const socketClosedPromise = once(silentSocket, 'close')

  const firstEndPromise = dashboard.end()
  await waitUntil('the closed door', checkConnectionRefused)
  const secondEndPromise = dashboard.end()
  expect(await eventsTextPromise).toContain('retry:')
  // The stop closes the idle connection at once, although the service has not yet responded to the
  // write.
  await socketClosedPromise
  for (const answer of pendingResponders) answer()
  const { status, body } = await cancelReplyPromise
  expect([status, body.action?.state]).toEqual([200, 'applied'])
  expect([await firstEndPromise, await secondEndPromise]).toEqual([0, 0])
  expect(dashboard.log()).toContain('"event":"stopped"')

  const requestCountBeforeRestart = stubService.seen.length
  await dashboard.restart()
  const personAfterRestart = await signIn(dashboard.url, 'admin')
  const { action } = (await personAfterRestart.get(`/api/sandbox/desk/actions/${body.action?.id}`))
    .body
  expect(action?.state).toBe('applied')
  expect(
    (await personAfterRestart.get(`/api/sandbox/mirror/payouts/${payoutId}`)).body.data,
  ).toMatchObject({ id: payoutId, status: 'cancelled' })
  expect(stubService.seen.length).toBe(requestCountBeforeRestart)
})

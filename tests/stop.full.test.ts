import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { createIdempotencyKey, type Person, signIn } from './harness/person'
import {
  buildPayout,
  respondWith,
  type Service,
  startService,
  wrapInEnvelope,
} from './harness/service'
import { waitUntil } from './harness/wait-until'

let service: Service
let dashboard: Dashboard
let person: Person

beforeAll(async () => {
  service = await startService()
  dashboard = await startDashboard({
    serviceUrl: service.url,
    apiKey: 'key-of-this-test-0123456789',
    embeddedStore: true,
  })
  person = await signIn(dashboard.url, 'admin')
})
afterAll(async () => {
  await dashboard?.stop()
  await service?.stop()
})

const checkConnectionRefused = () =>
  fetch(`${dashboard.url}/api/health/live`).then(
    () => null,
    () => true,
  )

test('a stop finishes the pending write, ends event streams and idle connections, and leaves nothing open', async () => {
  const account = `acct_${randomUUID()}`
  const pendingResponders: (() => void)[] = []
  const id = service.object((own) => (response, seen) => {
    const respondCancelled = () =>
      respondWith(200, wrapInEnvelope(buildPayout(own, { status: 'cancelled' })))(response, seen)
    if (seen.method === 'GET') respondWith(200, wrapInEnvelope(buildPayout(own)))(response, seen)
    else pendingResponders.push(respondCancelled)
  })
  const eventsResponse = await person.send('/api/sandbox/desk/events')
  const eventsText = eventsResponse.text()
  const cancelReplyPromise = person.put(`/api/sandbox/v1/payouts/${id}/cancel?account=${account}`, {
    headers: { 'idempotency-key': createIdempotencyKey(), 'content-type': 'application/json' },
    body: JSON.stringify({ reason: 'AUTH_PROOF_OK: the proof was received and checked' }),
  })
  await waitUntil('the write at the service', () => (pendingResponders.length > 0 ? true : null))
  const silentSocket = connect(Number(new URL(dashboard.url).port), '127.0.0.1')
  await once(silentSocket, 'connect')
  const socketClosed = once(silentSocket, 'close')

  const dashboardEnded = dashboard.end()
  await waitUntil('the closed door', checkConnectionRefused)
  const dashboardEndedAgain = dashboard.end()
  expect(await eventsText).toContain('retry:')
  // The stop closes the idle connection at once, although the service has not yet responded to the
  // write.
  await socketClosed
  for (const answer of pendingResponders) answer()
  const { status, body } = await cancelReplyPromise
  expect([status, body.action?.state]).toEqual([200, 'applied'])
  expect([await dashboardEnded, await dashboardEndedAgain]).toEqual([0, 0])
  expect(dashboard.log()).toContain('"event":"stopped"')

  const requestCount = service.seen.length
  await dashboard.restart()
  const personAfterRestart = await signIn(dashboard.url, 'admin')
  const { action } = (await personAfterRestart.get(`/api/sandbox/desk/actions/${body.action?.id}`))
    .body
  expect(action?.state).toBe('applied')
  expect(
    (await personAfterRestart.get(`/api/sandbox/mirror/payouts/${id}`)).body.data,
  ).toMatchObject({ id, status: 'cancelled' })
  expect(service.seen.length).toBe(requestCount)
})

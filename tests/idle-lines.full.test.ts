import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { type Person, signIn } from './harness/person'
import { type Postgres, startPostgres } from './harness/postgres'
import {
  buildPayout,
  type ResponseBehavior,
  respondWith,
  type StubService,
  startStubService,
  wrapInEnvelope,
} from './harness/service'
import { waitUntil } from './harness/wait-until'

let stubService: StubService
let postgres: Postgres
let dashboard: Dashboard
let db: Client
let person: Person

beforeAll(async () => {
  ;[stubService, postgres] = await Promise.all([startStubService(), startPostgres()])
  const env = { SERVICE_SANDBOX_RATE_LIMIT: '500' }
  const apiKey = 'key-of-this-test-0123456789'
  dashboard = await startDashboard({
    serviceUrl: stubService.url,
    apiKey,
    databaseUrl: postgres.url,
    env,
  })
  person = await signIn(dashboard.url)
  db = new Client(postgres.url)
  await db.connect()
})
afterAll(async () => {
  await db?.end()
  await dashboard?.stop()
  await Promise.all([stubService?.stop(), postgres?.stop()])
})

const idleSockets = new WeakSet<Socket>()
const getSocket = (response: ServerResponse): Socket => response.socket as Socket

const respondWithPayout: ResponseBehavior = (response, seen) => {
  const socket = getSocket(response)
  response.once('finish', () => idleSockets.add(socket))
  const requestedPayoutId = /[0-9a-f-]{36}/.exec(seen.path)?.[0] ?? ''
  respondWith(200, wrapInEnvelope(buildPayout(requestedPayoutId)))(response, seen)
}

/** Ways in which the service closes an idle connection at the moment when Paydesk uses it again. */
const disconnectMethods: Record<string, (idleSocket: Socket) => unknown> = {
  'a reset': (line) => line.resetAndDestroy(),
  'an end': (line) => line.destroy(),
}

const disconnectIfIdle =
  (cut: (line: Socket, response: ServerResponse) => unknown): ResponseBehavior =>
  (response, seen) =>
    idleSockets.has(getSocket(response))
      ? cut(getSocket(response), response)
      : respondWithPayout(response, seen)

const readPayout = (id: string) => person.get(`/api/sandbox/v1/payouts/${id}`)
const serviceFailedReply = {
  status: 502,
  body: {
    error: { code: 'service_failed', detail: 'The payments service did not answer (line_cut)' },
  },
}
const waitForLogRow = (requestId: string) =>
  waitUntil('its row in the request log', async () => {
    const { rows } = await db.query(
      'select attempts, status from request_log where request_id = $1',
      [requestId],
    )
    return (rows[0] as { attempts: number; status: number } | undefined) ?? null
  })

test('a read on a fresh connection is sent only once', async () => {
  const payoutId = stubService.object(() => (response) => getSocket(response).resetAndDestroy())
  const reply = await readPayout(payoutId)
  expect(reply).toMatchObject(serviceFailedReply)
  expect(stubService.seen).toHaveLength(1)
  expect(await waitForLogRow(reply.body.meta.request_id)).toEqual({ attempts: 1, status: 502 })
})

describe('on a reused connection', () => {
  /**
   * Leaves an idle connection that has already carried a response, so that the next request reuses
   * it.
   */
  beforeEach(async () => {
    expect((await readPayout(stubService.object(() => respondWithPayout))).status).toBe(200)
  })

  describe.each(Object.entries(disconnectMethods))('that was cut, seen as %s', (_name, cut) => {
    test('a read is sent once more on a fresh connection under its ID, and the request log counts it', async () => {
      const id = stubService.object(() => disconnectIfIdle(cut))
      const reply = await readPayout(id)
      expect(reply.status).toBe(200)
      const requestIds = stubService.about(id).map(({ headers }) => headers['request-id'])
      expect(requestIds).toEqual([reply.body.meta.request_id, reply.body.meta.request_id])
      expect(await waitForLogRow(reply.body.meta.request_id)).toEqual({ attempts: 2, status: 200 })
      expect(
        await waitForLogRow(
          (await readPayout(stubService.object(() => respondWithPayout))).body.meta.request_id,
        ),
      ).toMatchObject({
        attempts: 1,
      })
    })

    test('none of thirty concurrent reads on cut connections fails', async () => {
      let pendingResponders: (() => void)[] = []
      const respondWhenAllArrived: ResponseBehavior = (response, seen) => {
        pendingResponders.push(() => respondWithPayout(response, seen))
        if (pendingResponders.length < 30) return
        for (const go of pendingResponders) go()
        pendingResponders = []
      }
      const openPayoutIds = Array.from({ length: 30 }, () =>
        stubService.object(() => respondWhenAllArrived),
      )
      expect(
        (await Promise.all(openPayoutIds.map(readPayout))).map(({ status }) => status),
      ).toEqual(openPayoutIds.map(() => 200))

      let disconnectCount = 0
      const countAndDisconnectIfIdle = disconnectIfIdle((idleSocket) => {
        disconnectCount += 1
        cut(idleSocket)
      })
      const payoutIds = Array.from({ length: 30 }, () =>
        stubService.object(() => countAndDisconnectIfIdle),
      )
      expect((await Promise.all(payoutIds.map(readPayout))).map(({ status }) => status)).toEqual(
        payoutIds.map(() => 200),
      )
      // Fewer than thirty connections may be cut: under load, some reads start so late that a new
      // connection is already available.
      expect(disconnectCount).toBeGreaterThan(1)
      for (const id of payoutIds) expect(stubService.about(id).length).toBeLessThanOrEqual(2)
    })

    test('a write is repeated only by its action, with one attempt for each request', async () => {
      const id = stubService.object(() => disconnectIfIdle(cut))
      const reply = await person.decide('cancel', {
        id,
        account: 'acct_018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f',
      })
      expect(reply).toMatchObject({ status: 200, body: { action: { state: 'applied' } } })
      const attempts = reply.body.action?.attempts ?? []
      expect(attempts.map(({ fault }) => fault)).toEqual(['line_cut', null])
      const sentRequests = stubService.about(id)
      expect(sentRequests.map(({ headers }) => headers['request-id'])).toEqual(
        attempts.map(({ request_id }) => request_id),
      )
      expect(new Set(sentRequests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    })
  })

  describe('a read is sent only once', () => {
    test.each<[string, ResponseBehavior]>([
      [
        'when its answer had begun',
        disconnectIfIdle((line) => line.write('HTTP/1.1 200', () => line.destroy())),
      ],
      [
        'when the head of its answer was there',
        disconnectIfIdle((_, response) =>
          response.writeHead(200, { 'content-length': 99 }).write('{', () => response.destroy()),
        ),
      ],
    ])('%s', async (_name, answering) => {
      const id = stubService.object(() => answering)
      const reply = await readPayout(id)
      expect(reply).toMatchObject(serviceFailedReply)
      expect(stubService.about(id)).toHaveLength(1)
      expect(await waitForLogRow(reply.body.meta.request_id)).toEqual({ attempts: 1, status: 502 })
    })

    test('if no further call is allowed', async () => {
      const id = stubService.object(() =>
        disconnectIfIdle(async (line) => {
          await db.query(
            `update service_budgets set paused_until = clock_timestamp() + interval '50 seconds'`,
          )
          line.resetAndDestroy()
        }),
      )
      const reply = await readPayout(id)
      await db.query('delete from service_budgets')
      expect(reply).toMatchObject(serviceFailedReply)
      expect(stubService.about(id)).toHaveLength(1)
      expect(await waitForLogRow(reply.body.meta.request_id)).toEqual({ attempts: 1, status: 502 })
    })

    test('if its reader has left', async () => {
      const readerAbortController = new AbortController()
      let socketClosedPromise: Promise<unknown> = Promise.resolve()
      const id = stubService.object(() =>
        disconnectIfIdle((line) => {
          socketClosedPromise = once(line, 'close')
          readerAbortController.abort()
        }),
      )
      await expect(
        person.send(`/api/sandbox/v1/payouts/${id}`, { signal: readerAbortController.signal }),
      ).rejects.toThrow()
      await socketClosedPromise
      await readPayout(stubService.object(() => respondWithPayout))
      expect(stubService.about(id)).toHaveLength(1)
    })
  })

  test('a read is not sent a third time if the second connection is cut too', async () => {
    const id = stubService.object(() => (response) => getSocket(response).resetAndDestroy())
    await readPayout(stubService.object(() => respondWithPayout))
    const reply = await readPayout(id)
    expect(reply).toMatchObject({ status: 502, body: { error: { code: 'service_failed' } } })
    expect(stubService.about(id)).toHaveLength(2)
    expect(await waitForLogRow(reply.body.meta.request_id)).toEqual({ attempts: 2, status: 502 })
  })
})

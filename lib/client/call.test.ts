import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRequest } from './call'
import { CallError } from './call-error'
import { connectionStatus, recordResponse } from './connection-status'

const action = { id: 'a1', state: 'unknown', replayed: false }
const respondByPath: Record<string, (response: ServerResponse) => void> = {
  '/good': (response) =>
    sendJson(response, 200, {
      response_type: 'object',
      meta: { request_id: 'r1', read_at: 'then', snapshot: 's' },
      data: { a: 1 },
    }),
  '/replayed': (response) =>
    sendJson(
      response,
      200,
      { meta: { request_id: 'r2' }, data: {}, action },
      { 'Idempotent-Replayed': 'true' },
    ),
  '/unknown': (response) =>
    sendJson(response, 202, {
      meta: { request_id: 'r3' },
      error: { code: 'outcome_unknown', detail: 'being confirmed' },
      action,
    }),
  '/changed': (response) =>
    sendJson(response, 409, { meta: { request_id: 'r4' }, error: { code: 'changed' }, action }),
  '/fields': (response) =>
    sendJson(response, 422, {
      error: { code: 'invalid_input', items: [{ reference: 'reason', detail: 'say why' }, 7] },
    }),
  '/later': (response) =>
    sendJson(response, 429, { error: { code: 'too_many' } }, { 'Retry-After': '1800' }),
  '/some-day': (response) =>
    sendJson(
      response,
      429,
      { error: { code: 'too_many' } },
      { 'Retry-After': 'Wed, 21 Oct 2026 07:28:00 GMT' },
    ),
  '/signed-out': (response) => sendJson(response, 401, { error: { code: 'unauthenticated' } }),
  '/key-refused': (response) => sendJson(response, 502, { error: { code: 'service_key_refused' } }),
  '/page': (response) =>
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
  '/page-200': (response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Log in to the hotel</h1>'),
  '/page-403': (response) =>
    response.writeHead(403, { 'content-type': 'text/html' }).end('<h1>Blocked</h1>'),
  '/cut': (response) => {
    response.writeHead(200, { 'content-length': '500' })
    response.write('{"data":', () => response.destroy())
  },
  '/held': (response) => {
    respondToHeldRequest = () => sendJson(response, 200, { meta: { request_id: 'r5' }, data: {} })
  },
  '/elsewhere': (response) => response.writeHead(307, { location: '/good' }).end(),
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body))
}

/** Sends the response to the request for `/held`. */
let respondToHeldRequest = () => {}

let server: Server
let origin = ''
beforeAll(async () => {
  server = createServer((incoming, response) => respondByPath[incoming.url ?? '']?.(response))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const sendGet = (path: string) =>
  sendRequest(origin + path, { method: 'GET', environment: 'sandbox' })
const sendPut = (path: string) =>
  sendRequest(origin + path, { method: 'PUT', body: { reason: 'x' }, environment: 'sandbox' })
const catchError = async (answer: Promise<unknown>) => {
  const caughtError = await answer.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(caughtError instanceof CallError)) throw new Error('did not throw a CallError')
  return caughtError
}

describe('a response of Paydesk', () => {
  test('returns data and meta', async () => {
    expect(await sendGet('/good')).toEqual({
      data: { a: 1 },
      meta: { request_id: 'r1', read_at: 'then', snapshot: 's' },
      action: undefined,
      replayed: false,
    })
  })

  test('is marked as replayed if it is a stored response', async () => {
    expect(await sendPut('/replayed')).toMatchObject({ replayed: true, action: { id: 'a1' } })
  })

  test('to a write with an unknown outcome throws an error with the action', async () => {
    expect(await catchError(sendPut('/unknown'))).toMatchObject({
      code: 'outcome_unknown',
      local: false,
      requestId: 'r3',
      action,
    })
  })

  test('to a refused write throws an error with the open action', async () => {
    expect(await catchError(sendPut('/changed'))).toMatchObject({
      code: 'changed',
      status: 409,
      action,
    })
  })

  test('keeps valid field errors and drops invalid ones', async () => {
    expect((await catchError(sendPut('/fields'))).items).toEqual([
      { reference: 'reason', detail: 'say why' },
    ])
  })

  test('returns the retry delay in whole seconds, or undefined', async () => {
    expect((await catchError(sendGet('/later'))).retryAfter).toBe(1800)
    expect((await catchError(sendGet('/some-day'))).retryAfter).toBeUndefined()
  })
})

describe('without a response of Paydesk', () => {
  test.each(['/page', '/page-200', '/cut', '/elsewhere'])(
    '%s: a read is unavailable, a write is unknown',
    async (path) => {
      expect(await catchError(sendGet(path))).toMatchObject({ code: 'unavailable', local: true })
      expect(await catchError(sendPut(path))).toMatchObject({
        code: 'outcome_unknown',
        local: true,
      })
    },
  )

  test('a plain refusal by a proxy is not an unknown outcome', async () => {
    expect(await catchError(sendPut('/page-403'))).toMatchObject({ code: 'internal', status: 403 })
  })

  test('a write to a closed port has an unknown outcome', async () => {
    const unreachableOrigin = await createClosedOrigin()
    const failedWrite = sendRequest(`${unreachableOrigin}/good`, { method: 'PUT', body: {} })
    expect(await catchError(failedWrite)).toMatchObject({ code: 'outcome_unknown', local: true })
  })

  test('an aborted read rejects with the abort error', async () => {
    const abortedSignal = AbortSignal.abort()
    await expect(
      sendRequest(`${origin}/good`, { method: 'GET', signal: abortedSignal }),
    ).rejects.toMatchObject({
      name: 'AbortError',
    })
  })
})

describe('connection status', () => {
  test('a rejected API key is reported until a successful response of the same environment', async () => {
    let notifyCount = 0
    const unsubscribe = connectionStatus.subscribe(() => {
      notifyCount += 1
    })
    await catchError(sendGet('/key-refused'))
    expect(connectionStatus.read().keyRefused).toEqual(['sandbox'])
    await catchError(sendGet('/changed'))
    expect(connectionStatus.read().keyRefused).toEqual(['sandbox'])
    recordResponse('production', null)
    expect(connectionStatus.read().keyRefused).toEqual(['sandbox'])
    await sendGet('/good')
    expect(connectionStatus.read().keyRefused).toEqual([])
    expect(notifyCount).toBe(2)
    unsubscribe()
  })

  test('an ended session is reported until a later response proves a new session', async () => {
    await catchError(sendGet('/signed-out'))
    await catchError(sendGet('/page'))
    expect(connectionStatus.read().signedOut).toBe(true)
    await sendGet('/good')
    expect(connectionStatus.read().signedOut).toBe(false)
  })

  test('a late response to a request from before the session ended does not prove a new session', async () => {
    const heldReadPromise = sendGet('/held')
    await catchError(sendGet('/signed-out'))
    respondToHeldRequest()
    await heldReadPromise
    expect(connectionStatus.read().signedOut).toBe(true)
    await sendGet('/good')
    expect(connectionStatus.read().signedOut).toBe(false)
  })
})

async function createClosedOrigin() {
  const temporaryServer = createServer()
  await new Promise<void>((ready) => temporaryServer.listen(0, '127.0.0.1', ready))
  const { port } = temporaryServer.address() as AddressInfo
  await new Promise((closed) => temporaryServer.close(closed))
  return `http://127.0.0.1:${port}`
}

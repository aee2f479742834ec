import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorCode } from '@/lib/errors'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { buildCustomerBody } from './harness/objects'
import { type Person, signIn } from './harness/person'
import {
  buildPayout,
  type ResponseBehavior,
  respondWith,
  type Service,
  startService,
  wrapInEnvelope,
} from './harness/service'

const account = `acct_${randomUUID()}`
const apiRequestId = '0190a000-0000-7000-8000-0000000000aa'
const meta = {
  api_request_id: apiRequestId,
  api_request_timestamp: '2026-11-20T10:00:00Z',
  total_rows: 0,
}
const items = [{ reference: 'reason', detail: 'The reason is too long.' }]
const htmlHeaders = { 'content-type': 'text/html; charset=utf-8' }

let service: Service
let dashboard: Dashboard
let person: Person

beforeAll(async () => {
  service = await startService()
  dashboard = await startDashboard({
    serviceUrl: service.url,
    apiKey: `key-of-this-test-${randomUUID()}`,
  })
  person = await signIn(dashboard.url)
})
afterAll(async () => {
  await dashboard?.stop()
  await service?.stop()
})

const respondWithWrappedError = (status: number, type: string, more = {}) =>
  respondWith(status, {
    meta,
    response_type: 'error',
    error: { status, type, title: 'Refused', detail: 'In its own words.', ...more },
  })
const respondWithObjectError = (status: number) =>
  respondWith(status, {
    meta,
    response_type: 'object',
    error: { status, type: '/conflict', title: 'Refused', detail: 'In its own words.' },
  })
const respondWithBareError = (status: number, detail: string, more = {}) =>
  respondWith(status, { status, type: '/conflict', title: 'Conflict', detail, ...more })
const authFailure = respondWith(401, {
  meta,
  response_type: 'error',
  error: { code: 'invalid_api_key', message: 'The key is revoked.', type: 'authentication_error' },
})
const respondEmpty =
  (status: number): ResponseBehavior =>
  (response) =>
    response.writeHead(status).end()
const respondWithHtmlPage = (status: number) =>
  respondWith(status, '<!doctype html><h1>Something</h1>', htmlHeaders)

type ExpectedReadError = {
  status: number
  code: ErrorCode
  detail?: string
  items?: unknown
  api?: boolean
}
type ExpectedWriteError = { status: number; state: string; code: ErrorCode }
const unknownOutcome: ExpectedWriteError = {
  status: 202,
  state: 'unknown',
  code: 'outcome_unknown',
}
const buildRefusedWrite = (status: number, code: ErrorCode): ExpectedWriteError => ({
  status,
  state: 'refused',
  code,
})
const serviceErrorDetail = 'In its own words.'
const failedRead: ExpectedReadError = { status: 502, code: 'service_failed' }

const errorShapes: [string, ResponseBehavior, ExpectedReadError, ExpectedWriteError][] = [
  [
    '400 wrapped',
    respondWithWrappedError(400, 'invalid_request_error'),
    { status: 422, code: 'service_refused', detail: serviceErrorDetail, api: true },
    buildRefusedWrite(422, 'service_refused'),
  ],
  [
    '422 with items',
    respondWithWrappedError(422, '/field_validation', { items }),
    { status: 422, code: 'service_refused', items, api: true },
    buildRefusedWrite(422, 'service_refused'),
  ],
  [
    '409 as response_type object',
    respondWithObjectError(409),
    { status: 409, code: 'service_conflict', detail: serviceErrorDetail, api: true },
    unknownOutcome,
  ],
  [
    '400 as response_type object',
    respondWithObjectError(400),
    { status: 422, code: 'service_refused', detail: serviceErrorDetail, api: true },
    buildRefusedWrite(422, 'service_refused'),
  ],
  [
    '403 wrapped',
    respondWithWrappedError(403, 'api_error'),
    { status: 502, code: 'service_forbidden', detail: serviceErrorDetail },
    buildRefusedWrite(502, 'service_forbidden'),
  ],
  [
    '404 wrapped',
    respondWithWrappedError(404, '/not_found'),
    { status: 404, code: 'service_not_found', detail: serviceErrorDetail },
    buildRefusedWrite(404, 'service_not_found'),
  ],
  [
    '404 HTML',
    respondWithHtmlPage(404),
    { status: 404, code: 'service_not_found', detail: 'base URL' },
    buildRefusedWrite(404, 'service_not_found'),
  ],
  [
    '401 authentication shape',
    authFailure,
    { status: 502, code: 'service_key_refused', detail: 'The key is revoked.' },
    buildRefusedWrite(502, 'service_key_refused'),
  ],
  [
    '401 empty',
    respondEmpty(401),
    { status: 502, code: 'service_key_refused' },
    buildRefusedWrite(502, 'service_key_refused'),
  ],
  [
    '400 bare, key invalid',
    respondWithBareError(400, 'The key is invalid.', { items }),
    { status: 422, code: 'service_refused', items },
    buildRefusedWrite(422, 'service_refused'),
  ],
  [
    '409 bare, in progress',
    respondWithBareError(409, 'The previous identical request is in progress.'),
    { status: 409, code: 'service_conflict' },
    unknownOutcome,
  ],
  [
    '409 bare, other words',
    respondWithBareError(409, 'Something nobody has read yet.'),
    { status: 409, code: 'service_conflict' },
    unknownOutcome,
  ],
  [
    '409 bare, different request',
    respondWithBareError(409, 'The key was already used for a different request.'),
    { status: 409, code: 'service_conflict' },
    { status: 409, state: 'needs_human', code: 'service_conflict' },
  ],
  [
    '429 with seconds',
    respondWith(429, '', { 'retry-after': '1' }),
    { status: 503, code: 'service_busy' },
    buildRefusedWrite(503, 'service_busy'),
  ],
  [
    '500 wrapped',
    respondWithWrappedError(500, 'api_error'),
    { ...failedRead, detail: serviceErrorDetail, api: true },
    unknownOutcome,
  ],
  ['502 HTML', respondWithHtmlPage(502), failedRead, unknownOutcome],
  ['503 empty', respondEmpty(503), failedRead, unknownOutcome],
  [
    '200 truncated',
    respondWith(200, '{"meta":{"api_request_id":"x"},"data":{"id":'),
    failedRead,
    unknownOutcome,
  ],
  ['200 HTML', respondWithHtmlPage(200), failedRead, unknownOutcome],
  [
    '200 JSON under another kind',
    respondWith(200, wrapInEnvelope({}), { 'content-type': 'text/plain' }),
    failedRead,
    unknownOutcome,
  ],
  ['200 empty', respondEmpty(200), failedRead, unknownOutcome],
  [
    '200 without data',
    respondWith(200, { meta, response_type: 'none' }),
    failedRead,
    unknownOutcome,
  ],
  ['200 a list for an object', respondWith(200, wrapInEnvelope([])), failedRead, unknownOutcome],
  [
    '200 wrong types',
    respondWith(200, wrapInEnvelope({ id: 7, status: {}, amount: null })),
    failedRead,
    unknownOutcome,
  ],
  ['200 an array', respondWith(200, '[1]'), failedRead, unknownOutcome],
  [
    '200 very deep',
    respondWith(200, `{"data":${'['.repeat(50_000)}${']'.repeat(50_000)}}`),
    failedRead,
    unknownOutcome,
  ],
  [
    '200 with an error inside',
    respondWith(200, { meta, error: { detail: serviceErrorDetail } }),
    failedRead,
    unknownOutcome,
  ],
  ['204', respondEmpty(204), failedRead, unknownOutcome],
]

describe('a read', () => {
  test.each(errorShapes)('%s', async (_name, answering, told) => {
    const id = service.object(() => answering)
    const { status, headers, body } = await person.get(`/api/sandbox/v1/payouts/${id}`)
    expect({ status, code: body.error?.code }).toEqual({ status: told.status, code: told.code })
    expect(body.response_type).toBe('error')
    expect(body.error?.status).toBe(told.status)
    expect(body.error?.detail).toContain(told.detail ?? '')
    expect(body.error?.detail).not.toMatch(/[<>]/)
    expect(body.error?.items).toEqual(told.items)
    expect(body.data).toBeUndefined()
    expect(body.meta.request_id).toBe(service.about(id)[0]?.headers['request-id'])
    expect(headers.get('request-id')).toMatch(/^req_/)
    if (told.api) expect(body.meta.api_request_id).toBe(apiRequestId)
  })

  test('the retry delay of the service is passed on in seconds, up to a maximum', async () => {
    const waitSecondsByHeader = { '7': '7', '999999': '3600', soon: null }
    for (const [given, wanted] of Object.entries(waitSecondsByHeader)) {
      const id = service.object(() => respondWith(429, '', { 'retry-after': given }))
      expect((await person.get(`/api/sandbox/v1/payouts/${id}`)).headers.get('retry-after')).toBe(
        wanted,
      )
    }
  })
})

test.concurrent.each(errorShapes)('a write: %s', async (_name, answering, _told, expected) => {
  const id = service.object(() => answering)
  const { status, body } = await person.decide('cancel', { id, account })
  expect({ status, state: body.action?.state, code: body.error?.code }).toEqual(expected)
  const attempts = body.action?.attempts ?? []
  expect(body.meta.request_id).toBe(attempts.at(-1)?.request_id)
  const sentRequests = service.about(id)
  expect(sentRequests).toHaveLength(attempts.length)
  expect(new Set(sentRequests.map((entry) => entry.headers['idempotency-key'])).size).toBe(1)
  if (expected.state !== 'unknown')
    expect(attempts).toHaveLength(expected.code === 'service_busy' ? attempts.length : 1)
})

test('a refusal that quotes the input is shown and stored without it', async () => {
  const sentFields = buildCustomerBody()
  const quotedValues = [sentFields.email, sentFields.phone]
  const detail = `${quotedValues.join(' and ')} are taken.`
  const items = [{ reference: 'email', detail: `${sentFields.email} is taken.` }]
  service.lists(
    respondWith(422, {
      meta,
      response_type: 'error',
      error: { status: 422, type: '/field_validation', title: 'Refused', detail, items },
    }),
  )
  const reply = await person.write('POST', `/customers?account=${account}`, sentFields)
  expect(reply).toMatchObject({
    status: 422,
    body: { error: { detail: '••• and ••• are taken.', items: [{ detail: '••• is taken.' }] } },
  })
  const actionReply = await person.action(reply.body.action?.id ?? '')
  expect(actionReply.body.action?.state).toBe('refused')
  for (const text of [JSON.stringify(reply), JSON.stringify(actionReply), dashboard.log()])
    expect(quotedValues.filter((value) => text.includes(value))).toEqual([])
})

describe('a readable success', () => {
  test('may have total_rows, times without a zone, numeric amounts and unknown values', async () => {
    const row = {
      id: randomUUID(),
      payment_type: 'payout',
      amount: 12500,
      currency: 'USD',
      status: 'a_status_of_tomorrow',
      created_at: '2026-11-20T10:00:00',
      updated_at: '2026-11-20T10:00:00+02:00',
      canary_extra: 'never',
      customer_details: { id: randomUUID(), name: 'A', canary_inner: 'never' },
    }
    service.lists(
      respondWith(
        200,
        wrapInEnvelope([row], {
          total_rows: 77,
          page_number: 1,
          page_size: 50,
          sort_order: 'desc',
          sort_by: 'created_at',
        }),
      ),
    )
    const { status, body } = await person.get<Record<string, unknown>[]>('/api/sandbox/v1/payments')
    expect(status).toBe(200)
    expect(body.meta).toMatchObject({
      total_items: 77,
      page_number: 1,
      page_size: 50,
      sort_order: 'desc',
      sort_by: 'created_at',
    })
    expect(body.data?.[0]).toMatchObject({
      amount: '12500',
      status: 'a_status_of_tomorrow',
      created_at: '2026-11-20T10:00:00Z',
      updated_at: '2026-11-20T10:00:00+02:00',
    })
    expect(JSON.stringify(body)).not.toContain('canary')
  })

  test.each([12500, '12500', '125.00', 0.1])('amount %j stays unchanged', async (amount) => {
    const id = service.object((id) => respondWith(200, wrapInEnvelope(buildPayout(id, { amount }))))
    const { body } = await person.get(`/api/sandbox/v1/payouts/${id}`)
    expect(body.data).toMatchObject({ amount: String(amount) })
  })
})

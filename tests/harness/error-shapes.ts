import type { ErrorCode } from '@/lib/errors'
import { type ResponseBehavior, respondWith, wrapInEnvelope } from './service'

export const apiRequestId = '0190a000-0000-7000-8000-0000000000aa'
export const errorMeta = {
  api_request_id: apiRequestId,
  api_request_timestamp: '2026-11-20T10:00:00Z',
  total_rows: 0,
}
const errorItems = [{ reference: 'reason', detail: 'The reason is too long.' }]
const htmlHeaders = { 'content-type': 'text/html; charset=utf-8' }

const respondWithWrappedError = (status: number, type: string, extraErrorFields = {}) =>
  respondWith(status, {
    meta: errorMeta,
    response_type: 'error',
    error: { status, type, title: 'Refused', detail: 'In its own words.', ...extraErrorFields },
  })
const respondWithObjectError = (status: number) =>
  respondWith(status, {
    meta: errorMeta,
    response_type: 'object',
    error: { status, type: '/conflict', title: 'Refused', detail: 'In its own words.' },
  })
const respondWithBareError = (status: number, detail: string, extraErrorFields = {}) =>
  respondWith(status, { status, type: '/conflict', title: 'Conflict', detail, ...extraErrorFields })
const respondAuthFailure = respondWith(401, {
  meta: errorMeta,
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
const unknownOutcomeError: ExpectedWriteError = {
  status: 202,
  state: 'unknown',
  code: 'outcome_unknown',
}
const buildRefusedWriteError = (status: number, code: ErrorCode): ExpectedWriteError => ({
  status,
  state: 'refused',
  code,
})
const serviceErrorDetail = 'In its own words.'
const failedReadError: ExpectedReadError = { status: 502, code: 'service_failed' }

/**
 * Responses with an error, or with a success that cannot be read: name, response, and what a person
 * gets for a read and for a write.
 */
export const errorShapes: [string, ResponseBehavior, ExpectedReadError, ExpectedWriteError][] = [
  [
    '400 wrapped',
    respondWithWrappedError(400, 'invalid_request_error'),
    { status: 422, code: 'service_refused', detail: serviceErrorDetail, api: true },
    buildRefusedWriteError(422, 'service_refused'),
  ],
  [
    '422 with items',
    respondWithWrappedError(422, '/field_validation', { items: errorItems }),
    { status: 422, code: 'service_refused', items: errorItems, api: true },
    buildRefusedWriteError(422, 'service_refused'),
  ],
  [
    '409 as response_type object',
    respondWithObjectError(409),
    { status: 409, code: 'service_conflict', detail: serviceErrorDetail, api: true },
    unknownOutcomeError,
  ],
  [
    '400 as response_type object',
    respondWithObjectError(400),
    { status: 422, code: 'service_refused', detail: serviceErrorDetail, api: true },
    buildRefusedWriteError(422, 'service_refused'),
  ],
  [
    '403 wrapped',
    respondWithWrappedError(403, 'api_error'),
    { status: 502, code: 'service_forbidden', detail: serviceErrorDetail },
    buildRefusedWriteError(502, 'service_forbidden'),
  ],
  [
    '404 wrapped',
    respondWithWrappedError(404, '/not_found'),
    { status: 404, code: 'service_not_found', detail: serviceErrorDetail },
    buildRefusedWriteError(404, 'service_not_found'),
  ],
  [
    '404 HTML',
    respondWithHtmlPage(404),
    { status: 404, code: 'service_not_found', detail: 'base URL' },
    buildRefusedWriteError(404, 'service_not_found'),
  ],
  [
    '401 authentication shape',
    respondAuthFailure,
    { status: 502, code: 'service_key_refused', detail: 'The key is revoked.' },
    buildRefusedWriteError(502, 'service_key_refused'),
  ],
  [
    '401 empty',
    respondEmpty(401),
    { status: 502, code: 'service_key_refused' },
    buildRefusedWriteError(502, 'service_key_refused'),
  ],
  [
    '400 bare, key invalid',
    respondWithBareError(400, 'The key is invalid.', { items: errorItems }),
    { status: 422, code: 'service_refused', items: errorItems },
    buildRefusedWriteError(422, 'service_refused'),
  ],
  [
    '409 bare, in progress',
    respondWithBareError(409, 'The previous identical request is in progress.'),
    { status: 409, code: 'service_conflict' },
    unknownOutcomeError,
  ],
  [
    '409 bare, other words',
    respondWithBareError(409, 'Something nobody has read yet.'),
    { status: 409, code: 'service_conflict' },
    unknownOutcomeError,
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
    buildRefusedWriteError(503, 'service_busy'),
  ],
  [
    '500 wrapped',
    respondWithWrappedError(500, 'api_error'),
    { ...failedReadError, detail: serviceErrorDetail, api: true },
    unknownOutcomeError,
  ],
  ['502 HTML', respondWithHtmlPage(502), failedReadError, unknownOutcomeError],
  ['503 empty', respondEmpty(503), failedReadError, unknownOutcomeError],
  [
    '200 truncated',
    respondWith(200, '{"meta":{"api_request_id":"x"},"data":{"id":'),
    failedReadError,
    unknownOutcomeError,
  ],
  ['200 HTML', respondWithHtmlPage(200), failedReadError, unknownOutcomeError],
  [
    '200 JSON under another kind',
    respondWith(200, wrapInEnvelope({}), { 'content-type': 'text/plain' }),
    failedReadError,
    unknownOutcomeError,
  ],
  ['200 empty', respondEmpty(200), failedReadError, unknownOutcomeError],
  [
    '200 without data',
    respondWith(200, { meta: errorMeta, response_type: 'none' }),
    failedReadError,
    unknownOutcomeError,
  ],
  [
    '200 a list for an object',
    respondWith(200, wrapInEnvelope([])),
    failedReadError,
    unknownOutcomeError,
  ],
  [
    '200 wrong types',
    respondWith(200, wrapInEnvelope({ id: 7, status: {}, amount: null })),
    failedReadError,
    unknownOutcomeError,
  ],
  ['200 an array', respondWith(200, '[1]'), failedReadError, unknownOutcomeError],
  [
    '200 very deep',
    respondWith(200, `{"data":${'['.repeat(50_000)}${']'.repeat(50_000)}}`),
    failedReadError,
    unknownOutcomeError,
  ],
  [
    '200 with an error inside',
    respondWith(200, { meta: errorMeta, error: { detail: serviceErrorDetail } }),
    failedReadError,
    unknownOutcomeError,
  ],
  ['204', respondEmpty(204), failedReadError, unknownOutcomeError],
]

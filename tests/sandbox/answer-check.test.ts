import { expect, test } from 'vitest'
import { z } from 'zod'
import { makeOpenapiDocument } from '@/sandbox/openapi/openapi-document'
import { defineObjectOperation } from '@/sandbox/operation'
import { ResponseValidator } from './answer-check'

const operationDefaults = {
  method: 'GET',
  summary: 'Look up',
  account: { saas: 'optional', marketplace: 'optional' },
} as const
const thingSchema = z
  .strictObject({ id: z.uuid(), name: z.string().nullable() })
  .meta({ id: 'Thing' })
const handleRequest = () => ({ id: '', name: null })
const thingOperations = [
  defineObjectOperation({
    ...operationDefaults,
    id: 'things.get',
    path: '/v1/things/:id',
    output: thingSchema,
    handle: handleRequest,
  }),
  defineObjectOperation({
    ...operationDefaults,
    id: 'things.first',
    path: '/v1/things/first',
    output: z.strictObject({ first: z.literal(true) }),
    handle: () => ({ first: true as const }),
  }),
]
const responseValidator = new ResponseValidator(makeOpenapiDocument(thingOperations, 'sandbox'))

const thingId = '01890000-0000-7000-8000-000000000000'
const responseMeta = { api_request_id: thingId, api_request_timestamp: '2026-01-02T03:04:05.678Z' }
const validBody = { meta: responseMeta, response_type: 'object', data: { id: thingId, name: null } }
const notFoundError = {
  status: 404,
  type: '/not_found',
  title: 'Not Found',
  detail: 'No such thing.',
}
const checkExchange = (
  status: number,
  body: unknown,
  path = `/v1/things/${thingId}`,
  method = 'GET',
) => responseValidator.check({ method, path, status, body })

test('accepts responses that match the description', () => {
  checkExchange(200, validBody)
  checkExchange(200, { ...validBody, data: { first: true } }, '/v1/things/first')
  checkExchange(404, { meta: responseMeta, response_type: 'error', error: notFoundError })
  checkExchange(401, {
    meta: responseMeta,
    response_type: 'error',
    error: { code: 'invalid_api_key', message: 'No.', type: 'authentication_error' },
  })
})

test.each([
  [
    'a missing field',
    200,
    { ...validBody, data: { id: thingId } },
    /things\.get answered 200 .*\/data must have required property 'name'/,
  ],
  [
    'a field too many',
    200,
    { ...validBody, data: { id: thingId, name: null, age: 1 } },
    /\/data must NOT have additional properties \(age\)/,
  ],
  ['a wrong type', 200, { ...validBody, data: { id: thingId, name: 7 } }, /\/data\/name/],
  [
    'a wrong format',
    200,
    { ...validBody, data: { id: 'x', name: null } },
    /\/data\/id must match format "uuid"/,
  ],
  ['a wrong envelope', 200, { ...validBody, response_type: 'array' }, /\/response_type/],
  ['an error of the wrong shape', 404, notFoundError, /must have required property 'meta'/],
  [
    'a status that is not named',
    418,
    notFoundError,
    /answered 418, which the OpenAPI document does not name/,
  ],
])('rejects %s', (_name, status, body, message) => {
  expect(() => checkExchange(status, body)).toThrow(message)
})

test('rejects an unknown operation', () => {
  expect(() => checkExchange(200, validBody, '/v1/nothing')).toThrow('GET /v1/nothing')
  expect(() => checkExchange(200, validBody, `/v1/things/${thingId}`, 'PUT')).toThrow(
    'PUT /v1/things/',
  )
})

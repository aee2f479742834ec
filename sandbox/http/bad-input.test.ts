import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { buildCustomerBody, findAccountWithConfiguration } from '@/tests/sandbox/own-customer'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { process, client } = startSandboxPerFile()

const jsonHeaders = { 'content-type': 'application/json' }
const postCustomer = async (
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) =>
  client().ask('/v1/customers', {
    method: 'POST',
    body,
    headers: {
      ...jsonHeaders,
      'service-account-id': (await findAccountWithConfiguration(client())).id,
      ...headers,
    },
  })
const listErrorReferences = (errorResponse: { json: { error?: Record<string, unknown> } }) =>
  ((errorResponse.json.error?.items ?? []) as { reference: string }[]).map(
    ({ reference }) => reference,
  )

describe('a query', () => {
  test.each([
    ['__proto__=1', '__proto__'],
    ['name=%00', 'name'],
    ['search_text=a%00', 'search_text'],
    ['created_from=2026-02-30', 'created_from'],
    ['created_from=2026-02-30T10:00:00Z', 'created_from'],
  ])('with %s is 400 with the field name', async (query, named) => {
    const errorResponse = await client().ask(`/v1/customers?${query}`)
    expect([errorResponse.status, listErrorReferences(errorResponse)]).toEqual([400, [named]])
  })
})

describe('a body', () => {
  test('with a key named __proto__ is rejected', async () => {
    const body = JSON.stringify(buildCustomerBody()).replace(
      /\}$/,
      ',"metadata":{"__proto__":"x"}}',
    )
    const prototypeKeyResponse = await postCustomer(body)
    expect([prototypeKeyResponse.status, listErrorReferences(prototypeKeyResponse)]).toEqual([
      400,
      ['__proto__'],
    ])
  })

  test('with invalid UTF-8 is rejected', async () => {
    const invalidUtf8Bytes = new Uint8Array(
      Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]),
    )
    const invalidUtf8Response = await postCustomer(invalidUtf8Bytes)
    expect([invalidUtf8Response.status, invalidUtf8Response.json.error?.detail]).toEqual([
      400,
      expect.stringContaining('UTF-8'),
    ])
  })

  test('with a Content-Encoding is rejected', async () => {
    const encodedBodyResponse = await postCustomer(JSON.stringify(buildCustomerBody()), {
      'content-encoding': 'gzip',
    })
    expect([encodedBodyResponse.status, encodedBodyResponse.json.error?.detail]).toEqual([
      400,
      expect.stringContaining('Content-Encoding'),
    ])
  })
})

test('HEAD is not allowed, and the process prints nothing', async () => {
  const headStatus = await new Promise((resolve, reject) => {
    const headRequest = request(`${process().url}/v1/accounts`, { method: 'HEAD' }, (response) =>
      resolve(response.statusCode),
    )
    headRequest.on('error', reject).end()
  })
  const logLineCountBefore = process().lines.length
  await client().ask('/v1/accounts')
  expect([headStatus, process().lines.slice(logLineCountBefore)]).toEqual([405, []])
})

test('a method unknown to a fixed path is 405, even if a path with a parameter has it', async () => {
  const putResponse = await client().ask('/v1/accounts/capability_requests', { method: 'PUT' })
  expect([putResponse.status, putResponse.headers.get('allow')]).toEqual([405, 'POST, GET'])
})

test('the request log stores no token and no search text', async () => {
  await client().ask('/v1/payments?paykey=0123abcd.02.secret&search_text=Ada&page_size=1')
  const { data } = await client().control('requests')
  expect(data.at(-1)?.query).toBe('paykey=***&search_text=***&page_size=1')
})

test.each([
  { advance_seconds: 1e300 },
  { advance_seconds: 3_155_760_001 },
  { now: '9999-01-01T00:00:00Z' },
  { now: '1969-01-01T00:00:00Z' },
])('the clock cannot be set to %j', async (overrides) => {
  const refusedResponse = await client().controlRaw('clock', overrides)
  expect([refusedResponse.status, (await client().ask('/v1/accounts')).status]).toEqual([400, 200])
})

test.each([
  ['an unknown route', 'GET', '/v1/nothing', 404],
  ['a method that is not allowed', 'DELETE', '/v1/payments', 405],
])('%s returns the tracing headers', async (_name, method, path, status) => {
  const tracedResponse = await client().ask(path, {
    method,
    headers: { 'request-id': 'r-1', 'correlation-id': 'c-1' },
  })
  expect([
    tracedResponse.status,
    tracedResponse.headers.get('request-id'),
    tracedResponse.headers.get('correlation-id'),
  ]).toEqual([status, 'r-1', 'c-1'])
})

import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client, process } = startSandboxPerFile()

const uuidStartPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-/
const expectedMeta = {
  api_request_id: expect.stringMatching(uuidStartPattern),
  api_request_timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
}

describe('API keys', () => {
  test.each([
    ['none', () => null],
    ['an invalid one', () => 'not.a.key'],
    ['one signed by somebody else', () => `${process().keys.full.slice(0, -3)}abc`],
    ['an expired one', () => process().keys.expired],
    ["another environment's", () => process().keys.foreign],
  ])('%s is 401 in its own format', async (_name, key) => {
    const invalidKeyResponse = await client().ask('/v1/payments', { key: key() })
    expect(invalidKeyResponse.status).toBe(401)
    const expectedError = {
      code: 'invalid_api_key',
      message: expect.any(String),
      type: 'authentication_error',
    }
    expect(invalidKeyResponse.json).toEqual({
      meta: expectedMeta,
      response_type: 'error',
      error: expectedError,
    })
    expect(invalidKeyResponse.text).not.toContain(process().keys.full.slice(0, 12))
  })

  test('that are read-only can read, and get 403 for a write', async () => {
    const payout = await client().payout()
    const readOnlyKey = process().keys.read_only
    expect((await client().ask(`/v1/payouts/${payout.id}`, { key: readOnlyKey })).status).toBe(200)
    const releaseResponse = await client().ask(`/v1/payouts/${payout.id}/release`, {
      method: 'PUT',
      key: readOnlyKey,
    })
    expect(releaseResponse.json).toEqual({
      meta: expectedMeta,
      response_type: 'error',
      error: expect.objectContaining({ status: 403, type: '/forbidden' }),
    })
    expect(await client().effects(payout.id)).toEqual([])
  })

  test('the secret, the database and its log are readable by their owner only', () => {
    const privateFiles = ['api-keys.json', 'signing-secret', 'sandbox.db', 'sandbox.db-wal']
    const fileModes = privateFiles.map((file) => statSync(join(process().data, file)).mode & 0o777)
    expect(fileModes).toEqual(privateFiles.map(() => 0o600))
  })
})

describe('routes', () => {
  test.each(['/v1/nothing', '/v2/payments', '/v1/payouts/x/y/z', '/index.html'])(
    '%s is a 404 page of HTML',
    async (path) => {
      const notFoundPageResponse = await client().ask(path, { key: null })
      expect([
        notFoundPageResponse.status,
        notFoundPageResponse.headers.get('content-type'),
      ]).toEqual([404, 'text/html; charset=utf-8'])
      expect(notFoundPageResponse.text).toMatch(/^<!doctype html>/)
    },
  )

  test.each([
    ['DELETE', '/v1/payments', 'GET'],
    ['GET', `/v1/payouts/${randomUUID()}/release`, 'PUT'],
    ['GET', '/v1/payouts', 'POST'],
  ])('%s %s is 405 and lists the allowed methods', async (method, path, allow) => {
    const methodNotAllowedResponse = await client().ask(path, { method })
    expect([
      methodNotAllowedResponse.status,
      methodNotAllowedResponse.headers.get('allow'),
      methodNotAllowedResponse.text,
    ]).toEqual([405, allow, ''])
  })

  test('the control plane accepts only JSON and names an invalid field', async () => {
    const plainTextResponse = await fetch(`${process().url}/sandbox/reset`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'text/plain' },
    })
    expect(plainTextResponse.status).toBe(400)
    const wrongNameResponse = await client().controlRaw('faults', {
      operation: 'payouts.relese',
      kind: 'delay',
      ms: 1,
    })
    expect([wrongNameResponse.status, await wrongNameResponse.json()]).toMatchObject([
      400,
      { fields: [{ field: 'operation', detail: expect.stringContaining('payouts.release') }] },
    ])
    const extraFieldResponse = await client().controlRaw('rate-limit', {
      per_second: 1,
      per_minute: 2,
    })
    expect([extraFieldResponse.status, await extraFieldResponse.text()]).toEqual([
      400,
      expect.stringContaining('per_minute'),
    ])
  })
})

describe('conventions of every response', () => {
  test('Request-Id and Correlation-Id are returned if they were sent, also in errors', async () => {
    const headers = { 'request-id': 'r-1', 'correlation-id': 'c-1' }
    const okResponse = await client().ask('/v1/accounts', { headers })
    const unauthorizedResponse = await client().ask('/v1/payments', { headers, key: null })
    for (const answer of [okResponse, unauthorizedResponse])
      expect(Object.fromEntries(answer.headers)).toMatchObject(headers)
    const responseWithoutRequestId = await client().ask('/v1/accounts')
    expect([
      responseWithoutRequestId.headers.get('request-id'),
      responseWithoutRequestId.headers.get('correlation-id'),
    ]).toEqual([null, null])
  })

  test('an object has its envelope, and a list has its page figures', async () => {
    const listResponse = await client().ask('/v1/accounts?page_size=5&page_number=2')
    const pageMeta = {
      page_number: 2,
      page_size: 5,
      total_items: 16,
      total_pages: 4,
      max_page_size: 1000,
      sort_by: 'id',
      sort_order: 'asc',
    }
    expect(listResponse.json).toEqual({
      meta: { ...expectedMeta, ...pageMeta },
      response_type: 'array',
      data: expect.any(Array),
    })
    const [account] = listResponse.json.data as { id: string }[]
    const accountResponse = await client().ask(`/v1/accounts/${account?.id}`)
    expect(accountResponse.json).toEqual({
      meta: expectedMeta,
      response_type: 'object',
      data: account,
    })
  })

  test.each([
    ['a malformed id', '/v1/payouts/17', 400, '/bad_request', 'id'],
    ['an id that climbs', '/v1/payouts/..%2f..%2fetc', 400, '/bad_request', 'id'],
    ['an id with a zero byte', '/v1/payouts/%00', 400, '/bad_request', 'id'],
    ['an id that cannot be decoded', '/v1/payouts/%zz', 400, '/bad_request', 'id'],
    ['an unknown filter', '/v1/payments?stauts=paid', 400, '/bad_request', 'stauts'],
    ['a page size over 1000', '/v1/payments?page_size=1001', 400, '/bad_request', 'page_size'],
    ['page zero', '/v1/payments?page_number=0', 400, '/bad_request', 'page_number'],
    [
      'an unknown status',
      '/v1/payments?payment_status=paid,lost',
      400,
      '/bad_request',
      'payment_status',
    ],
    [
      'a filter given twice',
      '/v1/payments?min_amount=1&min_amount=2',
      400,
      '/bad_request',
      'min_amount',
    ],
    ['an object that is not there', `/v1/payouts/${randomUUID()}`, 404, '/not_found', undefined],
    ['an account that is not there', `/v1/accounts/${randomUUID()}`, 404, '/not_found', undefined],
  ])('%s: %s is %i %s', async (_name, path, status, type, reference) => {
    const errorResponse = await client().ask(path)
    const expectedErrorItems =
      reference === undefined ? {} : { items: [{ reference, detail: expect.any(String) }] }
    expect(errorResponse.status).toBe(status)
    expect(errorResponse.json).toEqual({
      meta: expectedMeta,
      response_type: 'error',
      error: {
        status,
        type,
        title: expect.any(String),
        detail: expect.any(String),
        ...expectedErrorItems,
      },
    })
  })

  test.each([
    ['another Content-Type', 'text/plain', '{}', 400, 'Content-Type'],
    ['broken JSON', 'application/json', '{', 400, 'body'],
    ['a reason that is no string', 'application/json', '{"reason":7}', 422, 'reason'],
    [
      'a reason of 501 characters',
      'text/json',
      JSON.stringify({ reason: 'x'.repeat(501) }),
      422,
      'reason',
    ],
    ['a field that is not known', 'application/vnd.api+json', '{"cause":"x"}', 422, 'cause'],
  ])('a body with %s is rejected', async (_name, type, body, status, reference) => {
    const payout = await client().payout()
    const answer = await client().ask(`/v1/payouts/${payout.id}/release`, {
      method: 'PUT',
      body,
      headers: { 'content-type': type },
    })
    expect(answer.json.error).toMatchObject({
      status,
      type: status === 400 ? '/bad_request' : '/validation_error',
      items: [{ reference }],
    })
    expect(await client().effects(payout.id)).toEqual([])
  })
})

describe('Service-Account-Id', () => {
  const listActiveAccounts = async () =>
    (await client().ask('/v1/accounts?status=active')).json.data as { id: string }[]

  test('limits reads, writes and searches, and a foreign object is 404 like an unknown one', async () => {
    const [own, foreign] = await listActiveAccounts()
    const payout = await client().payout({ account_id: own?.id })
    const objectPaths = [`/v1/payouts/${payout.id}`, `/v1/paykeys/${payout.paykey_details.id}`]
    for (const path of objectPaths) {
      for (const value of [`acct_${own?.id}`, own?.id ?? '']) {
        expect(
          (await client().ask(path, { headers: { 'service-account-id': value } })).status,
        ).toBe(200)
      }
      expect((await client().ask(path)).status).toBe(200)
      const hiddenObjectResponse = await client().ask(path, {
        headers: { 'service-account-id': `acct_${foreign?.id}` },
      })
      expect(hiddenObjectResponse.json.error).toMatchObject({ status: 404, type: '/not_found' })
    }
    const refusedResponse = await client().put(
      `/v1/payouts/${payout.id}/release`,
      {},
      { 'service-account-id': `acct_${foreign?.id}` },
    )
    expect([refusedResponse.status, await client().effects(payout.id)]).toEqual([404, []])
  })

  test('divides all payments between the accounts', async () => {
    const countPayments = async (headers: Record<string, string>) =>
      Number((await client().ask('/v1/payments?page_size=1', { headers })).json.meta?.total_items)
    const paymentCountsPerAccount = await Promise.all(
      (await listActiveAccounts()).map(({ id }) =>
        countPayments({ 'service-account-id': `acct_${id}` }),
      ),
    )
    expect(paymentCountsPerAccount.every((part) => part > 0)).toBe(true)
    expect(paymentCountsPerAccount.reduce((sum, part) => sum + part, 0)).toBe(
      await countPayments({}),
    )
  })

  test.each(['acct_', 'acct_17', 'merchant_1', ''])('with the value %j is 400', async (value) => {
    const invalidHeaderResponse = await client().ask('/v1/payments', {
      headers: { 'service-account-id': value },
    })
    expect(invalidHeaderResponse.json.error).toMatchObject({
      status: 400,
      items: [{ reference: 'Service-Account-Id' }],
    })
  })

  test('of an unknown account is 404', async () => {
    const unknownAccountResponse = await client().ask('/v1/payments', {
      headers: { 'service-account-id': `acct_${randomUUID()}` },
    })
    expect(unknownAccountResponse.json.error).toMatchObject({ status: 404, type: '/not_found' })
  })
})

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  listErrorReferences,
  type ResponseObject,
  readResponseData,
  readResponseRows,
} from '@/tests/sandbox/answer-parts'
import { linkBankAccount, linkByPlaid } from '@/tests/sandbox/link-bank-account'
import { createTestCustomer, findAccountWithConfiguration } from '@/tests/sandbox/own-customer'
import { buildPayoutBody, createTestPaykey } from '@/tests/sandbox/own-paykey'
import type { RequestOptions } from '@/tests/sandbox/sandbox-client'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

// These tests check behavior that was observed at the provider, although none of its contracts
// describes it.

const { client } = startSandboxPerFile('--dialect', 'provider')

const readObject = async (path: string) => readResponseData(await client().ask(`/v1/${path}`))
const makePayment = (type: 'charge' | 'payout', overrides: Record<string, unknown> = {}) =>
  client().control<ResponseObject>(`objects/${type}s`, overrides)

/** Returns every value, at any depth, whose field name ends in `ending`. */
function listValuesByNameEnding(value: unknown, ending: string): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) =>
    name.endsWith(ending) && typeof part !== 'object'
      ? [part]
      : listValuesByNameEnding(part, ending),
  )
}

test('objects have undocumented fields', async () => {
  const { id } = await makePayment('payout')
  expect(await readObject(`payouts/${id}`)).toMatchObject({
    settlement_window: 'standard',
    network_attempts: 1,
  })
  expect(readResponseRows(await client().ask('/v1/customers?page_size=1'))[0]).toHaveProperty(
    'risk_tier',
    null,
  )
  expect(readResponseRows(await client().ask('/v1/paykeys?page_size=1'))[0]).toHaveProperty(
    'token_version',
  )
  expect(readResponseRows(await client().ask('/v1/accounts?page_size=1'))[0]).toHaveProperty(
    'tags',
    [],
  )
})

test('an unknown object is /not_found in the envelope, and an unknown route is HTML', async () => {
  const notFoundResponse = await client().ask(`/v1/payouts/${randomUUID()}`)
  expect([
    notFoundResponse.status,
    notFoundResponse.json.response_type,
    notFoundResponse.json.error?.type,
  ]).toEqual([404, 'error', '/not_found'])
  const unknownRouteResponse = await client().ask('/v1/webhooks')
  expect([unknownRouteResponse.status, unknownRouteResponse.headers.get('content-type')]).toEqual([
    404,
    'text/html; charset=utf-8',
  ])
})

test('a status without a code omits the field', async () => {
  const { id } = await makePayment('payout')
  const payout = await readObject(`payouts/${id}`)
  expect(payout.status_details).not.toHaveProperty('code')
  expect(JSON.stringify(payout)).not.toContain('"code"')
  const failedPayout = await makePayment('payout', {
    sandbox_outcome: 'failed_closed_bank_account',
  })
  await client().put(`/v1/payouts/${failedPayout.id}/release`, {})
  await client().control('clock', { advance_seconds: 400 })
  expect(await readObject(`payouts/${failedPayout.id}`)).toMatchObject({
    status: 'failed',
    status_details: { code: 'R02' },
  })
})

test('times have seven digits, or on some reads none and no zone, and client data is unchanged', async () => {
  const account = await findAccountWithConfiguration(client())
  const clientMetadata = { noted_at: '2030-01-31T12:00:00.000Z' }
  const createdCustomer = await createTestCustomer(client(), account, { metadata: clientMetadata })
  expect(createdCustomer).toMatchObject({
    metadata: clientMetadata,
    created_at: expect.stringMatching(/^[\d-]{10}T[\d:]{8}\.\d{7}Z$/),
  })
  const customer = await readObject(`customers/${createdCustomer.id}`)
  expect(customer).toMatchObject({
    metadata: clientMetadata,
    created_at: createdCustomer.created_at?.toString().slice(0, 19),
  })
  const { id } = await makePayment('payout')
  const payoutTimes = listValuesByNameEnding(await readObject(`payouts/${id}`), '_at')
  expect(payoutTimes.length).toBeGreaterThan(3)
  for (const time of payoutTimes) expect(time).toMatch(/^[\d-]{10}T[\d:]{8}\.\d{7}Z$/)
})

test('funding events omit trace numbers and their lines the external ID, though both are required', async () => {
  const [event] = readResponseRows(await client().ask('/v1/funding_events?page_size=1'))
  expect(event).toHaveProperty('trace_number')
  for (const one of [event, await readObject(`funding_events/${event?.id}`)])
    expect(one).not.toHaveProperty('trace_numbers')
  const [line] = readResponseRows(await client().ask(`/v1/funding_event_payments/${event?.id}`))
  expect(line).toHaveProperty('funding_amount')
  expect(line).not.toHaveProperty('external_id')
})

test('a paykey created from bank details has no balance', async () => {
  const account = await findAccountWithConfiguration(client())
  const customer = await createTestCustomer(client(), account, {
    config: { sandbox_outcome: 'verified' },
  })
  const manuallyLinkedPaykey = await linkBankAccount(client(), account, customer.id)
  expect(manuallyLinkedPaykey).not.toHaveProperty('balance')
  for (const path of ['', '/reveal'])
    expect(await readObject(`paykeys/${manuallyLinkedPaykey.id}${path}`)).not.toHaveProperty(
      'balance',
    )
  expect(
    (await readObject(`paykeys/${manuallyLinkedPaykey.id}/review`)).paykey_details,
  ).not.toHaveProperty('balance')
  expect(await linkByPlaid(client(), account, customer.id)).toMatchObject({
    balance: { status: 'pending' },
  })
})

test('validation errors of a request form use the provider’s capitalization', async () => {
  expect(listErrorReferences(await client().ask('/v1/payments?page_size=0'))).toEqual(['PageSize'])
  const paykey = await createTestPaykey(client())
  const refusedResponse = await client().post(
    '/v1/payouts',
    buildPayoutBody(paykey.token, { amount: 0 }),
    paykey.headers,
  )
  expect([refusedResponse.status, listErrorReferences(refusedResponse)]).toEqual([422, ['amount']])
})

test.each([
  [undefined, 'application/json'],
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  ['text/plain, application/json;q=0.1', 'application/json'],
  ['text/html', 'application/json'],
  ['text/plain', 'text/plain'],
  ['text/json', 'text/json'],
  ['text/json, text/plain', 'text/json'],
  ['text/plain, application/json;q=0', 'text/plain'],
])('with Accept: %s it responds with %s', async (accept, type) => {
  const requestOptions: RequestOptions = accept === undefined ? {} : { headers: { accept } }
  for (const path of ['/v1/payments?page_size=1', `/v1/payouts/${randomUUID()}`]) {
    const response = await client().ask(path, requestOptions)
    expect([response.headers.get('content-type'), Object.keys(response.json)]).toEqual([
      `${type}; charset=utf-8`,
      expect.arrayContaining(['meta', 'response_type']),
    ])
  }
})

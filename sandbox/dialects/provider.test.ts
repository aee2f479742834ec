import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  listErrorReferences,
  type ResponseObject,
  readErrorItems,
  readResponseData,
  readResponseRows,
} from '@/tests/sandbox/answer-parts'
import { createTestCustomer, findAccountWithConfiguration } from '@/tests/sandbox/own-customer'
import { buildChargeBody, createTestPaykey } from '@/tests/sandbox/own-paykey'
import { buildMultipartBody, type JsonBody } from '@/tests/sandbox/sandbox-client'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile('--dialect', 'provider')

const readObject = async (path: string) => readResponseData(await client().ask(`/v1/${path}`))
const makePayment = (type: 'charge' | 'payout', overrides: Record<string, unknown> = {}) =>
  client().control<ResponseObject>(`objects/${type}s`, overrides)
const makePaidCharge = () => makePayment('charge', { status: 'paid' })
const readLastEvent = async (id: string) =>
  (
    await client().control<{ data: { payload: { data: ResponseObject } }[] }>(
      `events?object_id=${id}`,
    )
  ).data.at(-1)?.payload.data

// Each test below checks one difference between the interface document and the provider.

test('the account header is Provider-Account-Id and contains the bare UUID', async () => {
  const { id } = await findAccountWithConfiguration(client())
  const listCustomers = (headers: Record<string, string>) =>
    client().ask('/v1/customers', { headers })
  const totalCount = (await listCustomers({})).json.meta?.total_items
  const scopedListResponse = await listCustomers({ 'provider-account-id': id })
  expect([
    scopedListResponse.status,
    Number(scopedListResponse.json.meta?.total_items) < Number(totalCount),
  ]).toEqual([200, true])
  expect(
    (await listCustomers({ 'provider-account-id': id.toUpperCase() })).json.meta?.total_items,
  ).toBe(scopedListResponse.json.meta?.total_items)
  const prefixedListResponse = await listCustomers({ 'provider-account-id': `acct_${id}` })
  expect([prefixedListResponse.status, listErrorReferences(prefixedListResponse)]).toEqual([
    400,
    ['Provider-Account-Id'],
  ])
  expect((await listCustomers({ 'provider-account-id': randomUUID() })).status).toBe(404)
})

test('Service-Account-Id is ignored like any unknown header', async () => {
  const { id } = await findAccountWithConfiguration(client())
  const wrongAccountHeader = { 'service-account-id': `acct_${id}` }
  const [all, sent] = [
    await client().ask('/v1/customers'),
    await client().ask('/v1/customers', { headers: wrongAccountHeader }),
  ]
  expect(sent.json.meta?.total_items).toBe(all.json.meta?.total_items)
  const refusedResponse = await client().post('/v1/customers', {}, wrongAccountHeader)
  expect([refusedResponse.status, listErrorReferences(refusedResponse)]).toEqual([
    400,
    ['Provider-Account-Id'],
  ])
})

test('the request log and the faults use the header of the dialect', async () => {
  const { id, headers } = await findAccountWithConfiguration(client())
  await client().fault({ operation: 'organizations.list', match: id, kind: 'status', status: 503 })
  expect(
    (await client().ask('/v1/organizations', { headers: { 'service-account-id': `acct_${id}` } }))
      .status,
  ).toBe(200)
  expect((await client().ask('/v1/organizations', { headers })).status).toBe(503)
  const { data } = await client().control('requests?path=/v1/organizations')
  expect(data.map(({ account_header }) => account_header)).toEqual([null, id])
})

test('capability requests are at the account’s path only, without a header', async () => {
  const { id, headers } = await findAccountWithConfiguration(client())
  const path = `/v1/accounts/${id}/capability_requests`
  const createResponse = await client().post(path, { internet: { enable: true } })
  expect([createResponse.status, readResponseRows(createResponse)[0]?.status]).toEqual([
    201,
    'in_review',
  ])
  expect(readResponseRows(await client().ask(path)).length).toBeGreaterThan(0)
  const accountHeaderResponse = await client().ask(path, { headers })
  expect([accountHeaderResponse.status, listErrorReferences(accountHeaderResponse)]).toEqual([
    400,
    ['Provider-Account-Id'],
  ])
  const pathWithoutAccount = '/v1/accounts/capability_requests'
  // The provider's router reads the last path segment as an account id.
  expect(
    (await client().post(pathWithoutAccount, { internet: { enable: true } }, headers)).status,
  ).toBe(405)
  const missingAccountResponse = await client().ask(pathWithoutAccount)
  expect([missingAccountResponse.status, missingAccountResponse.json.error?.detail]).toEqual([
    400,
    'account_id must be a UUID.',
  ])
  expect((await client().control<JsonBody>('requests')).data).toContainEqual(
    expect.objectContaining({ path: pathWithoutAccount, status: 405 }),
  )
})

test('a request for new limits requires all limits of a payment type', async () => {
  const { id } = await findAccountWithConfiguration(client())
  const path = `/v1/accounts/${id}/capability_requests`
  const incompleteLimitsResponse = await client().post(path, {
    payouts: { enable: true, max_amount: 600_000 },
  })
  expect([incompleteLimitsResponse.status, listErrorReferences(incompleteLimitsResponse)]).toEqual([
    422,
    ['payouts.daily_amount', 'payouts.monthly_amount', 'payouts.monthly_count'],
  ])
  const limits = {
    max_amount: 600_000,
    daily_amount: 5_000_000,
    monthly_amount: 50_000_000,
    monthly_count: 1_000,
  }
  expect((await client().post(path, { payouts: { enable: true, ...limits } })).status).toBe(201)
})

test('consent is internet or signed, and signed_agreement is rejected', async () => {
  const paykey = await createTestPaykey(client())
  const createCharge = (consent_type: string) =>
    client().post('/v1/charges', buildChargeBody(paykey.token, { consent_type }), paykey.headers)
  for (const word of ['internet', 'signed']) {
    const createResponse = await createCharge(word)
    expect([createResponse.status, readResponseData(createResponse).consent_type]).toEqual([
      201,
      word,
    ])
    expect((await readObject(`charges/${readResponseData(createResponse).id}`)).consent_type).toBe(
      word,
    )
    expect((await readLastEvent(readResponseData(createResponse).id))?.consent_type).toBe(word)
  }
  const wrongConsentResponse = await createCharge('signed_agreement')
  expect([wrongConsentResponse.status, readErrorItems(wrongConsentResponse)]).toEqual([
    422,
    [{ reference: 'consent_type', detail: 'must be one of internet, signed' }],
  ])
})

test('amounts and balances of payments are whole cents in responses, lists and events', async () => {
  const { id } = await makePayment('payout', { amount: 12_345, balance: 67_890 })
  const expectedAmounts = {
    amount: 12_345,
    paykey_details: expect.objectContaining({ balance: 67_890 }),
  }
  const releaseResponse = await client().put(`/v1/payouts/${id}/release`, {})
  expect(readResponseData(releaseResponse)).toMatchObject(expectedAmounts)
  expect(await readObject(`payouts/${id}`)).toMatchObject(expectedAmounts)
  expect(await readObject(`payouts/${id}/unmask`)).toMatchObject(expectedAmounts)
  expect(readResponseRows(await client().ask(`/v1/payments?payment_id=${id}`))).toMatchObject([
    expectedAmounts,
  ])
  expect(await readLastEvent(id)).toMatchObject(expectedAmounts)
  const payoutWithoutBalance = await makePayment('payout', { balance: null })
  expect(
    (await readObject(`payouts/${payoutWithoutBalance.id}`)).paykey_details,
  ).not.toHaveProperty('balance')
})

test('a released payment is created again', async () => {
  const { id } = await makePayment('payout', { status: 'on_hold' })
  const releasedPayout = readResponseData(
    await client().put(`/v1/payouts/${id}/release`, { reason: 'Approved' }),
  )
  expect(releasedPayout).toMatchObject({
    status: 'created',
    status_details: { reason: 'user_request', source: 'user_action' },
  })
})

test('lists count items and pages, and errors count rows', async () => {
  const { meta } = (await client().ask('/v1/payments?page_size=7')).json
  expect(meta).toMatchObject({
    page_number: 1,
    page_size: 7,
    total_items: expect.any(Number),
    max_page_size: 1_000,
  })
  expect(meta?.total_pages).toBe(Math.ceil(Number(meta?.total_items) / 7))
  expect(meta).not.toHaveProperty('total_rows')
  for (const path of [`/v1/payouts/${randomUUID()}`, '/v1/payments?stauts=paid']) {
    const { json } = await client().ask(path)
    expect(json.meta).toEqual({
      api_request_id: expect.any(String),
      api_request_timestamp: expect.any(String),
      total_rows: 0,
    })
  }
})

test('metadata has at most 40 characters', async () => {
  const account = await findAccountWithConfiguration(client())
  const [longestText, tooLongText] = ['v'.repeat(40), 'v'.repeat(41)]
  expect(
    await createTestCustomer(client(), account, { metadata: { [longestText]: longestText } }),
  ).toMatchObject({
    metadata: { [longestText]: longestText },
  })
  await expect(
    createTestCustomer(client(), account, { metadata: { key: tooLongText } }),
  ).rejects.toThrow('422')
})

test('documents may be .jpeg, must not be empty, and have at most 10 MiB', async () => {
  const { id } = await makePaidCharge()
  const uploadDocument = (name: string, bytes: number) => {
    const content = Buffer.concat([
      Buffer.from('ffd8ff', 'hex'),
      Buffer.alloc(10_485_760),
    ]).subarray(0, bytes)
    return client().ask(`/v1/charges/${id}/authorization`, {
      method: 'POST',
      ...buildMultipartBody(name, content),
    })
  }
  const uploadResponse = await uploadDocument('proof.jpeg', 10_485_760)
  expect([uploadResponse.status, readResponseData(uploadResponse).documents]).toEqual([
    201,
    [expect.objectContaining({ document_size: 10_485_760 })],
  ])
  for (const refused of [
    await uploadDocument('proof.jpeg', 10_485_761),
    await uploadDocument('proof.jpeg', 0),
    await uploadDocument('proof.pdf', 100),
  ]) {
    expect([refused.status, listErrorReferences(refused)]).toEqual([422, ['File']])
  }
})

test.each([null, 'nonsense'])('the key %s is 401 without a body or a content type', async (key) => {
  const unauthorizedResponse = await client().ask('/v1/payments', {
    key,
    headers: { 'request-id': 'trace-me' },
  })
  const { headers } = unauthorizedResponse
  expect([
    unauthorizedResponse.status,
    unauthorizedResponse.text,
    headers.get('content-type'),
    headers.get('content-length'),
  ]).toEqual([401, '', null, '0'])
  expect(headers.get('request-id')).toBe('trace-me')
})

test('related payments are a map of id to relationship', async () => {
  const charge = await makePaidCharge()
  const refund = readResponseData(
    await client().post(`/v1/charges/${charge.id}/refund`, { amount: 100 }),
  )
  expect(refund.related_payments).toEqual({ [charge.id]: 'original' })
  expect((await readObject(`charges/${charge.id}`)).related_payments).toEqual({
    [refund.id]: 'refund',
  })
  expect(
    readResponseRows(await client().ask(`/v1/payments?payment_id=${charge.id}`))[0]
      ?.related_payments,
  ).toEqual({
    [refund.id]: 'refund',
  })
  expect((await readLastEvent(charge.id))?.related_payments).toEqual({ [refund.id]: 'refund' })
  expect(
    (await readObject(`payouts/${(await makePayment('payout')).id}`)).related_payments,
  ).toEqual({})
})

test('an unblocked paykey is active with the source user_action', async () => {
  const payout = await client().payout({ status: 'cancelled', paykey_status: 'blocked' })
  const unblockResponse = await client().patch(`/v1/paykeys/${payout.paykey_details.id}/unblock`, {
    message: 'Allow-listed',
  })
  expect(readResponseData(unblockResponse)).toMatchObject({
    status: 'active',
    status_details: { source: 'user_action' },
  })
})

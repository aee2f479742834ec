import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { errorItems, errorReferences, type ResponseObject, responseData, responseRows } from '@/tests/sandbox/answer-parts'
import { createOwnCustomer, findAccountWith } from '@/tests/sandbox/own-customer'
import { chargeBody, createOwnPaykey } from '@/tests/sandbox/own-paykey'
import { type JsonBody, multipart } from '@/tests/sandbox/sandbox-client'
import { sandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = sandboxPerFile('--dialect', 'provider')

const read = async (path: string) => responseData(await client().ask(`/v1/${path}`))
const make = (type: 'charge' | 'payout', overrides: Record<string, unknown> = {}) =>
  client().control<ResponseObject>(`objects/${type}s`, overrides)
const paidCharge = () => make('charge', { status: 'paid' })
const lastEvent = async (id: string) =>
  (await client().control<{ data: { payload: { data: ResponseObject } }[] }>(`events?object_id=${id}`)).data.at(-1)?.payload.data

// One test per difference between the interface document and the provider.

test('the account header is Provider-Account-Id and contains the bare UUID', async () => {
  const { id } = await findAccountWith(client())
  const list = (headers: Record<string, string>) => client().ask('/v1/customers', { headers })
  const all = (await list({})).json.meta?.total_items
  const scoped = await list({ 'provider-account-id': id })
  expect([scoped.status, Number(scoped.json.meta?.total_items) < Number(all)]).toEqual([200, true])
  expect((await list({ 'provider-account-id': id.toUpperCase() })).json.meta?.total_items).toBe(scoped.json.meta?.total_items)
  const prefixed = await list({ 'provider-account-id': `acct_${id}` })
  expect([prefixed.status, errorReferences(prefixed)]).toEqual([400, ['Provider-Account-Id']])
  expect((await list({ 'provider-account-id': randomUUID() })).status).toBe(404)
})

test('Service-Account-Id is ignored like any unknown header', async () => {
  const { id } = await findAccountWith(client())
  const headers = { 'service-account-id': `acct_${id}` }
  const [all, sent] = [await client().ask('/v1/customers'), await client().ask('/v1/customers', { headers })]
  expect(sent.json.meta?.total_items).toBe(all.json.meta?.total_items)
  const refused = await client().post('/v1/customers', {}, headers)
  expect([refused.status, errorReferences(refused)]).toEqual([400, ['Provider-Account-Id']])
})

test('the request log and the faults use the header of the dialect', async () => {
  const { id, headers } = await findAccountWith(client())
  await client().fault({ operation: 'organizations.list', match: id, kind: 'status', status: 503 })
  expect((await client().ask('/v1/organizations', { headers: { 'service-account-id': `acct_${id}` } })).status).toBe(200)
  expect((await client().ask('/v1/organizations', { headers })).status).toBe(503)
  const { data } = await client().control('requests?path=/v1/organizations')
  expect(data.map(({ account_header }) => account_header)).toEqual([null, id])
})

test('capability requests are at the account’s path only, without a header', async () => {
  const { id, headers } = await findAccountWith(client())
  const path = `/v1/accounts/${id}/capability_requests`
  const createResponse = await client().post(path, { internet: { enable: true } })
  expect([createResponse.status, responseRows(createResponse)[0]?.status]).toEqual([201, 'in_review'])
  expect(responseRows(await client().ask(path)).length).toBeGreaterThan(0)
  const named = await client().ask(path, { headers })
  expect([named.status, errorReferences(named)]).toEqual([400, ['Provider-Account-Id']])
  const fixed = '/v1/accounts/capability_requests'
  // The provider's router reads the last path segment as an account id.
  expect((await client().post(fixed, { internet: { enable: true } }, headers)).status).toBe(405)
  const readResponse = await client().ask(fixed)
  expect([readResponse.status, readResponse.json.error?.detail]).toEqual([400, 'account_id must be a UUID.'])
  expect((await client().control<JsonBody>('requests')).data).toContainEqual(expect.objectContaining({ path: fixed, status: 405 }))
})

test('a request for new limits requires all limits of a payment type', async () => {
  const { id } = await findAccountWith(client())
  const path = `/v1/accounts/${id}/capability_requests`
  const partialResponse = await client().post(path, { payouts: { enable: true, max_amount: 600_000 } })
  expect([partialResponse.status, errorReferences(partialResponse)]).toEqual([
    422,
    ['payouts.daily_amount', 'payouts.monthly_amount', 'payouts.monthly_count'],
  ])
  const limits = { max_amount: 600_000, daily_amount: 5_000_000, monthly_amount: 50_000_000, monthly_count: 1_000 }
  expect((await client().post(path, { payouts: { enable: true, ...limits } })).status).toBe(201)
})

test('consent is internet or signed, and signed_agreement is rejected', async () => {
  const paykey = await createOwnPaykey(client())
  const create = (consent_type: string) => client().post('/v1/charges', chargeBody(paykey.token, { consent_type }), paykey.headers)
  for (const word of ['internet', 'signed']) {
    const createResponse = await create(word)
    expect([createResponse.status, responseData(createResponse).consent_type]).toEqual([201, word])
    expect((await read(`charges/${responseData(createResponse).id}`)).consent_type).toBe(word)
    expect((await lastEvent(responseData(createResponse).id))?.consent_type).toBe(word)
  }
  const refused = await create('signed_agreement')
  expect([refused.status, errorItems(refused)]).toEqual([422, [{ reference: 'consent_type', detail: 'must be one of internet, signed' }]])
})

test('amounts and balances of payments are whole cents in responses, lists and events', async () => {
  const { id } = await make('payout', { amount: 12_345, balance: 67_890 })
  const numbers = { amount: 12_345, paykey_details: expect.objectContaining({ balance: 67_890 }) }
  const released = await client().put(`/v1/payouts/${id}/release`, {})
  expect(responseData(released)).toMatchObject(numbers)
  expect(await read(`payouts/${id}`)).toMatchObject(numbers)
  expect(await read(`payouts/${id}/unmask`)).toMatchObject(numbers)
  expect(responseRows(await client().ask(`/v1/payments?payment_id=${id}`))).toMatchObject([numbers])
  expect(await lastEvent(id)).toMatchObject(numbers)
  const unknown = await make('payout', { balance: null })
  expect((await read(`payouts/${unknown.id}`)).paykey_details).not.toHaveProperty('balance')
})

test('a released payment is created again', async () => {
  const { id } = await make('payout', { status: 'on_hold' })
  const released = responseData(await client().put(`/v1/payouts/${id}/release`, { reason: 'Approved' }))
  expect(released).toMatchObject({ status: 'created', status_details: { reason: 'user_request', source: 'user_action' } })
})

test('lists count items and pages, and errors count rows', async () => {
  const { meta } = (await client().ask('/v1/payments?page_size=7')).json
  expect(meta).toMatchObject({ page_number: 1, page_size: 7, total_items: expect.any(Number), max_page_size: 1_000 })
  expect(meta?.total_pages).toBe(Math.ceil(Number(meta?.total_items) / 7))
  expect(meta).not.toHaveProperty('total_rows')
  for (const path of [`/v1/payouts/${randomUUID()}`, '/v1/payments?stauts=paid']) {
    const { json } = await client().ask(path)
    expect(json.meta).toEqual({ api_request_id: expect.any(String), api_request_timestamp: expect.any(String), total_rows: 0 })
  }
})

test('metadata has at most 40 characters', async () => {
  const account = await findAccountWith(client())
  const [longestText, tooLongText] = ['v'.repeat(40), 'v'.repeat(41)]
  expect(await createOwnCustomer(client(), account, { metadata: { [longestText]: longestText } })).toMatchObject({
    metadata: { [longestText]: longestText },
  })
  await expect(createOwnCustomer(client(), account, { metadata: { key: tooLongText } })).rejects.toThrow('422')
})

test('documents may be .jpeg, must not be empty, and have at most 10 MiB', async () => {
  const { id } = await paidCharge()
  const upload = (name: string, bytes: number) => {
    const content = Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(10_485_760)]).subarray(0, bytes)
    return client().ask(`/v1/charges/${id}/authorization`, { method: 'POST', ...multipart(name, content) })
  }
  const uploadResponse = await upload('proof.jpeg', 10_485_760)
  expect([uploadResponse.status, responseData(uploadResponse).documents]).toEqual([
    201,
    [expect.objectContaining({ document_size: 10_485_760 })],
  ])
  for (const refused of [await upload('proof.jpeg', 10_485_761), await upload('proof.jpeg', 0), await upload('proof.pdf', 100)]) {
    expect([refused.status, errorReferences(refused)]).toEqual([422, ['File']])
  }
})

test.each([null, 'nonsense'])('the key %s is 401 without a body or a content type', async (key) => {
  const refused = await client().ask('/v1/payments', { key, headers: { 'request-id': 'trace-me' } })
  const { headers } = refused
  expect([refused.status, refused.text, headers.get('content-type'), headers.get('content-length')]).toEqual([401, '', null, '0'])
  expect(headers.get('request-id')).toBe('trace-me')
})

test('related payments are a map of id to relationship', async () => {
  const charge = await paidCharge()
  const refund = responseData(await client().post(`/v1/charges/${charge.id}/refund`, { amount: 100 }))
  expect(refund.related_payments).toEqual({ [charge.id]: 'original' })
  expect((await read(`charges/${charge.id}`)).related_payments).toEqual({ [refund.id]: 'refund' })
  expect(responseRows(await client().ask(`/v1/payments?payment_id=${charge.id}`))[0]?.related_payments).toEqual({ [refund.id]: 'refund' })
  expect((await lastEvent(charge.id))?.related_payments).toEqual({ [refund.id]: 'refund' })
  expect((await read(`payouts/${(await make('payout')).id}`)).related_payments).toEqual({})
})

test('an unblocked paykey is active with the source user_action', async () => {
  const payout = await client().payout({ status: 'cancelled', paykey_status: 'blocked' })
  const unblocked = await client().patch(`/v1/paykeys/${payout.paykey_details.id}/unblock`, { message: 'Allow-listed' })
  expect(responseData(unblocked)).toMatchObject({ status: 'active', status_details: { source: 'user_action' } })
})

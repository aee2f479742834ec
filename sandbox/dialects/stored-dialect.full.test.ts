import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, expect, test } from 'vitest'
import {
  type ResponseObject,
  readResponseData,
  readResponseRows,
} from '@/tests/sandbox/answer-parts'
import { createTestCustomer, findAccountWithConfiguration } from '@/tests/sandbox/own-customer'
import { buildChargeBody, createTestPaykey } from '@/tests/sandbox/own-paykey'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { WebhookReceiver } from '@/tests/sandbox/webhook-receiver'

// These tests change the dialect (the variant of the wire format) while the sandbox runs. Stored
// data and stored responses must not change.

const receiver = await WebhookReceiver.open(`whsec_${Buffer.alloc(32, 7).toString('base64')}`)
afterAll(() => receiver.close())
// The speed nearly stops the sandbox's clock, so that no timer changes an object between two reads.
const { client, process } = startSandboxPerFile('--speed', '0.000000001', ...receiver.flags)
afterEach(() => client().speak('document'))

const createPayout = (overrides: Record<string, unknown> = {}) =>
  client().control<ResponseObject>('objects/payouts', overrides)
const readObject = async (path: string) => readResponseData(await client().ask(`/v1/${path}`))
const readStoredEventData = async (id: string) =>
  (
    await client().control<{ data: { payload: { data: ResponseObject } }[] }>(
      `events?object_id=${id}`,
    )
  ).data.map(({ payload }) => payload.data)

test('stored data stays unchanged, and each dialect returns the same object in its own form', async () => {
  const paykey = await createTestPaykey(client())
  const charge = readResponseData(
    await client().post(
      '/v1/charges',
      buildChargeBody(paykey.token, { consent_type: 'signed_agreement' }),
      paykey.headers,
    ),
  )
  const chargeBefore = await readObject(`charges/${charge.id}`)
  expect(chargeBefore).toMatchObject({
    amount: '12345',
    consent_type: 'signed_agreement',
    related_payments: [],
    status_details: { code: null },
  })
  await client().speak('provider')
  expect(await readObject(`charges/${charge.id}`)).toMatchObject({
    amount: 12_345,
    consent_type: 'signed',
    related_payments: {},
  })
  await client().speak('document')
  expect(await readObject(`charges/${charge.id}`)).toEqual(chargeBefore)
})

test('a replay returns the first response byte for byte, in its original dialect', async () => {
  await client().speak('provider')
  const { id } = await createPayout()
  const headers = { 'idempotency-key': randomUUID(), accept: 'text/plain' }
  const releasePayout = () =>
    client().put(`/v1/payouts/${id}/release`, { reason: 'Approved' }, headers)
  const originalResponse = await releasePayout()
  expect([originalResponse.status, readResponseData(originalResponse).amount]).toEqual([
    200, 12_345,
  ])
  await client().speak('document')
  const replayedResponse = await releasePayout()
  expect([
    replayedResponse.status,
    replayedResponse.text,
    replayedResponse.headers.get('idempotent-replayed'),
  ]).toEqual([200, originalResponse.text, 'true'])
  expect(replayedResponse.headers.get('content-type')).toBe('text/plain; charset=utf-8')
})

test('a refusal is stored in its original dialect', async () => {
  await client().speak('provider')
  const headers = { 'idempotency-key': randomUUID(), accept: 'text/json' }
  const path = `/v1/payouts/${randomUUID()}/release`
  const firstResponse = await client().put(path, {}, headers)
  expect([firstResponse.status, firstResponse.json.meta]).toEqual([
    404,
    expect.objectContaining({ total_rows: 0 }),
  ])
  await client().speak('document')
  expect((await client().put(path, {}, headers)).text).toBe(firstResponse.text)
  // The idempotency key stays bound to its first request after a change of the dialect, so a
  // different request gets a 409.
  expect((await client().put(`/v1/payouts/${randomUUID()}/release`, {}, headers)).status).toBe(409)
})

test('an event is delivered again in its original dialect', async () => {
  await client().speak('provider')
  const { id } = await createPayout({ status: 'created' })
  receiver.reply = 500
  await client().put(`/v1/payouts/${id}/hold`, { reason: 'Wait' })
  await expect.poll(() => receiver.about(id).length).toBeGreaterThan(0)
  await client().speak('document')
  receiver.reply = 204
  const deliveryCountBefore = receiver.about(id).length
  await client().control('clock', { advance_seconds: 10 })
  await expect.poll(() => receiver.about(id).length).toBeGreaterThan(deliveryCountBefore)
  for (const { event, verified } of receiver.about(id)) {
    expect([event.data.amount, event.data.related_payments, verified]).toEqual([12_345, {}, true])
  }
  await client().put(`/v1/payouts/${id}/release`, {})
  const storedEventData = await readStoredEventData(id)
  expect([storedEventData[0]?.amount, storedEventData.at(-1)?.amount]).toEqual([12_345, '12345'])
})

test('a deletion removes data from responses in either dialect', async () => {
  const account = await findAccountWithConfiguration(client())
  const customer = await createTestCustomer(client(), account, { name: 'Ottilie Sandmann' })
  await client().speak('provider')
  const headers = { ...client().accountHeaders(account.id), 'idempotency-key': randomUUID() }
  const refreshReview = () =>
    client().ask(`/v1/customers/${customer.id}/refresh_review`, { method: 'PUT', headers })
  expect((await refreshReview()).text).toContain('Ottilie')
  expect(JSON.stringify(await readStoredEventData(customer.id))).toContain('Ottilie')
  expect((await client().ask(`/v1/customers/${customer.id}`, { method: 'DELETE' })).status).toBe(
    200,
  )
  expect((await refreshReview()).text).not.toContain('Ottilie')
  expect(JSON.stringify(await readStoredEventData(customer.id))).not.toContain('Ottilie')
})

test('the contract, the pages and the refusals use the current dialect', async () => {
  const fetchText = async (path: string) => (await fetch(process().url + path)).text()
  expect(await fetchText('/')).toContain('Service-Account-Id')
  expect(await fetchText('/openapi.json')).toContain('/v1/accounts/capability_requests')
  await client().speak('provider')
  const [home, reference, contract] = [
    await fetchText('/'),
    await fetchText('/reference'),
    await fetchText('/openapi.json'),
  ]
  expect([
    home.includes('Provider-Account-Id'),
    home.includes('Service-Account-Id'),
    home.includes('provider: It speaks as'),
  ]).toEqual([...[true, false, true]])
  expect(reference).toContain('provider dialect')
  expect([
    contract.includes('Provider-Account-Id'),
    contract.includes('/v1/accounts/capability_requests"'),
  ]).toEqual([true, false])
  expect((await client().ask('/v1/payments', { key: null })).text).toBe('')
  await client().speak('document')
  expect((await client().ask('/v1/payments', { key: null })).json.error).toMatchObject({
    code: 'invalid_api_key',
  })
})

test('a reset and the clock keep the dialect', async () => {
  await client().speak('provider')
  await client().control('reset', { payments: 50 })
  expect(await client().control('dialect')).toEqual({ name: 'provider', seed: null })
  expect(readResponseRows(await client().ask('/v1/payments?page_size=1'))[0]?.amount).toEqual(
    expect.any(Number),
  )
})

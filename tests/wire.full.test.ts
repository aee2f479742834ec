import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleItems } from '@/tests/sandbox/sample'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { createPdfFile, goodReason, newKey, type Person, signIn } from './harness/person'
import {
  buildPayout,
  type RecordedRequest,
  type ResponseBehavior,
  respondWith,
  type Service,
  startService,
  wrapInEnvelope,
} from './harness/service'
import { waitUntil } from './harness/wait-until'

/** The settings for the provider's own contract, with list parameters repeated instead of separated by commas. */
const providerSettings = {
  SERVICE_ACCOUNT_HEADER: 'Provider-Account-Id',
  SERVICE_ACCOUNT_PREFIX: '',
  SERVICE_CAPABILITY_REQUESTS_PATH: '/v1/accounts/{account_id}/capability_requests',
  SERVICE_SIGNED_CONSENT: 'signed',
  SERVICE_LIST_STYLE: 'repeat',
}
const defaultSettings = Object.fromEntries(
  Object.keys(providerSettings).map((name) => [name, name === 'SERVICE_ACCOUNT_PREFIX' ? 'acct_' : '']),
)

const documentPath = '/v1/accounts/capability_requests'
const providerPath = (account: string) => `/v1/accounts/${account}/capability_requests`

let service: Service
let dashboard: Dashboard
let person: Person
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())

const request = { type: 'internet', category: 'consent_type', settings: null, status: 'in_review', enable: true }
const respondWithRequest = (account: string) => respondWith(201, wrapInEnvelope([{ id: randomUUID(), account_id: account, ...request }]))
const overrides = { internet: { enable: true } }

/**
 * Responds to requests without an id in the path: to a read with an empty list, and to a write with a charge that has the received consent.
 */
const answerWithoutId: ResponseBehavior = (response, seen) => {
  if (seen.method === 'GET') return respondWith(200, wrapInEnvelope([]))(response, seen)
  const createdCharge = { ...buildPayout(randomUUID()), consent_type: JSON.parse(seen.body).consent_type }
  return respondWith(201, wrapInEnvelope(createdCharge))(response, seen)
}

/** Returns a path without the query parameters that every list has. */
const removeListParams = (path: string | undefined) => path?.replace(/page_number=1&page_size=50&sort_by=\w+&sort_order=desc&/, '')

const findLastRequest = (path: string): RecordedRequest | undefined => service.seen.findLast((entry) => entry.path.split('?')[0] === path)
const readAccountHeaders = (seen: RecordedRequest | undefined) => [
  seen?.headers['service-account-id'],
  seen?.headers['provider-account-id'],
]

const buildChargeBody = (paykey: string, consent: string) => ({
  paykey_id: paykey,
  amount: 12_500,
  currency: 'USD',
  description: 'Dues',
  payment_date: '2027-01-04',
  consent_type: consent,
  device: { ip_address: '0.0.0.0' },
  external_id: randomUUID(),
  config: { balance_check: 'required' },
})

async function sendAndFindCharge(consent: string): Promise<RecordedRequest | undefined> {
  service.lists(answerWithoutId)
  const paykey = service.object((id) => respondWith(200, wrapInEnvelope({ id, paykey: `token-of-${id}` })))
  const where = `/charges?account=acct_${randomUUID()}`
  const reply = await person.write('POST', where, buildChargeBody(paykey, consent), { reason: goodReason })
  expect(reply.status).toBe(201)
  return findLastRequest('/v1/charges')
}

describe.each([
  ['as the interface document says it', {}, { header: 0, prefix: 'acct_', consent: 'signed_agreement', lists: 'status=review%2Cblocked' }],
  ['as the provider says it', providerSettings, { header: 1, prefix: '', consent: 'signed', lists: 'status=review&status=blocked' }],
] as const)('requests to the service, %s', (name, env, said) => {
  const isProvider = name.includes('provider')
  beforeAll(async () => {
    dashboard = await startDashboard({ serviceUrl: service.url, apiKey: 'key-of-this-test-0123456789', env })
    person = await signIn(dashboard.url)
  })
  afterAll(() => dashboard?.stop())

  test('contain the account in its header, with the configured prefix', async () => {
    const id = service.object((own) => respondWith(200, wrapInEnvelope(buildPayout(own))))
    const account = randomUUID()
    await person.get(`/api/sandbox/v1/payouts/${id}?account=acct_${account}`)
    const expected = [undefined, undefined] as (string | undefined)[]
    expected[said.header] = `${said.prefix}${account}`
    expect(readAccountHeaders(service.about(id)[0])).toEqual(expected)
  })

  test('contain the account header even if the account’s ID is in the path', async () => {
    const account = service.object((own) => respondWith(200, wrapInEnvelope({ id: own, name: 'A', status: 'verified' })))
    await person.get(`/api/sandbox/v1/customers/${account}?account=acct_${account}`)
    expect(readAccountHeaders(service.about(account)[0])[said.header]).toBe(`${said.prefix}${account}`)
  })

  test('for capability requests use the configured path, and contain the account once', async () => {
    const account = service.object(
      (own) => (response, seen) => (seen.method === 'GET' ? respondWith(200, wrapInEnvelope([])) : respondWithRequest(own))(response, seen),
    )
    service.lists((response, seen) =>
      (seen.method === 'GET' ? respondWith(200, wrapInEnvelope([])) : respondWithRequest(account))(response, seen),
    )
    const where = `/accounts/capability_requests?account=acct_${account}`
    expect((await person.get(`/api/sandbox/v1${where}&status=in_review`)).status).toBe(200)
    expect((await person.write('POST', where, overrides, { reason: goodReason })).status).toBe(201)
    const path = isProvider ? providerPath(account) : documentPath
    const calls = service.seen.filter((entry) => entry.path.startsWith(path)).slice(-2)
    expect(calls.map((call) => [call.method, removeListParams(call.path)])).toEqual([
      ['GET', `${path}?status=in_review`],
      ['POST', path],
    ])
    for (const call of calls) expect(readAccountHeaders(call)).toEqual(isProvider ? [undefined, undefined] : [`acct_${account}`, undefined])
    expect(JSON.parse(calls[1]?.body ?? '')).toEqual(overrides)
  })

  test('contain a list in the configured style, whatever style our API received', async () => {
    service.lists(answerWithoutId)
    expect((await person.get('/api/sandbox/v1/paykeys?status=review,blocked')).status).toBe(200)
    expect(removeListParams(findLastRequest('/v1/paykeys')?.path)).toBe(`/v1/paykeys?${said.lists}`)
  })

  test('contain the configured value for a signed agreement, and other consents unchanged', async () => {
    const signedRequest = await sendAndFindCharge('signed_agreement')
    expect(JSON.parse(signedRequest?.body ?? '').consent_type).toBe(said.consent)
    const otherRequest = await sendAndFindCharge('internet')
    expect(JSON.parse(otherRequest?.body ?? '').consent_type).toBe('internet')
  })

  test('of every kind accept only JSON', async () => {
    const id = service.object((own) => respondWith(200, wrapInEnvelope(buildPayout(own))))
    const account = `acct_${randomUUID()}`
    await person.get(`/api/sandbox/v1/payouts/${id}`)
    await person.decide('cancel', { id, account })
    await person.upload({ id, account }, createPdfFile('proof.pdf'))
    expect(service.about(id).map(({ method, headers }) => [method, headers.accept])).toEqual([
      ['GET', 'application/json'],
      ['PUT', 'application/json'],
      ['POST', 'application/json'],
    ])
  })
})

const settingsOrders = [
  ['first sent as the provider says it, and again as the document does', providerSettings, defaultSettings],
  ['first sent as the document says it, and again as the provider does', defaultSettings, providerSettings],
] as const

describe.each(sampleItems(settingsOrders, 1))('a write %s', (_name, first, then) => {
  const firstIsProvider = first === providerSettings
  const listSentWithKey = (key: string) => service.seen.filter((entry) => entry.headers['idempotency-key'] === key)
  const countAccountHeaders = (calls: readonly RecordedRequest[]) =>
    new Set(calls.map((call) => readAccountHeaders(call).filter((value) => value !== undefined).length))
  const waitUntilApplied = (id = '') =>
    waitUntil('the replay', async () => ((await person.action(id)).body.action?.state === 'applied' ? true : null))

  beforeAll(async () => {
    dashboard = await startDashboard({ serviceUrl: service.url, apiKey: 'key-of-this-test-0123456789', env: first })
    person = await signIn(dashboard.url)
  })
  afterAll(() => dashboard?.stop())

  /**
   * Sends a write with an unknown outcome, restarts the desk with the other settings, and waits until the write is repeated. Returns all
   * requests with its key.
   */
  async function replayAfterRestart({ where, body, account }: { where: string; body: unknown; account: string }) {
    const idempotencyKey = newKey()
    const send = () => person.write('POST', `${where}?account=acct_${account}`, body, { key: idempotencyKey, reason: goodReason })
    service.lists(respondWith(500, ''))
    const lostReply = await send()
    expect(lostReply).toMatchObject({ status: 202, body: { action: { state: 'unknown' } } })
    await dashboard.end()
    const sentCountBefore = listSentWithKey(idempotencyKey).length
    const respondNormally: ResponseBehavior = (response, seen) =>
      (seen.path === '/v1/charges' ? answerWithoutId : respondWithRequest(account))(response, seen)
    service.lists(respondNormally)
    service.behave(account, respondNormally)
    await dashboard.restart(then)
    await waitUntilApplied(lostReply.body.action?.id)
    expect(listSentWithKey(idempotencyKey).length).toBeGreaterThan(sentCountBefore)
    // A repeated request with the same key returns the stored result, although the settings would now send it to another path.
    expect(await send()).toMatchObject({ status: 201, replayed: true })
    await dashboard.end()
    await dashboard.restart(first)
    return listSentWithKey(idempotencyKey)
  }

  const checkRequest = async () => {
    const account = service.object(() => respondWith(500, ''))
    const calls = await replayAfterRestart({ where: '/accounts/capability_requests', body: overrides, account })
    expect(new Set(calls.map(({ path }) => path))).toEqual(new Set([firstIsProvider ? providerPath(account) : documentPath]))
    expect(new Set(calls.map(({ body }) => body)).size).toBe(1)
    expect(countAccountHeaders(calls)).toEqual(new Set([firstIsProvider ? 0 : 1]))
  }

  const checkCharge = async () => {
    const paykey = service.object((id) => respondWith(200, wrapInEnvelope({ id, paykey: `token-of-${id}` })))
    const calls = await replayAfterRestart({ where: '/charges', body: buildChargeBody(paykey, 'signed_agreement'), account: randomUUID() })
    expect(new Set(calls.map(({ body }) => body)).size).toBe(1)
    expect(JSON.parse(calls.at(-1)?.body ?? '').consent_type).toBe(firstIsProvider ? 'signed' : 'signed_agreement')
    expect(countAccountHeaders(calls)).toEqual(new Set([1]))
  }

  const replayCases = [
    ['a capability request: its path, and the header or none', checkRequest],
    ['a charge: its bytes, and with them the word of its consent', checkCharge],
  ] as const
  test.each(sampleItems(replayCases, 1))('is repeated unchanged: %s', (_part, check) => check())
})

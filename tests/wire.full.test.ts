import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleItems } from '@/tests/sandbox/sample'
import { type Dashboard, startDashboard } from './harness/dashboard'
import {
  createIdempotencyKey,
  createPdfFile,
  goodReason,
  type Person,
  signIn,
} from './harness/person'
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

/**
 * Settings for a service that follows the payments provider’s own API instead of the interface
 * document. They change the account header, the path of capability requests, the value for a signed
 * consent, and the form of list parameters: repeated, not separated by commas.
 */
const providerSettings = {
  SERVICE_ACCOUNT_HEADER: 'Provider-Account-Id',
  SERVICE_ACCOUNT_PREFIX: '',
  SERVICE_CAPABILITY_REQUESTS_PATH: '/v1/accounts/{account_id}/capability_requests',
  SERVICE_SIGNED_CONSENT: 'signed',
  SERVICE_LIST_STYLE: 'repeat',
}
const defaultSettings = Object.fromEntries(
  Object.keys(providerSettings).map((name) => [
    name,
    name === 'SERVICE_ACCOUNT_PREFIX' ? 'acct_' : '',
  ]),
)

const documentRequestsPath = '/v1/accounts/capability_requests'
const buildProviderRequestsPath = (account: string) => `/v1/accounts/${account}/capability_requests`

let stubService: Service
let dashboard: Dashboard
let person: Person
beforeAll(async () => {
  stubService = await startService()
})
afterAll(() => stubService?.stop())

const capabilityRequest = {
  type: 'internet',
  category: 'consent_type',
  settings: null,
  status: 'in_review',
  enable: true,
}
const respondWithCapabilityRequest = (account: string) =>
  respondWith(
    201,
    wrapInEnvelope([{ id: randomUUID(), account_id: account, ...capabilityRequest }]),
  )
const capabilityOverrides = { internet: { enable: true } }

/**
 * Responds to a read with an empty list, and to a write with a new charge that has the consent type
 * of the request. For requests without an id in their path.
 */
const respondWithListOrCharge: ResponseBehavior = (response, seen) => {
  if (seen.method === 'GET') return respondWith(200, wrapInEnvelope([]))(response, seen)
  const createdCharge = {
    ...buildPayout(randomUUID()),
    consent_type: JSON.parse(seen.body).consent_type,
  }
  return respondWith(201, wrapInEnvelope(createdCharge))(response, seen)
}

/** Removes the paging and sorting parameters, which every list request has, from a path. */
const removeListParams = (path: string | undefined) =>
  path?.replace(/page_number=1&page_size=50&sort_by=\w+&sort_order=desc&/, '')

const findLastRequest = (path: string): RecordedRequest | undefined =>
  stubService.seen.findLast((entry) => entry.path.split('?')[0] === path)
const readAccountHeaders = (recordedRequest: RecordedRequest | undefined) => [
  recordedRequest?.headers['service-account-id'],
  recordedRequest?.headers['provider-account-id'],
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

async function sendChargeAndFindRequest(consent: string): Promise<RecordedRequest | undefined> {
  stubService.lists(respondWithListOrCharge)
  const paykeyId = stubService.object((id) =>
    respondWith(200, wrapInEnvelope({ id, paykey: `token-of-${id}` })),
  )
  const chargesPath = `/charges?account=acct_${randomUUID()}`
  const reply = await person.write('POST', chargesPath, buildChargeBody(paykeyId, consent), {
    reason: goodReason,
  })
  expect(reply.status).toBe(201)
  return findLastRequest('/v1/charges')
}

describe.each([
  [
    'as the interface document says it',
    {},
    { header: 0, prefix: 'acct_', consent: 'signed_agreement', lists: 'status=review%2Cblocked' },
  ],
  [
    'as the provider says it',
    providerSettings,
    { header: 1, prefix: '', consent: 'signed', lists: 'status=review&status=blocked' },
  ],
] as const)('requests to the service, %s', (name, env, said) => {
  const isProvider = name.includes('provider')
  beforeAll(async () => {
    dashboard = await startDashboard({
      serviceUrl: stubService.url,
      apiKey: 'key-of-this-test-0123456789',
      env,
    })
    person = await signIn(dashboard.url)
  })
  afterAll(() => dashboard?.stop())

  test('contain the account in its header, with the configured prefix', async () => {
    const payoutId = stubService.object((own) => respondWith(200, wrapInEnvelope(buildPayout(own))))
    const account = randomUUID()
    await person.get(`/api/sandbox/v1/payouts/${payoutId}?account=acct_${account}`)
    const expectedHeaders = [undefined, undefined] as (string | undefined)[]
    expectedHeaders[said.header] = `${said.prefix}${account}`
    expect(readAccountHeaders(stubService.about(payoutId)[0])).toEqual(expectedHeaders)
  })

  test('contain the account header even if the account’s ID is in the path', async () => {
    const customerAndAccountId = stubService.object((own) =>
      respondWith(200, wrapInEnvelope({ id: own, name: 'A', status: 'verified' })),
    )
    await person.get(
      `/api/sandbox/v1/customers/${customerAndAccountId}?account=acct_${customerAndAccountId}`,
    )
    expect(readAccountHeaders(stubService.about(customerAndAccountId)[0])[said.header]).toBe(
      `${said.prefix}${customerAndAccountId}`,
    )
  })

  test('for capability requests use the configured path, and contain the account once', async () => {
    const capabilityAccountId = stubService.object(
      (own) => (response, seen) =>
        (seen.method === 'GET'
          ? respondWith(200, wrapInEnvelope([]))
          : respondWithCapabilityRequest(own))(response, seen),
    )
    stubService.lists((response, seen) =>
      (seen.method === 'GET'
        ? respondWith(200, wrapInEnvelope([]))
        : respondWithCapabilityRequest(capabilityAccountId))(response, seen),
    )
    const requestsPath = `/accounts/capability_requests?account=acct_${capabilityAccountId}`
    expect((await person.get(`/api/sandbox/v1${requestsPath}&status=in_review`)).status).toBe(200)
    expect(
      (await person.write('POST', requestsPath, capabilityOverrides, { reason: goodReason }))
        .status,
    ).toBe(201)
    const path = isProvider ? buildProviderRequestsPath(capabilityAccountId) : documentRequestsPath
    const recordedRequests = stubService.seen
      .filter((entry) => entry.path.startsWith(path))
      .slice(-2)
    expect(recordedRequests.map((call) => [call.method, removeListParams(call.path)])).toEqual([
      ['GET', `${path}?status=in_review`],
      ['POST', path],
    ])
    for (const call of recordedRequests)
      expect(readAccountHeaders(call)).toEqual(
        isProvider ? [undefined, undefined] : [`acct_${capabilityAccountId}`, undefined],
      )
    expect(JSON.parse(recordedRequests[1]?.body ?? '')).toEqual(capabilityOverrides)
  })

  test('contain a list in the configured style, whatever style our API received', async () => {
    stubService.lists(respondWithListOrCharge)
    expect((await person.get('/api/sandbox/v1/paykeys?status=review,blocked')).status).toBe(200)
    expect(removeListParams(findLastRequest('/v1/paykeys')?.path)).toBe(`/v1/paykeys?${said.lists}`)
  })

  test('contain the configured value for a signed agreement, and other consents unchanged', async () => {
    const signedRequest = await sendChargeAndFindRequest('signed_agreement')
    expect(JSON.parse(signedRequest?.body ?? '').consent_type).toBe(said.consent)
    const otherRequest = await sendChargeAndFindRequest('internet')
    expect(JSON.parse(otherRequest?.body ?? '').consent_type).toBe('internet')
  })

  test('of every kind accept only JSON', async () => {
    const id = stubService.object((own) => respondWith(200, wrapInEnvelope(buildPayout(own))))
    const account = `acct_${randomUUID()}`
    await person.get(`/api/sandbox/v1/payouts/${id}`)
    await person.decide('cancel', { id, account })
    await person.upload({ id, account }, createPdfFile('proof.pdf'))
    expect(stubService.about(id).map(({ method, headers }) => [method, headers.accept])).toEqual([
      ['GET', 'application/json'],
      ['PUT', 'application/json'],
      ['POST', 'application/json'],
    ])
  })
})

const settingsOrders = [
  [
    'first sent as the provider says it, and again as the document does',
    providerSettings,
    defaultSettings,
  ],
  [
    'first sent as the document says it, and again as the provider does',
    defaultSettings,
    providerSettings,
  ],
] as const

describe.each(sampleItems(settingsOrders, 1))('a write %s', (_name, first, then) => {
  const isProviderFirst = first === providerSettings
  const listRequestsWithKey = (key: string) =>
    stubService.seen.filter((entry) => entry.headers['idempotency-key'] === key)
  const countAccountHeaders = (calls: readonly RecordedRequest[]) =>
    new Set(
      calls.map((call) => readAccountHeaders(call).filter((value) => value !== undefined).length),
    )
  const waitUntilApplied = (id = '') =>
    waitUntil('the replay', async () =>
      (await person.action(id)).body.action?.state === 'applied' ? true : null,
    )

  beforeAll(async () => {
    dashboard = await startDashboard({
      serviceUrl: stubService.url,
      apiKey: 'key-of-this-test-0123456789',
      env: first,
    })
    person = await signIn(dashboard.url)
  })
  afterAll(() => dashboard?.stop())

  /**
   * Sends a write whose outcome stays unknown, restarts the dashboard with the other settings, and
   * waits until the dashboard repeats the write. Returns all requests that the service received
   * with the idempotency key of this write.
   */
  async function replayWriteAfterRestart({
    where,
    body,
    account,
  }: {
    where: string
    body: unknown
    account: string
  }) {
    const idempotencyKey = createIdempotencyKey()
    const sendWrite = () =>
      person.write('POST', `${where}?account=acct_${account}`, body, {
        key: idempotencyKey,
        reason: goodReason,
      })
    stubService.lists(respondWith(500, ''))
    const lostReply = await sendWrite()
    expect(lostReply).toMatchObject({ status: 202, body: { action: { state: 'unknown' } } })
    await dashboard.end()
    const sentCountBefore = listRequestsWithKey(idempotencyKey).length
    const respondNormally: ResponseBehavior = (response, seen) =>
      (seen.path === '/v1/charges'
        ? respondWithListOrCharge
        : respondWithCapabilityRequest(account))(response, seen)
    stubService.lists(respondNormally)
    stubService.behave(account, respondNormally)
    await dashboard.restart(then)
    await waitUntilApplied(lostReply.body.action?.id)
    expect(listRequestsWithKey(idempotencyKey).length).toBeGreaterThan(sentCountBefore)
    // A repetition with the same key returns the stored result, although the new settings would
    // give a new request another path or body.
    expect(await sendWrite()).toMatchObject({ status: 201, replayed: true })
    await dashboard.end()
    await dashboard.restart(first)
    return listRequestsWithKey(idempotencyKey)
  }

  const checkCapabilityRequestReplay = async () => {
    const account = stubService.object(() => respondWith(500, ''))
    const calls = await replayWriteAfterRestart({
      where: '/accounts/capability_requests',
      body: capabilityOverrides,
      account,
    })
    expect(new Set(calls.map(({ path }) => path))).toEqual(
      new Set([isProviderFirst ? buildProviderRequestsPath(account) : documentRequestsPath]),
    )
    expect(new Set(calls.map(({ body }) => body)).size).toBe(1)
    expect(countAccountHeaders(calls)).toEqual(new Set([isProviderFirst ? 0 : 1]))
  }

  const checkChargeReplay = async () => {
    const paykey = stubService.object((id) =>
      respondWith(200, wrapInEnvelope({ id, paykey: `token-of-${id}` })),
    )
    const calls = await replayWriteAfterRestart({
      where: '/charges',
      body: buildChargeBody(paykey, 'signed_agreement'),
      account: randomUUID(),
    })
    expect(new Set(calls.map(({ body }) => body)).size).toBe(1)
    expect(JSON.parse(calls.at(-1)?.body ?? '').consent_type).toBe(
      isProviderFirst ? 'signed' : 'signed_agreement',
    )
    expect(countAccountHeaders(calls)).toEqual(new Set([1]))
  }

  const replayCases = [
    ['a capability request: its path, and the header or none', checkCapabilityRequestReplay],
    ['a charge: its bytes, and with them the word of its consent', checkChargeReplay],
  ] as const
  test.each(sampleItems(replayCases, 1))('is repeated unchanged: %s', (_part, check) => check())
})

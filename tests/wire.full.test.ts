import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { createPdfFile, goodReason, type Person, signIn } from './harness/person'
import {
  buildPayout,
  type RecordedRequest,
  respondWith,
  type StubService,
  startStubService,
  wrapInEnvelope,
} from './harness/service'
import {
  buildChargeBody,
  buildProviderCapabilityPath,
  capabilityOverrides,
  documentCapabilityPath,
  providerSettings,
  readAccountHeaders,
  respondWithCapabilityRequest,
  respondWithListOrCharge,
} from './harness/wire'

let stubService: StubService
let dashboard: Dashboard
let person: Person
beforeAll(async () => {
  stubService = await startStubService()
})
afterAll(() => stubService?.stop())

/** Removes the paging and sorting parameters, which every list request has, from a path. */
const removeListParams = (path: string | undefined) =>
  path?.replace(/page_number=1&page_size=50&sort_by=\w+&sort_order=desc&/, '')

const findLastRequest = (path: string): RecordedRequest | undefined =>
  stubService.seen.findLast((entry) => entry.path.split('?')[0] === path)

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
  const isProviderDialect = name.includes('provider')
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
    const expectedAccountHeaders = [undefined, undefined] as (string | undefined)[]
    expectedAccountHeaders[said.header] = `${said.prefix}${account}`
    expect(readAccountHeaders(stubService.about(payoutId)[0])).toEqual(expectedAccountHeaders)
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
    const path = isProviderDialect
      ? buildProviderCapabilityPath(capabilityAccountId)
      : documentCapabilityPath
    const recordedRequests = stubService.seen
      .filter((entry) => entry.path.startsWith(path))
      .slice(-2)
    expect(recordedRequests.map((call) => [call.method, removeListParams(call.path)])).toEqual([
      ['GET', `${path}?status=in_review`],
      ['POST', path],
    ])
    for (const call of recordedRequests)
      expect(readAccountHeaders(call)).toEqual(
        isProviderDialect ? [undefined, undefined] : [`acct_${capabilityAccountId}`, undefined],
      )
    expect(JSON.parse(recordedRequests[1]?.body ?? '')).toEqual(capabilityOverrides)
  })

  test('contain a list in the configured style, whatever style our API received', async () => {
    stubService.lists(respondWithListOrCharge)
    expect((await person.get('/api/sandbox/v1/paykeys?status=review,blocked')).status).toBe(200)
    expect(removeListParams(findLastRequest('/v1/paykeys')?.path)).toBe(`/v1/paykeys?${said.lists}`)
  })

  test('contain the configured value for a signed agreement, and other consents unchanged', async () => {
    const signedConsentRequest = await sendChargeAndFindRequest('signed_agreement')
    expect(JSON.parse(signedConsentRequest?.body ?? '').consent_type).toBe(said.consent)
    const internetConsentRequest = await sendChargeAndFindRequest('internet')
    expect(JSON.parse(internetConsentRequest?.body ?? '').consent_type).toBe('internet')
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

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleItems } from '@/tests/sandbox/sample'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { createIdempotencyKey, goodReason, type Person, signIn } from './harness/person'
import {
  type RecordedRequest,
  type ResponseBehavior,
  respondWith,
  type StubService,
  startStubService,
  wrapInEnvelope,
} from './harness/service'
import { waitUntil } from './harness/wait-until'
import {
  buildChargeBody,
  buildProviderCapabilityPath,
  capabilityOverrides,
  defaultSettings,
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
  [
    'first sent for a platform’s account, and again as a direct account',
    defaultSettings,
    { ...defaultSettings, SERVICE_SANDBOX_INTEGRATION: 'account' },
  ],
] as const

/**
 * A repetition with the same key returns the stored result, although the new settings would give a
 * new request another path or body.
 */
const storedResult = { status: 201, replayed: true }

describe.each(sampleItems(settingsOrders, 1))('a write %s', (_name, first, then) => {
  const isProviderFirst = first === providerSettings
  const listRequestsWithKey = (key: string) =>
    stubService.seen.filter((entry) => entry.headers['idempotency-key'] === key)
  const collectHeaderCounts = (calls: readonly RecordedRequest[]) =>
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
    expectedRepetition = storedResult,
  }: {
    where: string
    body: unknown
    account: string
    expectedRepetition?: Record<string, unknown>
  }) {
    const idempotencyKey = createIdempotencyKey()
    const sendWrite = () =>
      person.write('POST', `${where}?account=acct_${account}`, body, {
        key: idempotencyKey,
        reason: goodReason,
      })
    stubService.lists(respondWith(500, ''))
    const unknownOutcomeReply = await sendWrite()
    expect(unknownOutcomeReply).toMatchObject({
      status: 202,
      body: { action: { state: 'unknown' } },
    })
    await dashboard.end()
    const sentCountBefore = listRequestsWithKey(idempotencyKey).length
    const respondNormally: ResponseBehavior = (response, seen) =>
      (seen.path === '/v1/charges'
        ? respondWithListOrCharge
        : respondWithCapabilityRequest(account))(response, seen)
    stubService.lists(respondNormally)
    stubService.behave(account, respondNormally)
    await dashboard.restart(then)
    await waitUntilApplied(unknownOutcomeReply.body.action?.id)
    expect(listRequestsWithKey(idempotencyKey).length).toBeGreaterThan(sentCountBefore)
    expect(await sendWrite()).toMatchObject(expectedRepetition)
    await dashboard.end()
    await dashboard.restart({ ...first, SERVICE_SANDBOX_INTEGRATION: '' })
    return listRequestsWithKey(idempotencyKey)
  }

  const checkCapabilityRequestReplay = async () => {
    const accountId = stubService.object(() => respondWith(500, ''))
    const recordedRequests = await replayWriteAfterRestart({
      where: '/accounts/capability_requests',
      body: capabilityOverrides,
      account: accountId,
    })
    expect(new Set(recordedRequests.map(({ path }) => path))).toEqual(
      new Set([isProviderFirst ? buildProviderCapabilityPath(accountId) : documentCapabilityPath]),
    )
    expect(new Set(recordedRequests.map(({ body }) => body)).size).toBe(1)
    expect(collectHeaderCounts(recordedRequests)).toEqual(new Set([isProviderFirst ? 0 : 1]))
  }

  const checkChargeReplay = async () => {
    const paykeyId = stubService.object((id) =>
      respondWith(200, wrapInEnvelope({ id, paykey: `token-of-${id}` })),
    )
    const calls = await replayWriteAfterRestart({
      where: '/charges',
      body: buildChargeBody(paykeyId, 'signed_agreement'),
      account: randomUUID(),
      // A direct account’s charge names no account, so this is another request with the same key.
      ...('SERVICE_SANDBOX_INTEGRATION' in then
        ? { expectedRepetition: { status: 409, body: { error: { code: 'key_reused' } } } }
        : {}),
    })
    expect(new Set(calls.map(({ body }) => body)).size).toBe(1)
    expect(JSON.parse(calls.at(-1)?.body ?? '').consent_type).toBe(
      isProviderFirst ? 'signed' : 'signed_agreement',
    )
    expect(collectHeaderCounts(calls)).toEqual(new Set([1]))
  }

  const replayCases = [
    ['a capability request: its path, and the header or none', checkCapabilityRequestReplay],
    ['a charge: its bytes, and with them the word of its consent', checkChargeReplay],
  ] as const
  test.each(sampleItems(replayCases, 1))('is repeated unchanged: %s', (_part, check) => check())
})

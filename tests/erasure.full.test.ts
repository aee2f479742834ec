import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ServiceOperationId } from '@/lib/operations/service-operations'
import { findCanaryKinds, fourDigitCanaryKind } from './harness/canaries'
import { testEncryptionKey } from './harness/dashboard'
import { type DeskAndStore, startDeskAndStore } from './harness/desk-and-store'
import { type Person, signIn } from './harness/person'
import {
  createSampleResponder,
  okResponse,
  sampledWrites,
  sendSecretWrite,
  type WriteResponse,
} from './harness/secret-writes'
import { type RecordedRequest, type StubService, startStubService } from './harness/service'
import { readDecryptedValues, readStoreText } from './harness/store-content'
import { storeKinds } from './harness/store-kinds'
import { waitUntil } from './harness/wait-until'

const accountId = randomUUID()

describe.each(storeKinds)('the content of the store, on %s', (kind) => {
  let stubService: StubService
  let dashboardAndStore: DeskAndStore
  let admin: Person
  /** The response of the test’s payments service to every write. Each test sets it. */
  let writeResponse: WriteResponse
  const respondWithSample = createSampleResponder(() => writeResponse)

  beforeAll(async () => {
    vi.stubEnv('ENCRYPTION_KEY', testEncryptionKey)
    vi.stubEnv('AUTH_SECRET', 'a-secret-of-this-test-run-0123456789abcdef')
    vi.stubEnv('SERVICE_SANDBOX_URL', 'https://api.provider.test')
    vi.stubEnv('SERVICE_SANDBOX_API_KEY', 'key-0123456789-0123456789')
    vi.stubEnv('APP_ORIGIN', 'https://desk.company.test')
    stubService = await startStubService()
    stubService.lists(respondWithSample)
    dashboardAndStore = await startDeskAndStore(kind, {
      serviceUrl: stubService.url,
      apiKey: 'key-0123456789-0123456789',
    })
    admin = await signIn(dashboardAndStore.dashboard.url, 'admin')
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await dashboardAndStore?.stop()
    await stubService?.stop()
  })

  /** Sends one write about a new object through the dashboard. */
  const sendWrite = (operation: ServiceOperationId) =>
    sendSecretWrite(
      admin,
      operation,
      stubService.object(() => respondWithSample),
      accountId,
    )

  async function sendAllWrites(expectedState: string): Promise<string[]> {
    const actionIds: string[] = []
    for (const operation of sampledWrites) {
      const { body } = await sendWrite(operation)
      expect({ operation, state: body.action?.state }).toEqual({ operation, state: expectedState })
      actionIds.push(body.action?.id ?? '')
    }
    return actionIds
  }

  async function findDecryptedLeaks(): Promise<string[]> {
    const { decrypt } = await import('@/lib/server/store/encryption')
    const decryptedValues = await readDecryptedValues(dashboardAndStore.sql, decrypt)
    return decryptedValues.flatMap(({ where, text }) =>
      findCanaryKinds(text).map((what) => `${where}: ${what}`),
    )
  }

  const findCanaryKindsInStore = async () =>
    findCanaryKinds(await readStoreText(dashboardAndStore.sql)).filter(
      (what) => what !== fourDigitCanaryKind,
    )

  test('includes the request bytes while outcomes are open, so that the search can find them', async () => {
    writeResponse = { status: 500, body: () => ({}) }
    const operationsToSend: ServiceOperationId[] = [
      'customers.create',
      'bridge.bank_account',
      'payouts.create',
      'payouts.authorize',
    ]
    const unknownActionIds: string[] = []
    for (const operation of operationsToSend) {
      const { action } = (await sendWrite(operation)).body
      expect(action?.state).toBe('unknown')
      unknownActionIds.push(action?.id ?? '')
    }
    const foundLeaks = await findDecryptedLeaks()
    await dashboardAndStore.shut()
    expect(new Set(foundLeaks.map((leak) => leak.split(': ')[1]))).toEqual(
      new Set([
        'account number',
        'social security number',
        'date of birth',
        'token',
        'contact data',
      ]),
    )
    writeResponse = okResponse
    await dashboardAndStore.sql(`update actions set next_check_at = now()`)
    await dashboardAndStore.shut()
    for (const id of unknownActionIds) {
      await waitUntil('it to settle', async () =>
        (await admin.action(id)).body.action?.state === 'applied' ? true : null,
      )
    }
    expect(await findDecryptedLeaks()).toEqual([])
    await dashboardAndStore.shut()
  })

  test('includes no request or response data after writes of every kind are applied', async () => {
    writeResponse = okResponse
    await sendAllWrites('applied')
    expect(await findDecryptedLeaks()).toEqual([])
    expect(await findCanaryKindsInStore()).toEqual([])
    expect(await dashboardAndStore.sql('select 1 from actions where body is not null')).toEqual([])
    const otherChunks = await dashboardAndStore.sql(
      `select 1 from payload_chunks where payload_id not in
         (select payload_id from actions where state = 'applied' and payload_id is not null)`,
    )
    expect(otherChunks).toEqual([])
    await dashboardAndStore.shut()
  })

  test('includes no such data after refusals, even if the service repeats the request', async () => {
    const buildErrorDetail = (seen: RecordedRequest) =>
      `This cannot be taken: ${seen.body.slice(0, 300)}`
    writeResponse = {
      status: 422,
      body: (_, seen) => ({
        meta: {},
        response_type: 'error',
        error: {
          status: 422,
          title: 'No',
          detail: buildErrorDetail(seen),
          items: [{ reference: 'x', detail: buildErrorDetail(seen) }],
        },
      }),
    }
    await sendAllWrites('refused')
    expect(await findDecryptedLeaks()).toEqual([])
    expect(await findCanaryKindsInStore()).toEqual([])
    await dashboardAndStore.shut()
  })

  test('includes no such data when a person has to decide, nor after the decision', async () => {
    writeResponse = {
      status: 500,
      body: () => ({ error: { status: 500, title: 'No', detail: 'It failed' } }),
      headers: { 'idempotent-replayed': 'true' },
    }
    const waitingActionIds = await sendAllWrites('needs_human')
    expect(await findDecryptedLeaks()).toEqual([])
    expect(await findCanaryKindsInStore()).toEqual([])
    await dashboardAndStore.shut()
    const deciders = [
      await signIn(dashboardAndStore.dashboard.url, 'reviewer'),
      await signIn(dashboardAndStore.dashboard.url, 'admin2@paydesk.test'),
    ]
    for (const [at, id] of waitingActionIds.entries()) {
      const decision = {
        outcome: at % 2 === 0 ? 'applied' : 'refused',
        evidence: 'The provider answered in writing what had become of it.',
      }
      const headers = { 'content-type': 'application/json' }
      for (const decider of deciders) {
        const { status } = await decider.ask('POST', `/api/sandbox/desk/actions/${id}/decision`, {
          headers,
          body: JSON.stringify(decision),
        })
        expect(status).toBe(200)
      }
    }
    expect(await findDecryptedLeaks()).toEqual([])
    await dashboardAndStore.shut()
  })

  test('cannot include the bytes of a settled action, which the database rejects', async () => {
    await expect(
      dashboardAndStore.sql(`update actions set body = '\\x00' where state = 'applied'`),
    ).rejects.toThrow('actions_body_while_open')
    await dashboardAndStore.shut()
  })
})

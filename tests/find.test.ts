import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FindResult } from '@/lib/operations/find'
import {
  addLimitedPerson,
  buildCustomerBody,
  createObjectViaDesk,
  listActiveAccounts,
} from './harness/objects'
import { createIdempotencyKey, type Person, signIn } from './harness/person'
import { openSharedDesk } from './harness/shared-desk'
import { waitUntil } from './harness/wait-until'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let operator: Person
let viewer: Person
let limitedPerson: Person
let payout: { id: string; account: string }
let idempotencyKey: string
let releaseAction: {
  id: string
  correlation_id: string
  attempts: { request_id: string; api_request_id: string }[]
}

const findByText = (person: Person, text: string, account?: string) =>
  person.ask<FindResult>('GET', `/api/sandbox/desk/find${account ? `?account=${account}` : ''}`, {
    headers: { 'find-text': encodeURIComponent(text) },
  })

beforeAll(async () => {
  testStack = await openSharedDesk()
  operator = testStack.operator
  viewer = await signIn(testStack.dashboard.url, 'viewer')
  payout = await testStack.sandbox.makePayout()
  const otherAccount =
    (await listActiveAccounts(operator)).find((id) => `acct_${id}` !== payout.account) ?? ''
  await addLimitedPerson(testStack.db, 'lea@paydesk.test', 'operator', otherAccount)
  limitedPerson = await signIn(testStack.dashboard.url, 'lea@paydesk.test')
  idempotencyKey = createIdempotencyKey()
  const { body } = await operator.decide('release', payout, idempotencyKey)
  releaseAction = body.action as unknown as typeof releaseAction
})
afterAll(() => testStack?.stop())

describe('an action', () => {
  const searchTextGetters = {
    'idempotency key': () => idempotencyKey,
    'action id': () => releaseAction.id,
    'correlation id': () => releaseAction.correlation_id,
    'request id': () => releaseAction.attempts[0]?.request_id ?? '',
    'api request id': () => releaseAction.attempts[0]?.api_request_id ?? '',
  }
  test.each(Object.entries(searchTextGetters))(
    'is found by its %s, with its account, target and state',
    async (by, text) => {
      const { status, body } = await findByText(operator, text())
      expect(status).toBe(200)
      expect(body.data?.traces).toEqual([
        {
          kind: 'action',
          id: releaseAction.id,
          by,
          operation: 'payouts.release',
          account: payout.account,
          target: `payouts/${payout.id}`,
          at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
          actor: 'Omar Operator',
          state: 'applied',
          status: null,
        },
      ])
    },
  )

  test('is not found without a role in its account, nor in another environment', async () => {
    for (const text of Object.values(searchTextGetters))
      expect((await findByText(limitedPerson, text())).body.data?.traces).toEqual([])
    expect(
      (
        await operator.ask('GET', '/api/production/desk/find', {
          headers: { 'find-text': idempotencyKey },
        })
      ).status,
    ).toBe(404)
  })

  test('is found only by its complete key', async () => {
    for (const text of [
      idempotencyKey.slice(0, -1),
      `${idempotencyKey}0`,
      idempotencyKey.toUpperCase(),
      '%',
      `${idempotencyKey.slice(0, 8)}%`,
    ]) {
      const { body } = await findByText(operator, text.padEnd(3, '%'))
      expect(body.data?.traces).toEqual([])
    }
  })
})

describe('a request', () => {
  test('is found by its request ID, for people who may read the request log', async () => {
    const { body } = await operator.get(
      `/api/sandbox/v1/payouts/${payout.id}?account=${payout.account}`,
    )
    const requestId = body.meta.request_id
    const foundTraces = await waitUntil('the call in the log', async () => {
      const traces = (await findByText(operator, requestId)).body.data?.traces ?? []
      return traces.length > 0 ? traces : null
    })
    expect(foundTraces).toMatchObject([
      {
        kind: 'request',
        by: 'request id',
        operation: 'payouts.get',
        target: `payouts/${payout.id}`,
        state: null,
        status: 200,
      },
    ])
    const viewerFindResult = (await findByText(viewer, requestId)).body.data
    expect(viewerFindResult?.traces).toEqual([])
    expect(viewerFindResult?.unsearched).toEqual([
      { what: 'the request log', why: 'Only an operator, a reviewer or an admin can read it.' },
    ])
    expect((await findByText(limitedPerson, requestId)).body.data?.traces).toEqual([])
  })
})

describe('an email address', () => {
  test('finds the customer in the scope, masked, and is not stored', async () => {
    const customerFields = buildCustomerBody()
    const { made } = await createObjectViaDesk(
      operator,
      `/customers?account=${payout.account}`,
      customerFields,
    )
    const { body } = await findByText(operator, customerFields.email, payout.account)
    expect(body.data?.customers.map(({ id }) => id)).toEqual([made.id])
    expect(JSON.stringify(body)).not.toContain(customerFields.email)
    const { rows } = await testStack.db.query('select t::text as row from request_log t')
    expect(JSON.stringify(rows)).not.toContain(customerFields.email)
    expect(testStack.dashboard.log()).not.toContain(customerFields.email)
  })

  test('is not searched outside the person’s accounts', async () => {
    const customerFields = buildCustomerBody()
    await createObjectViaDesk(operator, `/customers?account=${payout.account}`, customerFields)
    expect((await findByText(limitedPerson, customerFields.email)).status).toBe(403)
    expect((await findByText(limitedPerson, customerFields.email, payout.account)).status).toBe(403)
  })
})

test.each(['', 'ab', '%E0%A4%A', 'x'.repeat(255)])(
  '%j is not a valid search text',
  async (text) => {
    const { status, body } = await operator.ask('GET', '/api/sandbox/desk/find', {
      headers: { 'find-text': text },
    })
    expect(status).toBe(422)
    expect(body.error?.items?.[0]?.reference).toBe('Find-Text')
  },
)

test('a search requires a session', async () => {
  const findResponse = await fetch(`${testStack.dashboard.url}/api/sandbox/desk/find`, {
    headers: { 'find-text': idempotencyKey },
  })
  expect(findResponse.status).toBe(401)
})

import type { Client } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { findSecretParts } from './harness/leaks'
import {
  buildCustomerBody,
  buildPayoutBody,
  type CreatedObject,
  createObjectViaDesk,
  dumpDatabase,
  listActiveAccounts,
  makePaykey,
} from './harness/objects'
import { createIdempotencyKey, type Person, signIn } from './harness/person'
import type { Sandbox } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import { waitUntil } from './harness/wait-until'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let sandbox: Sandbox
let db: Client
let operator: Person
let peopleByRole: Record<'viewer' | 'reviewer' | 'admin', Person>
let account: string
let customer: CreatedObject

beforeAll(async () => {
  testStack = await openSharedDesk()
  ;({ sandbox, db, operator } = testStack)
  const [viewer, reviewer, admin] = await Promise.all(
    (['viewer', 'reviewer', 'admin'] as const).map((who) => signIn(testStack.dashboard.url, who)),
  )
  peopleByRole = { viewer, reviewer, admin } as typeof peopleByRole
  account = `acct_${(await listActiveAccounts(operator))[0]}`
  customer = (
    await createObjectViaDesk(operator, `/customers?account=${account}`, buildCustomerBody())
  ).made
})
afterEach(() => sandbox.clearFaults())
afterAll(() => testStack?.stop())

const initializeBridge = (key = createIdempotencyKey(), person = operator) =>
  person.write<{ bridge_token: string }>(
    'POST',
    `/bridge/initialize?account=${account}`,
    { customer_id: customer.id, config: { sandbox_outcome: 'active' } },
    { key },
  )
const listInitializeRequests = async (since: number) =>
  (await sandbox.requests(since)).filter((row) => row.path.endsWith('/bridge/initialize'))

/** Returns one text with all responses about an action that a person can get. */
async function readAllActionResponses(person: Person, id: string): Promise<string> {
  const actionReplies = [
    await person.action(id),
    await person.check(id),
    await person.get(`/api/sandbox/desk/actions?target=customers/${customer.id}`),
    await person.get(`/api/sandbox/desk/actions?operation=bridge.initialize&account=${account}`),
    await person.get('/api/sandbox/desk/requests'),
  ]
  return JSON.stringify(actionReplies.map(({ body }) => body))
}

test('a bridge token is returned once to its requester, and never again', async () => {
  const idempotencyKey = createIdempotencyKey()
  const reply = await initializeBridge(idempotencyKey)
  const token = reply.body.data?.bridge_token ?? ''
  expect(reply.status).toBe(201)
  expect(token.length).toBeGreaterThan(40)
  const id = reply.body.action?.id ?? ''
  for (const person of [operator, ...Object.values(peopleByRole)]) {
    const { status, body } = await person.action(id)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { action: { id, state: 'applied' } },
    })
    expect(body).not.toHaveProperty('data')
    expect(findSecretParts(await readAllActionResponses(person, id), token)).toEqual([])
  }
  expect((await db.query('select answer, body from actions where id = $1', [id])).rows).toEqual([
    { answer: null, body: null },
  ])
  for (const text of [await dumpDatabase(db), testStack.dashboard.log()])
    expect(findSecretParts(text, token)).toEqual([])
})

test('the same key never runs twice, and a repetition reports that the response was not stored', async () => {
  const repeatedIdempotencyKey = createIdempotencyKey()
  const seqBefore = await sandbox.lastSeq()
  const firstReply = await initializeBridge(repeatedIdempotencyKey)
  const token = firstReply.body.data?.bridge_token ?? ''
  const repeatReply = await initializeBridge(repeatedIdempotencyKey)
  expect(repeatReply).toMatchObject({
    status: 410,
    replayed: true,
    body: {
      error: { code: 'answer_not_kept', detail: expect.stringContaining('new Idempotency-Key') },
      action: { id: firstReply.body.action?.id, state: 'applied' },
    },
  })
  expect(findSecretParts(JSON.stringify(repeatReply.body), token)).toEqual([])
  expect(await listInitializeRequests(seqBefore)).toHaveLength(1)
  expect((await initializeBridge()).body.data?.bridge_token).not.toBe(token)
})

test('ten concurrent requests under one key create one token, returned once', async () => {
  const sharedIdempotencyKey = createIdempotencyKey()
  const seqBeforeRequests = await sandbox.lastSeq()
  const bridgeReplies = await Promise.all(
    Array.from({ length: 10 }, () => initializeBridge(sharedIdempotencyKey)),
  )
  expect(bridgeReplies.filter(({ body }) => body.data !== undefined)).toHaveLength(1)
  expect(new Set(bridgeReplies.map(({ status }) => status))).toEqual(
    new Set([
      201,
      ...bridgeReplies
        .map(({ status }) => status)
        .filter((status) => status === 409 || status === 410),
    ]),
  )
  expect(await listInitializeRequests(seqBeforeRequests)).toHaveLength(1)
})

test('a request with an unknown outcome is settled by its key, and its token is never returned', async () => {
  await sandbox.fault({
    operation: 'bridge.initialize',
    match: customer.id,
    kind: 'status',
    status: 500,
    body: 'none',
    count: 3,
  })
  const lostIdempotencyKey = createIdempotencyKey()
  const seqBeforeLostReply = await sandbox.lastSeq()
  const lostReply = await initializeBridge(lostIdempotencyKey)
  expect(lostReply).toMatchObject({ status: 202, body: { action: { state: 'unknown' } } })
  const id = lostReply.body.action?.id ?? ''
  await db.query('update actions set next_check_at = now() where id = $1', [id])
  await waitUntil('the resolver', async () =>
    (await operator.action(id)).body.action?.state === 'applied' ? true : null,
  )
  expect((await db.query('select answer from actions where id = $1', [id])).rows).toEqual([
    { answer: null },
  ])
  expect(
    new Set((await listInitializeRequests(seqBeforeLostReply)).map((row) => row.idempotency_key)),
  ).toEqual(new Set([lostIdempotencyKey]))
  expect(await initializeBridge(lostIdempotencyKey)).toMatchObject({
    status: 410,
    body: { error: { code: 'answer_not_kept' } },
  })
  // The parts of a token are JSON objects in base64url, which begin with `eyJ`. Other text can
  // begin so by chance, but is no such JSON.
  const decodedTokenParts = ((await dumpDatabase(db)).match(/eyJ[\w-]*/g) ?? []).map((word) =>
    Buffer.from(word, 'base64url').toString(),
  )
  expect(decodedTokenParts.filter((text) => /^\{"\w+"/.test(text))).toEqual([])
})

test('the data of an action is shown only to roles that may read it, in its account', async () => {
  const { paykey } = await makePaykey(operator, account)
  const { body } = await createObjectViaDesk(
    operator,
    `/payouts?account=${account}`,
    buildPayoutBody(paykey.id),
    {
      reason: 'CONTRACT_DUE: agreed with the customer and due now',
    },
  )
  const id = body.action?.id ?? ''
  for (const person of [operator, peopleByRole.admin])
    expect((await person.action(id)).body.data).toMatchObject({ id: body.data?.id })
  for (const person of [peopleByRole.viewer, peopleByRole.reviewer]) {
    const actionReply = await person.action(id)
    expect(actionReply).toMatchObject({
      status: 200,
      body: {
        action: {
          id,
          operation: 'payouts.create',
          state: 'applied',
          target: `payouts/${body.data?.id}`,
        },
      },
    })
    expect(actionReply.body).not.toHaveProperty('data')
  }
  const refreshReply = await peopleByRole.reviewer.write(
    'PUT',
    `/paykeys/${paykey.id}/refresh_review?account=${account}`,
  )
  expect((await operator.action(refreshReply.body.action?.id ?? '')).body.data).toMatchObject({
    id: paykey.id,
  })
  expect(
    (await peopleByRole.viewer.action(refreshReply.body.action?.id ?? '')).body,
  ).not.toHaveProperty('data')
})

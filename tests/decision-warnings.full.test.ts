import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  buildCustomerBody,
  type CreatedObject,
  createObjectViaDesk,
  listActiveAccounts,
  makePaykey,
  readAuditRows,
} from './harness/objects'
import { createIdempotencyKey, goodReason, type Person } from './harness/person'
import type { Sandbox } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let sandbox: Sandbox
let db: Client
let admin: Person
let account: string

beforeAll(async () => {
  testStack = await openSharedDesk()
  ;({ sandbox, db } = testStack)
  admin = await testStack.signIn('admin')
  const [first = ''] = await listActiveAccounts(admin)
  account = `acct_${first}`
})
afterEach(() => sandbox.clearFaults())
afterAll(() => testStack?.stop())

/**
 * A decision to test. `of` creates its target and returns the id. `method`, `verb` and `body` form
 * the request. `names` are the warnings that the request must acknowledge. `says` is part of the
 * error text if it does not.
 */
type DecisionCase = {
  of: () => Promise<string>
  method: string
  verb: string
  body?: object
  names: string[]
  says: string
}

/**
 * Creates a paykey in review: the account holder's name at the bank and the customer's name match
 * only in part. Returns its id.
 */
async function createPaykeyInReview(): Promise<string> {
  const { made: owner } = await createObjectViaDesk(
    admin,
    `/customers?account=${account}`,
    buildCustomerBody(),
  )
  const plaidPaykeyBody = {
    customer_id: owner.id,
    plaid_token: `processor-${randomUUID()}`,
    config: { sandbox_outcome: 'review' },
  }
  return (await createObjectViaDesk(admin, `/bridge/plaid?account=${account}`, plaidPaykeyBody))
    .made.id
}
const createActivePaykey = async () => (await makePaykey(admin, account)).paykey.id

type CustomerReview = { identity_details: { watch_list: { matched: string[] } } }

/**
 * Creates a customer in review, with a watch list match only if `isOnWatchList`. The sandbox
 * decides at random, so this creates customers until one fits. Returns its id.
 */
async function createCustomerInReview(isOnWatchList = false): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { id } = (
      await createObjectViaDesk(admin, `/customers?account=${account}`, buildCustomerBody('review'))
    ).made
    const { body } = await admin.get<CustomerReview>(
      `/api/sandbox/v1/customers/${id}/review?account=${account}`,
    )
    if ((body.data?.identity_details.watch_list.matched.length ?? 0) > 0 === isOnWatchList)
      return id
  }
  throw new Error('no verification found it')
}
async function createBlockedPaykey(): Promise<string> {
  const payout = await sandbox.makePayout({
    account_id: account.slice(5),
    status: 'cancelled',
    paykey_status: 'blocked',
  })
  const { body } = await admin.get<{ paykey_details: CreatedObject }>(
    `/api/sandbox/v1/payouts/${payout.id}?account=${payout.account}`,
  )
  return body.data?.paykey_details.id ?? ''
}

const decisionCases: Record<string, DecisionCase> = {
  'an approval of a paykey': {
    of: createPaykeyInReview,
    ...{ method: 'PATCH', verb: 'paykeys.review', body: { status: 'active' } },
    names: ['approve_names:warn'],
    says: 'The names do not clearly match.',
  },
  'a rejection of a paykey': {
    of: createPaykeyInReview,
    ...{ method: 'PATCH', verb: 'paykeys.review', body: { status: 'rejected' } },
    names: ['reject_paykey'],
    says: 'A rejection is final: this paykey cannot be reactivated.',
  },
  'an unblock of a paykey': {
    of: createBlockedPaykey,
    ...{ method: 'PATCH', verb: 'paykeys.unblock' },
    names: ['unblock_cause', 'unblock_bank'],
    says: 'The cause of the return is understood.',
  },
  'a cancellation of a paykey': {
    of: createActivePaykey,
    ...{ method: 'PUT', verb: 'paykeys.cancel', body: { reason: goodReason } },
    names: ['cancel_paykey'],
    says: 'A cancellation is final',
  },
  'a verification of a customer': {
    of: () => createCustomerInReview(),
    ...{ method: 'PATCH', verb: 'customers.review', body: { status: 'verified' } },
    names: ['verify_modules'],
    says: 'I reviewed every module that did not pass.',
  },
  'a rejection of a customer': {
    of: () => createCustomerInReview(),
    ...{ method: 'PATCH', verb: 'customers.review', body: { status: 'rejected' } },
    names: ['reject_innocent', 'reject_neutral'],
    says: 'I considered an innocent explanation',
  },
}

function sendDecision(
  { method, verb, body }: Pick<DecisionCase, 'method' | 'verb' | 'body'>,
  id: string,
  warnings: readonly string[],
  key = createIdempotencyKey(),
) {
  const [resource, verbName] = verb.split('.')
  const headers = { 'action-warnings': warnings.join(',') }
  return admin.write(method, `/${resource}/${id}/${verbName}?account=${account}`, body ?? {}, {
    key,
    reason: goodReason,
    headers,
  })
}

const listWarningNames = (reply: Awaited<ReturnType<typeof sendDecision>>) =>
  reply.body.error?.items?.map(({ reference }) => reference) ?? []
const toWarningReferences = (names: readonly string[]) => names.map((name) => `warnings.${name}`)
const readActionWarnings = async (id: string) =>
  (
    await db.query<{ warnings: { code: string }[] | null }>(
      `select warnings from actions where target like $1 order by created_at`,
      [`%/${id}`],
    )
  ).rows
const listSentOperations = async (id: string) =>
  (await sandbox.journal(id))
    .map(({ operation }) => operation)
    .filter((operation) => !/create|bridge/.test(operation))

describe.each(Object.entries(decisionCases))('%s', (_, decision) => {
  test('is refused until each of its warnings is ticked, and stores them', async () => {
    const objectId = await decision.of()
    const actionCount = (await readActionWarnings(objectId)).length
    const firstReply = await sendDecision(decision, objectId, [])
    expect(firstReply).toMatchObject({ status: 422, body: { error: { code: 'invalid_input' } } })
    expect(listWarningNames(firstReply)).toEqual(toWarningReferences(decision.names))
    expect(firstReply.body.error?.items?.[0]?.detail).toMatch(/Confirm it, and try again$/)
    expect(firstReply.body.error?.detail).toContain(decision.says)
    expect(
      listWarningNames(await sendDecision(decision, objectId, decision.names.slice(1))),
    ).toEqual(toWarningReferences(decision.names.slice(0, 1)))
    expect([
      (await readActionWarnings(objectId)).length,
      await listSentOperations(objectId),
    ]).toEqual([actionCount, []])

    const idempotencyKey = createIdempotencyKey()
    const decisionReply = await sendDecision(decision, objectId, decision.names, idempotencyKey)
    expect(decisionReply).toMatchObject({ status: 200, body: { action: { state: 'applied' } } })
    expect(decisionReply.body.action?.warnings.map(({ code }) => code)).toEqual(decision.names)
    expect((await readActionWarnings(objectId)).at(-1)?.warnings?.map(({ code }) => code)).toEqual(
      decision.names,
    )
    const rows = await readAuditRows(db, `${decisionReply.body.action?.operation}.applied`)
    expect(rows.find((row) => row.action === decisionReply.body.action?.id)).toMatchObject({
      warnings: decision.names,
    })
    // A repeated request with the same key returns the stored result, even if it acknowledges other
    // warnings.
    expect(await sendDecision(decision, objectId, [], idempotencyKey)).toMatchObject({
      status: 200,
      replayed: true,
    })
    expect(await listSentOperations(objectId)).toHaveLength(1)
  })
})

const approvalCase = decisionCases['an approval of a paykey'] as DecisionCase
const verificationCase = decisionCases['a verification of a customer'] as DecisionCase
const failReads = (operation: string) =>
  sandbox.fault({ operation, match: account.slice(5), kind: 'status', status: 500, count: null })

describe('a check that cannot be made', () => {
  test.each([
    ['names', 'paykeys.review', ['approve_names:unknown']],
    ['customer', 'customers.get', ['approve_names:warn', 'approve_customer:unknown']],
    ['other paykeys', 'paykeys.list', ['approve_names:warn', 'approve_alike:unknown']],
  ])('requires its own tick for an approval: %s', async (_, operation, names) => {
    const paykeyId = await approvalCase.of()
    await failReads(operation)
    const firstReply = await sendDecision(approvalCase, paykeyId, ['approve_names:warn'])
    expect(listWarningNames(firstReply)).toEqual(
      toWarningReferences(names.filter((name) => name !== 'approve_names:warn')),
    )
    expect(await listSentOperations(paykeyId)).toEqual([])
    expect(await sendDecision(approvalCase, paykeyId, names)).toMatchObject({
      status: 200,
      body: { action: { state: 'applied' } },
    })
  })

  test('requires its own tick for a verification, and a watch list match requires a comparison', async () => {
    const id = await createCustomerInReview(true)
    expect(listWarningNames(await sendDecision(verificationCase, id, ['verify_modules']))).toEqual([
      'warnings.verify_watch_list',
    ])
    await failReads('customers.review')
    expect(
      listWarningNames(
        await sendDecision(verificationCase, id, ['verify_modules', 'verify_watch_list']),
      ),
    ).toEqual(['warnings.verify_unread'])
    expect(await listSentOperations(id)).toEqual([])
  })

  test('blocks the decision if the paykey itself is unreadable', async () => {
    const id = await approvalCase.of()
    await failReads('paykeys.get')
    expect(await sendDecision(approvalCase, id, ['approve_names:warn'])).toMatchObject({
      status: 503,
      body: { error: { code: 'not_sent' } },
    })
    expect(await listSentOperations(id)).toEqual([])
  })
})

test('an open decision is reported first, whatever is ticked', async () => {
  const id = await approvalCase.of()
  await sandbox.fault({
    operation: 'paykeys.decide',
    match: id,
    kind: 'reset',
    at: 'after',
    count: null,
  })
  const sentReply = await sendDecision(approvalCase, id, approvalCase.names)
  expect(sentReply.body.action?.state).toBe('unknown')
  expect(await sendDecision(approvalCase, id, [])).toMatchObject({
    status: 409,
    body: { error: { code: 'action_open' } },
  })
  expect(
    await sendDecision({ ...approvalCase, body: { status: 'rejected' } }, id, []),
  ).toMatchObject({
    body: { error: { code: 'action_open' } },
  })
})

test('a status change that is a decision requires the same ticks', async () => {
  const id = await createCustomerInReview()
  const changeCustomerStatus = (status: string, names: string[]) =>
    admin.write(
      'PUT',
      `/customers/${id}?account=${account}`,
      { name: 'Amara Okafor', status, metadata: {} },
      {
        reason: goodReason,
        headers: { 'action-warnings': names.join(',') },
      },
    )
  expect(listWarningNames(await changeCustomerStatus('verified', []))).toEqual([
    'warnings.verify_modules',
  ])
  expect(listWarningNames(await changeCustomerStatus('rejected', ['reject_neutral']))).toEqual([
    'warnings.reject_innocent',
  ])
  expect(await listSentOperations(id)).toEqual([])
  expect((await changeCustomerStatus('review', [])).status).toBe(200)
  const changeReply = await changeCustomerStatus('verified', ['verify_modules'])
  expect(changeReply).toMatchObject({
    status: 200,
    body: { data: { status: 'verified' }, action: { warnings: [{ code: 'verify_modules' }] } },
  })
})

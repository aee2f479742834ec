import type { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  createCustomerInReview,
  type DecisionCase,
  type DecisionDesk,
  decisionCases,
  sendDecision,
} from './harness/decision-cases'
import { listActiveAccounts, readAuditRows } from './harness/objects'
import { createIdempotencyKey, goodReason, listWarningNames, type Person } from './harness/person'
import type { Sandbox } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let sandbox: Sandbox
let db: Client
let admin: Person
let account: string
let desk: DecisionDesk

beforeAll(async () => {
  testStack = await openSharedDesk()
  ;({ sandbox, db } = testStack)
  admin = await testStack.signIn('admin')
  const [first = ''] = await listActiveAccounts(admin)
  account = `acct_${first}`
  desk = { testStack, admin, account }
})
afterEach(() => sandbox.clearFaults())
afterAll(() => testStack?.stop())

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
    const objectId = await decision.of(desk)
    const actionCount = (await readActionWarnings(objectId)).length
    const firstReply = await sendDecision(desk, decision, objectId, [])
    expect(firstReply).toMatchObject({ status: 422, body: { error: { code: 'invalid_input' } } })
    expect(listWarningNames(firstReply)).toEqual(toWarningReferences(decision.names))
    expect(firstReply.body.error?.items?.[0]?.detail).toMatch(/Confirm it, and try again$/)
    expect(firstReply.body.error?.detail).toContain(decision.says)
    expect(
      listWarningNames(await sendDecision(desk, decision, objectId, decision.names.slice(1))),
    ).toEqual(toWarningReferences(decision.names.slice(0, 1)))
    expect([
      (await readActionWarnings(objectId)).length,
      await listSentOperations(objectId),
    ]).toEqual([actionCount, []])

    const idempotencyKey = createIdempotencyKey()
    const decisionReply = await sendDecision(
      desk,
      decision,
      objectId,
      decision.names,
      idempotencyKey,
    )
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
    expect(await sendDecision(desk, decision, objectId, [], idempotencyKey)).toMatchObject({
      status: 200,
      replayed: true,
    })
    expect(await listSentOperations(objectId)).toHaveLength(1)
  })
})

const approvalCase = decisionCases['an approval of a paykey'] as DecisionCase
const verificationCase = decisionCases['a verification of a customer'] as DecisionCase
const makeReadsFail = (operation: string) =>
  sandbox.fault({ operation, match: account.slice(5), kind: 'status', status: 500, count: null })

describe('a check that cannot be made', () => {
  test.each([
    ['names', 'paykeys.review', ['approve_names:unknown']],
    ['customer', 'customers.get', ['approve_names:warn', 'approve_customer:unknown']],
    ['other paykeys', 'paykeys.list', ['approve_names:warn', 'approve_alike:unknown']],
  ])('requires its own tick for an approval: %s', async (_, operation, names) => {
    const paykeyId = await approvalCase.of(desk)
    await makeReadsFail(operation)
    const firstReply = await sendDecision(desk, approvalCase, paykeyId, ['approve_names:warn'])
    expect(listWarningNames(firstReply)).toEqual(
      toWarningReferences(names.filter((name) => name !== 'approve_names:warn')),
    )
    expect(await listSentOperations(paykeyId)).toEqual([])
    expect(await sendDecision(desk, approvalCase, paykeyId, names)).toMatchObject({
      status: 200,
      body: { action: { state: 'applied' } },
    })
  })

  test('requires its own tick for a verification, and a watch list match requires a comparison', async () => {
    const id = await createCustomerInReview(desk, true)
    expect(
      listWarningNames(await sendDecision(desk, verificationCase, id, ['verify_modules'])),
    ).toEqual(['warnings.verify_watch_list'])
    await makeReadsFail('customers.review')
    expect(
      listWarningNames(
        await sendDecision(desk, verificationCase, id, ['verify_modules', 'verify_watch_list']),
      ),
    ).toEqual(['warnings.verify_unread'])
    expect(await listSentOperations(id)).toEqual([])
  })

  test('blocks the decision if the paykey itself is unreadable', async () => {
    const id = await approvalCase.of(desk)
    await makeReadsFail('paykeys.get')
    expect(await sendDecision(desk, approvalCase, id, ['approve_names:warn'])).toMatchObject({
      status: 503,
      body: { error: { code: 'not_sent' } },
    })
    expect(await listSentOperations(id)).toEqual([])
  })
})

test('an open decision is reported first, whatever is ticked', async () => {
  const id = await approvalCase.of(desk)
  await sandbox.fault({
    operation: 'paykeys.decide',
    match: id,
    kind: 'reset',
    at: 'after',
    count: null,
  })
  const unknownOutcomeReply = await sendDecision(desk, approvalCase, id, approvalCase.names)
  expect(unknownOutcomeReply.body.action?.state).toBe('unknown')
  expect(await sendDecision(desk, approvalCase, id, [])).toMatchObject({
    status: 409,
    body: { error: { code: 'action_open' } },
  })
  expect(
    await sendDecision(desk, { ...approvalCase, body: { status: 'rejected' } }, id, []),
  ).toMatchObject({
    body: { error: { code: 'action_open' } },
  })
})

test('a status change that is a decision requires the same ticks', async () => {
  const id = await createCustomerInReview(desk)
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

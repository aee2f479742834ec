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
let decisionDesk: DecisionDesk

beforeAll(async () => {
  testStack = await openSharedDesk()
  ;({ sandbox, db } = testStack)
  admin = await testStack.signIn('admin')
  const [first = ''] = await listActiveAccounts(admin)
  account = `acct_${first}`
  decisionDesk = { testStack, admin, account }
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
const listJournalOperations = async (id: string) =>
  (await sandbox.journal(id))
    .map(({ operation }) => operation)
    .filter((operation) => !/create|bridge/.test(operation))

describe.each(Object.entries(decisionCases))('%s', (_, decision) => {
  test('is refused until each of its warnings is ticked, and stores them', async () => {
    const objectId = await decision.of(decisionDesk)
    const actionCount = (await readActionWarnings(objectId)).length
    const firstReply = await sendDecision(decisionDesk, decision, objectId, [])
    expect(firstReply).toMatchObject({ status: 422, body: { error: { code: 'invalid_input' } } })
    expect(listWarningNames(firstReply)).toEqual(toWarningReferences(decision.names))
    expect(firstReply.body.error?.items?.[0]?.detail).toMatch(/Confirm it, and try again$/)
    expect(firstReply.body.error?.detail).toContain(decision.says)
    expect(
      listWarningNames(
        await sendDecision(decisionDesk, decision, objectId, decision.names.slice(1)),
      ),
    ).toEqual(toWarningReferences(decision.names.slice(0, 1)))
    expect([
      (await readActionWarnings(objectId)).length,
      await listJournalOperations(objectId),
    ]).toEqual([actionCount, []])

    const idempotencyKey = createIdempotencyKey()
    const decisionReply = await sendDecision(
      decisionDesk,
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
    expect(await sendDecision(decisionDesk, decision, objectId, [], idempotencyKey)).toMatchObject({
      status: 200,
      replayed: true,
    })
    expect(await listJournalOperations(objectId)).toHaveLength(1)
  })
})

const paykeyApprovalCase = decisionCases['an approval of a paykey'] as DecisionCase
const customerVerificationCase = decisionCases['a verification of a customer'] as DecisionCase
const makeReadsFail = (operation: string) =>
  sandbox.fault({ operation, match: account.slice(5), kind: 'status', status: 500, count: null })

describe('a check that cannot be made', () => {
  test.each([
    ['names', 'paykeys.review', ['approve_names:unknown']],
    ['customer', 'customers.get', ['approve_names:warn', 'approve_customer:unknown']],
    ['other paykeys', 'paykeys.list', ['approve_names:warn', 'approve_alike:unknown']],
  ])('requires its own tick for an approval: %s', async (_, operation, names) => {
    const paykeyId = await paykeyApprovalCase.of(decisionDesk)
    await makeReadsFail(operation)
    const firstReply = await sendDecision(decisionDesk, paykeyApprovalCase, paykeyId, [
      'approve_names:warn',
    ])
    expect(listWarningNames(firstReply)).toEqual(
      toWarningReferences(names.filter((name) => name !== 'approve_names:warn')),
    )
    expect(await listJournalOperations(paykeyId)).toEqual([])
    expect(await sendDecision(decisionDesk, paykeyApprovalCase, paykeyId, names)).toMatchObject({
      status: 200,
      body: { action: { state: 'applied' } },
    })
  })

  test('requires its own tick for a verification, and a watch list match requires a comparison', async () => {
    const id = await createCustomerInReview(decisionDesk, true)
    expect(
      listWarningNames(
        await sendDecision(decisionDesk, customerVerificationCase, id, ['verify_modules']),
      ),
    ).toEqual(['warnings.verify_watch_list'])
    await makeReadsFail('customers.review')
    expect(
      listWarningNames(
        await sendDecision(decisionDesk, customerVerificationCase, id, [
          'verify_modules',
          'verify_watch_list',
        ]),
      ),
    ).toEqual(['warnings.verify_unread'])
    expect(await listJournalOperations(id)).toEqual([])
  })

  test('blocks the decision if the paykey itself is unreadable', async () => {
    const id = await paykeyApprovalCase.of(decisionDesk)
    await makeReadsFail('paykeys.get')
    expect(
      await sendDecision(decisionDesk, paykeyApprovalCase, id, ['approve_names:warn']),
    ).toMatchObject({
      status: 503,
      body: { error: { code: 'not_sent' } },
    })
    expect(await listJournalOperations(id)).toEqual([])
  })
})

test('an open decision is reported first, whatever is ticked', async () => {
  const id = await paykeyApprovalCase.of(decisionDesk)
  await sandbox.fault({
    operation: 'paykeys.decide',
    match: id,
    kind: 'reset',
    at: 'after',
    count: null,
  })
  const unknownOutcomeReply = await sendDecision(
    decisionDesk,
    paykeyApprovalCase,
    id,
    paykeyApprovalCase.names,
  )
  expect(unknownOutcomeReply.body.action?.state).toBe('unknown')
  expect(await sendDecision(decisionDesk, paykeyApprovalCase, id, [])).toMatchObject({
    status: 409,
    body: { error: { code: 'action_open' } },
  })
  expect(
    await sendDecision(
      decisionDesk,
      { ...paykeyApprovalCase, body: { status: 'rejected' } },
      id,
      [],
    ),
  ).toMatchObject({
    body: { error: { code: 'action_open' } },
  })
})

test('a status change that is a decision requires the same ticks', async () => {
  const id = await createCustomerInReview(decisionDesk)
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
  expect(await listJournalOperations(id)).toEqual([])
  expect((await changeCustomerStatus('review', [])).status).toBe(200)
  const changeReply = await changeCustomerStatus('verified', ['verify_modules'])
  expect(changeReply).toMatchObject({
    status: 200,
    body: { data: { status: 'verified' }, action: { warnings: [{ code: 'verify_modules' }] } },
  })
})

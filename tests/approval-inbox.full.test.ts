import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultPolicy } from '@/lib/domain/policies'
import type { ApprovalDetail, ApprovalNeed, ApprovalRequest } from '@/lib/operations/approvals'
import type { PolicyRule } from '@/lib/operations/policies'
import { goodReason, type Person } from './harness/person'
import { activatePolicy } from './harness/policy'
import type { MadePayout } from './harness/sandbox'
import { waitUntil } from './harness/wait-until'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

const fieldsOverThreshold = { amount: 600_000 }

let testStack: WholeDesk
let operator: Person
let reviewer: Person
let admin: Person

beforeAll(async () => {
  testStack = await startWholeDesk({ mirror: true })
  operator = testStack.operator
  reviewer = await testStack.signIn('reviewer')
  admin = await testStack.signIn('admin')
})
afterAll(() => testStack?.stop())

const fetchApprovalNeed = async ({ id, account }: MadePayout, person = operator) =>
  (
    await person.get<ApprovalNeed>(
      `/api/sandbox/desk/approval-needed?operation=payouts.release&target=payouts/${id}&account=${account}`,
    )
  ).body.data

/**
 * Reads a payout as its page does, and waits until the mirror (our stored copy of the service's
 * objects) contains it.
 */
async function readPayoutIntoMirror(payout: MadePayout): Promise<MadePayout> {
  await operator.get(`/api/sandbox/v1/payouts/${payout.id}?account=${payout.account}`)
  await waitUntil('the payout to be kept', async () =>
    (await testStack.db.query('select 1 from mirror_payments where id = $1', [payout.id]))
      .rowCount === 1
      ? true
      : null,
  )
  return payout
}

/**
 * Sends a release as the operator. It must wait for an approval. Returns the payout and the id of
 * the action.
 */
async function requestRelease() {
  const payout = await testStack.sandbox.makePayout(fieldsOverThreshold)
  const reply = await operator.decide('release', payout)
  return { payout, id: reply.body.action?.id ?? '' }
}

test('the required approvers are returned before anything is written, for the stored amount', async () => {
  expect(
    await fetchApprovalNeed(
      await readPayoutIntoMirror(await testStack.sandbox.makePayout(fieldsOverThreshold)),
    ),
  ).toEqual({
    second: ['operator', 'reviewer', 'admin'],
    possible: true,
  })
  expect(
    await fetchApprovalNeed(
      await readPayoutIntoMirror(await testStack.sandbox.makePayout({ amount: 499_999 })),
    ),
  ).toEqual({
    second: [],
    possible: true,
  })
  const { status, body } = await operator.get(
    '/api/sandbox/desk/approval-needed?operation=payouts.get&target=payouts',
  )
  expect({ status, items: body.error?.items?.map(({ reference }) => reference) }).toEqual({
    status: 422,
    items: ['operation', 'target'],
  })
})

test('a typed amount counts before the write: of a new payout, a change and a refund', async () => {
  const createdPayout = await testStack.sandbox.makePayout({ amount: 499_999 })
  const payout = await readPayoutIntoMirror(createdPayout)
  const readApprovers = async (query: string) =>
    (
      await operator.get<ApprovalNeed>(
        `/api/sandbox/desk/approval-needed?${query}&account=${payout.account}`,
      )
    ).body.data?.second
  const allApprovers = ['operator', 'reviewer', 'admin']
  expect(await readApprovers('operation=payouts.create&amount=499999')).toEqual([])
  expect(await readApprovers('operation=payouts.create&amount=500000')).toEqual(allApprovers)
  expect(await readApprovers('operation=payouts.create')).toEqual(allApprovers)
  const target = `payouts/${payout.id}`
  expect(await readApprovers(`operation=payouts.update&target=${target}&amount=400000`)).toEqual([])
  expect(await readApprovers(`operation=payouts.update&target=${target}&amount=600000`)).toEqual(
    allApprovers,
  )
  const { status, body } = await operator.get(
    '/api/sandbox/desk/approval-needed?operation=payouts.create&amount=12.50&paykey_id=abc',
  )
  expect({ status, items: body.error?.items?.map(({ reference }) => reference) }).toEqual({
    status: 422,
    items: ['amount', 'paykey_id'],
  })
})

test('a bank account counts only for people who may see it', async () => {
  const changeCreateRule = (rule: PolicyRule): PolicyRule =>
    rule.operation === 'payouts.create' ? { ...rule, when: [[{ is: 'first_payment' }]] } : rule
  await activatePolicy(testStack, {
    ...defaultPolicy,
    rules: defaultPolicy.rules.map(changeCreateRule),
  })
  const paid = await testStack.db.query<{ paykey: string; account: string }>(
    `select paykey_id as paykey, account_id as account from mirror_payments where status = 'paid' and account_id is not null limit 1`,
  )
  const { paykey, account } = paid.rows[0] ?? {}
  const readApprovers = async (person: Person, accountId: string | undefined) =>
    (
      await person.get<ApprovalNeed>(
        `/api/sandbox/desk/approval-needed?operation=payouts.create&amount=100&paykey_id=${paykey}&account=acct_${accountId}`,
      )
    ).body.data?.second
  expect(await readApprovers(operator, account)).toEqual([])
  const otherAccounts = await testStack.db.query<{ id: string }>(
    'select distinct account_id as id from mirror_payments where account_id <> $1 limit 1',
    [account],
  )
  expect(await readApprovers(operator, otherAccounts.rows[0]?.id)).not.toEqual([])
})

test('an action without a possible approver is refused at once and not recorded', async () => {
  const setApproversDisabledSql = `update people set disabled_at = $1 where email in ('reviewer@paydesk.test', 'admin@paydesk.test', 'admin2@paydesk.test')`
  const payout = await readPayoutIntoMirror(await testStack.sandbox.makePayout(fieldsOverThreshold))
  await testStack.db.query(setApproversDisabledSql, [new Date()])
  try {
    expect(await fetchApprovalNeed(payout)).toEqual({
      second: ['operator', 'reviewer', 'admin'],
      possible: false,
    })
    expect(await operator.decide('release', payout)).toMatchObject({
      status: 409,
      body: { error: { code: 'no_approver' } },
    })
    const deletionQuery = `operation=customers.delete&target=customers/${randomUUID()}&account=${payout.account}`
    expect(
      (await operator.get(`/api/sandbox/desk/approval-needed?${deletionQuery}`)).body.data,
    ).toMatchObject({ possible: false })
  } finally {
    await testStack.db.query(setApproversDisabledSql, [null])
  }
  expect(
    (await testStack.db.query('select 1 from actions where target = $1', [`payouts/${payout.id}`]))
      .rowCount,
  ).toBe(0)
})

test('the inbox shows waiting requests to permitted people, with the snapshot and the current data', async () => {
  const { id } = await requestRelease()
  const viewer = await testStack.signIn('viewer')
  const findApprovalInInbox = async (person: Person) =>
    (await person.get<ApprovalRequest[]>('/api/sandbox/desk/approvals')).body.data?.find(
      ({ action }) => action.id === id,
    )
  expect(await findApprovalInInbox(admin)).toMatchObject({
    amount: fieldsOverThreshold.amount,
    disabled_reason: null,
  })
  expect((await findApprovalInInbox(operator))?.disabled_reason).toMatch(/^You requested this/)
  expect((await findApprovalInInbox(viewer))?.disabled_reason).toMatch(
    /^Only an operator, a reviewer or an admin/,
  )
  expect((await viewer.post(`/api/sandbox/desk/approvals/${id}/approve`)).status).toBe(403)
  const approvalDetail = (await reviewer.get<ApprovalDetail>(`/api/sandbox/desk/approvals/${id}`))
    .body.data
  expect(approvalDetail?.fields?.find(({ name }) => name === 'amount')).toMatchObject({
    seen: String(fieldsOverThreshold.amount),
    now: String(fieldsOverThreshold.amount),
    changed: false,
  })
  expect(approvalDetail?.sent).toEqual([{ name: 'reason', value: goodReason }])
  expect((await reviewer.get(`/api/sandbox/desk/approvals/${randomUUID()}`)).status).toBe(404)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultPolicy } from '@/lib/domain/policies'
import type { PoliciesView, Policy, PolicyPreview, PolicyRule } from '@/lib/operations/policies'
import type { QueueCounts } from '@/lib/pages'
import { buildPayoutBody, listActiveAccounts, makePaykey, readAuditRows } from './harness/objects'
import { goodReason, type Person, signIn } from './harness/person'
import { activatePolicy } from './harness/policy'
import { waitUntil } from './harness/wait-until'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let admin: Person
let secondAdmin: Person

beforeAll(async () => {
  testStack = await startWholeDesk({ mirror: true })
  admin = await testStack.signIn('admin')
  secondAdmin = await signIn(testStack.dashboard.url, 'admin2@paydesk.test')
})
afterAll(() => testStack?.stop())

const jsonHeaders = { 'content-type': 'application/json' }
const postJson = <T = PoliciesView>(person: Person, path: string, body: object = {}) =>
  person.ask<T>('POST', `/api/sandbox/desk/policies${path}`, {
    headers: jsonHeaders,
    body: JSON.stringify(body),
  })
const readPolicies = async () =>
  (await admin.get<PoliciesView>('/api/sandbox/desk/policies')).body.data as PoliciesView
const policyChangeReason = 'Small releases are checked by the provider already.'

/**
 * Returns the default policy with another amount, in cents, from which payout releases need
 * approval.
 */
const buildPolicyWithThreshold = (cents: number): Policy => ({
  ...defaultPolicy,
  rules: defaultPolicy.rules.map((rule) =>
    rule.operation === 'payouts.release'
      ? { ...rule, when: [[{ is: 'amount', from: cents }]] }
      : rule,
  ),
})
const proposePolicy = (person: Person, policy: Policy, based_on: number) =>
  postJson(person, '', { based_on, policy, reason: policyChangeReason })

const countWaitingApprovals = async (person: Person) =>
  (await person.get<{ waiting: QueueCounts }>('/api/sandbox/desk/queue-counts')).body.data?.waiting
    .approvals_waiting

const releaseNewPayout = async (person: Person, amount: number) =>
  (await person.decide('release', await testStack.sandbox.makePayout({ amount }))).status

test('a policy change proposed by one admin is confirmed by another, and only then applies', async () => {
  const operator = testStack.operator
  expect((await proposePolicy(operator, buildPolicyWithThreshold(1000), 0)).status).toBe(403)
  expect((await proposePolicy(admin, buildPolicyWithThreshold(100_000), 0)).status).toBe(200)
  expect(
    (await proposePolicy(secondAdmin, buildPolicyWithThreshold(2000), 0)).body.error?.code,
  ).toBe('changed')
  const { proposed, disabled_reason } = await readPolicies()
  expect(proposed).toMatchObject({
    version: 1,
    state: 'proposed',
    own: true,
    proposed_by: 'Dana Admin',
    reason: policyChangeReason,
  })
  expect(disabled_reason).toMatch(/^You proposed this/)
  expect(await Promise.all([secondAdmin, admin, operator].map(countWaitingApprovals))).toEqual([
    1, 0, 0,
  ])
  const homeHtml = await (await secondAdmin.send('/sandbox/home')).text()
  expect(homeHtml).toContain('Approval policy, version 1')
  expect(await releaseNewPayout(operator, 200_000)).toBe(200)
  expect(await postJson(admin, '/1/confirm')).toMatchObject({
    status: 403,
    body: { error: { detail: expect.stringMatching(/another admin/) } },
  })
  await expect(
    testStack.db.query(
      `update policies set state = 'active', decided_by = proposed_by where version = 1`,
    ),
  ).rejects.toThrow('policies_by_two')
  expect((await postJson(secondAdmin, '/1/confirm')).status).toBe(200)
  expect(await readPolicies()).toMatchObject({
    active: { version: 1, decided_by: 'Ada Admin' },
    proposed: null,
  })
  expect(await releaseNewPayout(operator, 200_000)).toBe(202)
  expect((await readAuditRows(testStack.db, 'policies.confirm.applied')).at(-1)).toMatchObject({
    policy: 1,
  })
})

test('a person who loosened the policy is bound by the earlier version for a day', async () => {
  const { active } = await readPolicies()
  expect(
    (await proposePolicy(admin, buildPolicyWithThreshold(9_000_000), active.version)).status,
  ).toBe(200)
  const nextVersion = active.version + 1
  expect((await postJson(secondAdmin, `/${nextVersion}/confirm`)).status).toBe(200)
  expect(await releaseNewPayout(testStack.operator, 200_000)).toBe(200)
  for (const person of [admin, secondAdmin])
    expect(await releaseNewPayout(person, 200_000)).toBe(202)
  await testStack.db.query(
    "update policies set decided_at = now() - interval '25 hours' where decided_at is not null",
  )
  expect(await releaseNewPayout(admin, 200_000)).toBe(200)
})

test('a second small change does not shorten the day, and the strictest version applies to participants', async () => {
  await activatePolicy(testStack, buildPolicyWithThreshold(100_000))
  await testStack.db.query(
    "update policies set decided_at = now() - interval '25 hours' where decided_at is not null",
  )
  await activatePolicy(testStack, buildPolicyWithThreshold(9_000_000))
  await activatePolicy(testStack, {
    ...buildPolicyWithThreshold(9_000_000),
    cooling_off_hours: { sandbox: 1, production: 24 },
  })
  expect(await releaseNewPayout(testStack.operator, 200_000)).toBe(200)
  for (const person of [admin, secondAdmin])
    expect(await releaseNewPayout(person, 200_000)).toBe(202)
  await testStack.db.query(
    "update policies set decided_at = now() - interval '25 hours' where decided_at is not null",
  )
  expect(await releaseNewPayout(admin, 200_000)).toBe(200)
})

test('a proposal is rejected, or withdrawn by its author, and one based on an older version is refused', async () => {
  const { active } = await readPolicies()
  for (const [person, state] of [
    [secondAdmin, 'rejected'],
    [admin, 'withdrawn'],
  ] as const) {
    const proposedVersion = (
      await proposePolicy(admin, buildPolicyWithThreshold(300_000), active.version)
    ).body.data?.proposed?.version
    expect((await postJson(person, `/${proposedVersion}/reject`)).status).toBe(200)
    expect(
      (await readPolicies()).earlier.find(({ version }) => version === proposedVersion),
    ).toMatchObject({ state })
  }
  expect(
    (await proposePolicy(admin, buildPolicyWithThreshold(300_000), active.version + 50)).body.error
      ?.code,
  ).toBe('changed')
})

test('a preview counts the actions that a policy would have held', async () => {
  const fetchPreview = async (policy: Policy) =>
    (await postJson<PolicyPreview>(admin, '/preview', { policy })).body.data as PolicyPreview
  const [emptyPreview, fullPreview] = [
    await fetchPreview({ ...defaultPolicy, rules: [] }),
    await fetchPreview(buildPolicyWithThreshold(0)),
  ]
  expect(emptyPreview).toMatchObject({ days: 90, held: 0, actions: [] })
  expect(fullPreview.held).toBeGreaterThanOrEqual(3)
  expect(fullPreview.held).toBeGreaterThan(
    (await fetchPreview(buildPolicyWithThreshold(9_000_000))).held,
  )
  expect(fullPreview.actions[0]).toMatchObject({
    operation: 'payouts.release',
    actor: expect.any(String),
  })
})

test('a blocking rule stops every action, also those requested before', async () => {
  await activatePolicy(testStack, defaultPolicy)
  const payout = await testStack.sandbox.makePayout({ amount: 600_000 })
  const awaitingApprovalReply = await testStack.operator.decide('release', payout)
  expect(awaitingApprovalReply.status).toBe(202)
  await activatePolicy(testStack, {
    ...defaultPolicy,
    rules: [{ ...defaultPolicy.rules[0], when: [], control: 'block' } as PolicyRule],
  })
  const refusedReply = await testStack.operator.decide(
    'release',
    await testStack.sandbox.makePayout({ amount: 100 }),
  )
  expect([
    refusedReply.status,
    refusedReply.body.error?.code,
    refusedReply.body.error?.detail,
  ]).toEqual([
    403,
    'blocked_by_policy',
    expect.stringMatching(/does not let anyone release a payout here/),
  ])
  expect(await readAuditRows(testStack.db, 'payouts.release.blocked_by_policy')).toHaveLength(1)
  const approvalReply = await admin.post(
    `/api/sandbox/desk/approvals/${awaitingApprovalReply.body.action?.id}/approve`,
  )
  expect([approvalReply.status, approvalReply.body.error?.code]).toEqual([409, 'not_approved'])
  expect(
    (await testStack.operator.action(awaitingApprovalReply.body.action?.id ?? '')).body.action,
  ).toMatchObject({ state: 'void' })
})

test('a rule on bank accounts holds the first payment to one and payments to a new one', async () => {
  const [account = ''] = await listActiveAccounts(testStack.operator)
  const buildPayoutCreationPolicy = (conditions: PolicyRule['when']): Policy => ({
    ...defaultPolicy,
    rules: [
      { ...(defaultPolicy.rules[0] as PolicyRule), operation: 'payouts.create', when: conditions },
    ],
  })
  const { paykey, customer } = await makePaykey(testStack.operator, `acct_${account}`)
  const createPayout = async () => {
    const writeOptions = { reason: goodReason }
    return (
      await testStack.operator.write(
        'POST',
        `/payouts?account=acct_${account}`,
        buildPayoutBody(paykey.id, { amount: 100 }),
        writeOptions,
      )
    ).status
  }
  await activatePolicy(
    testStack,
    buildPayoutCreationPolicy([[{ is: 'new_bank_account', days: 3 }]]),
  )
  expect(await createPayout()).toBe(202)
  await waitUntil('the new paykey in the mirror', async () => {
    const { rowCount } = await testStack.db.query(
      `update mirror_paykeys set created_at = now() - interval '4 days' where id = $1`,
      [paykey.id],
    )
    return rowCount === 1 ? true : null
  })
  expect(await createPayout()).toBe(201)
  await activatePolicy(testStack, buildPayoutCreationPolicy([[{ is: 'first_payment' }]]))
  expect(await createPayout()).toBe(202)
  const paidPayout = await testStack.sandbox.makePayout({
    account_id: account,
    customer_id: customer.id,
    paykey_id: paykey.id,
    status: 'paid',
  })
  await testStack.operator.get(`/api/sandbox/v1/payouts/${paidPayout.id}?account=acct_${account}`)
  await waitUntil('the paid payout in the mirror', async () =>
    (await testStack.db.query('select 1 from mirror_payments where id = $1', [paidPayout.id]))
      .rowCount === 1
      ? true
      : null,
  )
  expect(await createPayout()).toBe(201)
})

test('an impossible rule is rejected at its field', async () => {
  const defaultRule = defaultPolicy.rules[0]
  const invalidRule = { ...defaultRule, ask: ['reviewer'], second: ['viewer'] }
  const { status, body } = await postJson(admin, '', {
    based_on: 0,
    policy: { ...defaultPolicy, rules: [invalidRule] },
    reason: policyChangeReason,
  })
  expect({ status, items: body.error?.items?.map(({ reference }) => reference) }).toEqual({
    status: 422,
    items: ['policy.rules.0.ask', 'policy.rules.0.second'],
  })
  expect(
    (
      await postJson(admin, '', {
        based_on: 0,
        policy: { ...defaultPolicy, rules: [defaultRule, defaultRule] },
        reason: policyChangeReason,
      })
    ).body.error?.items,
  ).toMatchObject([{ reference: 'policy.rules.1.operation' }])
})

test('a proposal is on the page of approvals for those who read the policy', async () => {
  const openApprovals = async (person: Person, tab: string) =>
    (await person.send(`/sandbox/approvals?tab=${tab}`)).text()
  const { active } = await readPolicies()
  const proposedPolicy = buildPolicyWithThreshold(300_000)
  const proposalReply = await proposePolicy(admin, proposedPolicy, active.version)
  const version = proposalReply.body.data?.proposed?.version
  const title = `Approval policy, version ${version}`
  const waitingHtml = await openApprovals(admin, 'waiting')
  for (const text of [title, policyChangeReason, 'the amount is $3,000.00 or more', 'Added'])
    expect(waitingHtml).toContain(text)
  expect(await openApprovals(secondAdmin, 'mine')).toContain(title)
  expect(await openApprovals(admin, 'mine')).not.toContain(title)
  expect(await openApprovals(testStack.operator, 'waiting')).not.toContain(title)
  expect((await postJson(secondAdmin, `/${version}/reject`)).status).toBe(200)
  expect(await openApprovals(admin, 'waiting')).not.toContain(title)
})

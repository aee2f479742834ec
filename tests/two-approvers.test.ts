import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultPolicy } from '@/lib/domain/policies'
import type { PolicyRule } from '@/lib/operations/policies'
import { readAuditRows } from './harness/objects'
import type { Person } from './harness/person'
import { activatePolicy } from './harness/policy'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let admin: Person

beforeAll(async () => {
  testStack = await startWholeDesk()
  admin = await testStack.signIn('admin')
})
afterAll(() => testStack?.stop())

const jsonHeaders = { 'content-type': 'application/json' }

test('a rule can require two approvers from a higher amount on', async () => {
  const [releaseRule] = defaultPolicy.rules.filter(
    ({ operation }) => operation === 'payouts.release',
  )
  const largeRule: PolicyRule = {
    ...(releaseRule as PolicyRule),
    when: [[{ is: 'amount', from: 800_000 }]],
    approvers: 2,
  }
  await activatePolicy(testStack, { ...defaultPolicy, rules: [...defaultPolicy.rules, largeRule] })
  const requester = testStack.operator
  const reviewer = await testStack.signIn('reviewer')
  const requestReleaseOf = async (amount: number) => {
    const reply = await requester.decide('release', await testStack.sandbox.makePayout({ amount }))
    expect(reply.status).toBe(202)
    return reply.body.action?.id ?? ''
  }
  const approve = (person: Person, id: string) =>
    person.post(`/api/sandbox/desk/approvals/${id}/approve`, { headers: jsonHeaders, body: '{}' })

  const oneApproverId = await requestReleaseOf(600_000)
  expect((await approve(reviewer, oneApproverId)).body.action?.state).toBe('applied')

  const id = await requestReleaseOf(800_000)
  expect(await approve(reviewer, id)).toMatchObject({
    status: 200,
    body: { action: { state: 'awaiting_approval', approval: null } },
  })
  expect(await approve(reviewer, id)).toMatchObject({
    status: 403,
    body: { error: { detail: expect.stringMatching(/^You approved this/) } },
  })
  const { body } = await reviewer.get(`/api/sandbox/desk/approvals/${id}`)
  expect(body.data).toMatchObject({
    approvers_needed: 2,
    first_approval: { by: 'Rhea Reviewer' },
  })
  await expect(
    testStack.db.query(
      `update actions set approval = jsonb_build_object('outcome', 'approved', 'by', first_approval ->> 'by') where id = $1`,
      [id],
    ),
  ).rejects.toThrow('actions_approved_by_two')
  expect((await approve(admin, id)).body.action?.state).toBe('applied')
  const codes = (await readAuditRows(testStack.db, 'payouts.release.first_approved')).length
  expect(codes).toBe(1)
})

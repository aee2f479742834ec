import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createIdempotencyKey, goodReason, type Person, signIn } from './harness/person'
import type { MadePayout } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

const fieldsOverThreshold = { amount: 600_000 }
const jsonHeaders = { 'content-type': 'application/json' }

let testStack: WholeDesk
let operator: Person
let reviewer: Person
let admin: Person

beforeAll(async () => {
  testStack = await openSharedDesk()
  operator = testStack.operator
  reviewer = await testStack.signIn('reviewer')
  admin = await testStack.signIn('admin')
})
afterEach(() => testStack.sandbox.clearFaults())
afterAll(() => testStack?.stop())

const decideApprovalRequest = (
  person: Person,
  id: string,
  answer: 'approve' | 'reject' | 'withdraw',
  body: object = {},
) =>
  person.post(`/api/sandbox/desk/approvals/${id}/${answer}`, {
    headers: jsonHeaders,
    body: JSON.stringify(body),
  })

const listSentReleases = async (payout: MadePayout) =>
  (await testStack.sandbox.requests()).filter(
    ({ path }) => path === `/v1/payouts/${payout.id}/release`,
  )

async function readAuditEvents(id: string): Promise<{ code: string; actor: string | null }[]> {
  const { rows } = await testStack.db.query(
    `select body::json as body from audit where body::json ->> 'action' = $1 order by seq`,
    [id],
  )
  return rows.map(({ body }) => body)
}

/**
 * Sends a release as `person`. It must wait for an approval, because the amount is over the
 * threshold.
 */
async function requestRelease(
  person: Person = operator,
  fields: Record<string, unknown> = {},
  headers: Record<string, string> = {},
) {
  const payout = await testStack.sandbox.makePayout({ ...fieldsOverThreshold, ...fields })
  const reply = await person.decide('release', payout, createIdempotencyKey(), goodReason, headers)
  return { payout, reply, id: reply.body.action?.id ?? '' }
}

describe('a release over the threshold', () => {
  test('waits without sending anything, and is sent when another person approves it', async () => {
    const { payout, reply, id } = await requestRelease()
    expect(reply).toMatchObject({
      status: 202,
      body: { response_type: 'object', action: { state: 'awaiting_approval', own: true } },
    })
    expect(await listSentReleases(payout)).toEqual([])
    expect(await decideApprovalRequest(reviewer, id, 'approve')).toMatchObject({
      status: 200,
      body: {
        action: { state: 'applied', approval: { outcome: 'approved', by: 'Rhea Reviewer' } },
      },
    })
    expect(await listSentReleases(payout)).toHaveLength(1)
    const events = await readAuditEvents(id)
    expect(events.map(({ code }) => code.split('.').at(-1))).toEqual([
      'asked',
      'approved',
      'start',
      'applied',
    ])
    expect(events[0]?.actor).not.toBe(events[1]?.actor)
  })

  test('a release under the threshold needs no second person', async () => {
    const payout = await testStack.sandbox.makePayout({ amount: 499_999 })
    expect(await operator.decide('release', payout)).toMatchObject({
      status: 200,
      body: { action: { state: 'applied', approval: null } },
    })
    expect((await requestRelease(operator, { amount: 500_000 })).reply.status).toBe(202)
  })

  test('cannot be approved by its requester, not even an admin, nor directly in the database', async () => {
    for (const person of [operator, admin]) {
      const { payout, id } = await requestRelease(person)
      expect(await decideApprovalRequest(person, id, 'approve')).toMatchObject({
        status: 403,
        body: { error: { detail: expect.stringMatching(/^You requested this/) } },
      })
      const secondSession = await signIn(
        testStack.dashboard.url,
        person === admin ? 'admin' : 'operator',
      )
      expect((await decideApprovalRequest(secondSession, id, 'approve')).status).toBe(403)
      await expect(
        testStack.db.query(
          `update actions set state = 'sending', approval = jsonb_build_object('outcome', 'approved', 'by', actor_id, 'at', now()) where id = $1`,
          [id],
        ),
      ).rejects.toThrow('actions_approved_by_another')
      await expect(
        testStack.db.query(`update actions set state = 'sending' where id = $1`, [id]),
      ).rejects.toThrow('actions_sent_once_approved')
      expect(await listSentReleases(payout)).toEqual([])
    }
  })

  test('can be rejected with a reason or withdrawn, and then requested again under another key', async () => {
    const { payout, id } = await requestRelease()
    expect(
      (await decideApprovalRequest(reviewer, id, 'reject', { reason: 'short' })).body.error?.items,
    ).toMatchObject([{ reference: 'reason' }])
    expect(
      (await decideApprovalRequest(operator, id, 'reject', { reason: 'my own request after all' }))
        .status,
    ).toBe(403)
    expect(
      await decideApprovalRequest(reviewer, id, 'reject', { reason: 'the invoice does not match' }),
    ).toMatchObject({
      status: 200,
      body: {
        action: {
          state: 'rejected',
          approval: { outcome: 'rejected', reason: 'the invoice does not match' },
        },
      },
    })
    expect((await decideApprovalRequest(admin, id, 'approve')).body.error?.code).toBe('changed')
    const secondReleaseReply = await operator.decide('release', payout)
    expect(secondReleaseReply.status).toBe(202)
    const secondActionId = secondReleaseReply.body.action?.id ?? ''
    expect((await decideApprovalRequest(reviewer, secondActionId, 'withdraw')).status).toBe(403)
    expect(
      (await decideApprovalRequest(operator, secondActionId, 'withdraw')).body.action?.state,
    ).toBe('withdrawn')
    expect(await listSentReleases(payout)).toEqual([])
  })

  test('blocks its record for other writes, and the same request returns the same action', async () => {
    const payout = await testStack.sandbox.makePayout(fieldsOverThreshold)
    const idempotencyKey = createIdempotencyKey()
    const firstReply = await operator.decide('release', payout, idempotencyKey)
    expect(await operator.decide('release', payout, idempotencyKey)).toMatchObject({
      status: 202,
      body: { action: { id: firstReply.body.action?.id } },
    })
    expect(await admin.decide('cancel', payout)).toMatchObject({
      status: 409,
      body: { error: { code: 'action_open' } },
    })
  })
})

describe('a change since the request', () => {
  test('voids the request with a reason, and nothing is sent', async () => {
    const { payout, id } = await requestRelease()
    await fetch(`${testStack.sandbox.url}/v1/payouts/${payout.id}/cancel`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${testStack.sandbox.keys.full}`,
        'service-account-id': payout.account,
        'idempotency-key': createIdempotencyKey(),
        ...jsonHeaders,
      },
      body: JSON.stringify({ reason: goodReason }),
    })
    expect(await decideApprovalRequest(reviewer, id, 'approve')).toMatchObject({
      status: 409,
      body: { error: { code: 'not_approved' } },
    })
    expect((await operator.action(id)).body.action).toMatchObject({
      state: 'void',
      approval: { outcome: 'void', reason: expect.stringContaining('no longer what') },
    })
    expect(await listSentReleases(payout)).toEqual([])
  })

  test('a service that cannot be read keeps the request waiting', async () => {
    const { payout, id } = await requestRelease()
    await testStack.sandbox.fault({
      operation: 'payouts.get',
      match: payout.id,
      kind: 'status',
      status: 503,
      count: 9,
    })
    expect((await decideApprovalRequest(reviewer, id, 'approve')).status).toBe(503)
    await testStack.sandbox.clearFaults()
    expect((await decideApprovalRequest(reviewer, id, 'approve')).body.action?.state).toBe(
      'applied',
    )
  })

  test('the requester’s lost role voids the request', async () => {
    const { payout, id } = await requestRelease()
    const { rows } = await testStack.db.query(
      `delete from grants using people where person_id = people.id and email = 'operator@paydesk.test' returning person_id, role, environment`,
    )
    try {
      expect((await decideApprovalRequest(reviewer, id, 'approve')).body.error?.code).toBe(
        'not_approved',
      )
    } finally {
      for (const { person_id, role, environment } of rows) {
        await testStack.db.query(
          'insert into grants (person_id, role, environment) values ($1, $2, $3)',
          [person_id, role, environment],
        )
      }
    }
    expect(await listSentReleases(payout)).toEqual([])
  })

  test('the request expires by the clock of the store', async () => {
    const { payout, id } = await requestRelease()
    await testStack.db.query(
      `update actions set expires_at = now() - interval '1 second' where id = $1`,
      [id],
    )
    expect((await decideApprovalRequest(reviewer, id, 'approve')).body.error?.code).toBe('changed')
    expect(await listSentReleases(payout)).toEqual([])
  })

  test('a person who changed the bank account that day cannot approve', async () => {
    const { payout, id } = await requestRelease()
    const { customer_details: customer } =
      (
        await operator.get<{ customer_details: { id: string } }>(
          `/api/sandbox/v1/payouts/${payout.id}?account=${payout.account}`,
        )
      ).body.data ?? {}
    const refreshReply = await reviewer.write(
      'PUT',
      `/customers/${customer?.id}/refresh_review?account=${payout.account}`,
    )
    expect(refreshReply.body.action?.target).toBe(`customers/${customer?.id}`)
    expect((await decideApprovalRequest(reviewer, id, 'approve')).body.error?.detail).toMatch(
      /^You changed the bank account/,
    )
    expect((await decideApprovalRequest(admin, id, 'approve')).status).toBe(200)
  })
})

test('of several concurrent answers one wins, and money moves at most once', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { payout, id } = await requestRelease()
    const decisionReplies = await Promise.all([
      decideApprovalRequest(reviewer, id, 'approve'),
      decideApprovalRequest(admin, id, 'approve'),
      decideApprovalRequest(reviewer, id, 'reject', { reason: 'not before the ticket' }),
      decideApprovalRequest(operator, id, 'withdraw'),
    ])
    expect(decisionReplies.filter(({ status }) => status === 200 || status === 202)).toHaveLength(1)
    const finalState = (await operator.action(id)).body.action?.state
    expect((await listSentReleases(payout)).length).toBe(finalState === 'applied' ? 1 : 0)
  }
})

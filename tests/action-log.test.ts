import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startDashboard } from './harness/dashboard'
import {
  createIdempotencyKey,
  createPdfFile,
  goodReason,
  type Person,
  type Reply,
  signIn,
} from './harness/person'
import type { Sandbox } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import { waitUntil } from './harness/wait-until'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let sandbox: Sandbox
let operator: Person

beforeAll(async () => {
  testStack = await openSharedDesk()
  ;({ sandbox, operator } = testStack)
})
afterEach(() => sandbox.clearFaults())
afterAll(() => testStack?.stop())

const waitUntilActionSettled = (id: string) =>
  waitUntil('the action to settle', async () => {
    const { body } = await operator.action(id)
    return body.action && ['applied', 'refused', 'needs_human'].includes(body.action.state)
      ? body
      : null
  })

/**
 * Waits until an action is scheduled for a retry in about `seconds` seconds. Then makes the retry
 * due.
 */
const makeRetryDue = (id: string, seconds: number) =>
  waitUntil(`a repetition after ${seconds} s`, async () => {
    const dueCondition = `next_check_at between now() + make_interval(secs => $2 - 5) and now() + make_interval(secs => $2)`
    const { rowCount } = await testStack.db.query(
      `update actions set next_check_at = now() where id = $1 and ${dueCondition}`,
      [id, seconds],
    )
    return rowCount === 1 ? true : null
  })

const getActionId = (reply: Reply<unknown>): string => reply.body.action?.id ?? ''

describe('an idempotency key', () => {
  test('used by fifty identical concurrent releases has one effect, one action, and replays or conflicts', async () => {
    const payout = await sandbox.makePayout()
    const idempotencyKey = createIdempotencyKey()
    const releaseReplies = await Promise.all(
      Array.from({ length: 50 }, () => operator.decide('release', payout, idempotencyKey)),
    )
    const originalReplies = releaseReplies.filter(
      (reply) => reply.status === 200 && !reply.replayed,
    )
    const replayedReplies = releaseReplies.filter((reply) => reply.status === 200 && reply.replayed)
    const inProgressReplies = releaseReplies.filter(
      (reply) => reply.status === 409 && reply.body.error?.code === 'in_progress',
    )
    expect(originalReplies).toHaveLength(1)
    expect(replayedReplies.length + inProgressReplies.length).toBe(49)
    expect(await sandbox.journal(payout.id)).toHaveLength(1)
    expect(
      new Set([...originalReplies, ...replayedReplies, ...inProgressReplies].map(getActionId)).size,
    ).toBe(1)
    const repeatReply = await operator.decide('release', payout, idempotencyKey)
    expect(repeatReply).toMatchObject({ status: 200, replayed: true })
    expect(repeatReply.body).toEqual(originalReplies[0]?.body)
  })

  test('used with another request is rejected, and nothing is sent', async () => {
    const payout = await sandbox.makePayout()
    const reusedIdempotencyKey = createIdempotencyKey()
    await operator.decide('release', payout, reusedIdempotencyKey)
    const seqBefore = await sandbox.lastSeq()
    const reusedKeyReply = await operator.decide(
      'release',
      payout,
      reusedIdempotencyKey,
      'FALSE_POSITIVE: another reason under the same key',
    )
    expect(reusedKeyReply).toMatchObject({ status: 409, body: { error: { code: 'key_reused' } } })
    expect(await sandbox.requests(seqBefore)).toEqual([])
  })

  test('is required and has 10 to 40 characters', async () => {
    const payout = await sandbox.makePayout()
    for (const key of ['', 'short', 'x'.repeat(41), 'has spaces in it']) {
      expect(await operator.decide('release', payout, key)).toMatchObject({
        status: 400,
        body: { error: { code: 'bad_request' } },
      })
    }
    expect(await sandbox.journal(payout.id)).toEqual([])
  })

  test('a second key on an object with an open action is refused with that action', async () => {
    const payout = await sandbox.makePayout()
    await sandbox.fault({
      operation: 'payouts.release',
      match: payout.id,
      kind: 'delay',
      ms: 1500,
      at: 'before',
    })
    const releaseReplyPromise = operator.decide('release', payout)
    await waitUntil('the first to be sent', async () =>
      (await sandbox.requests()).some((row) => row.method !== 'GET' && row.path.includes(payout.id))
        ? true
        : null,
    )
    const cancelReply = await operator.decide('cancel', payout)
    expect(cancelReply).toMatchObject({
      status: 409,
      body: { error: { code: 'action_open' }, action: { operation: 'payouts.release' } },
    })
    expect((await releaseReplyPromise).status).toBe(200)
    expect(await sandbox.journal(payout.id)).toHaveLength(1)
  })
})

describe('an unknown outcome', () => {
  test('is applied by a replay with one effect, if the response was lost after the effect', async () => {
    const payout = await sandbox.makePayout()
    await sandbox.fault({
      operation: 'payouts.release',
      match: payout.id,
      kind: 'reset',
      at: 'after',
    })
    const reply = await operator.decide('release', payout)
    expect(reply).toMatchObject({
      status: 200,
      body: { data: { status: 'created' }, action: { state: 'applied', replayed: true } },
    })
    expect(reply.body.action?.attempts.map((attempt) => attempt.fault)).toEqual(['line_cut', null])
    expect(await sandbox.journal(payout.id)).toHaveLength(1)
  })

  test('keeps one key through three responses of 500, a 409 in progress and a 200', async () => {
    const payout = await sandbox.makePayout()
    const seqBeforeRelease = await sandbox.lastSeq()
    await sandbox.fault({
      operation: 'payouts.release',
      match: payout.id,
      kind: 'status',
      status: 500,
      body: 'json',
      count: 3,
    })
    await sandbox.fault({
      operation: 'payouts.release',
      match: payout.id,
      kind: 'status',
      status: 409,
      body: 'json',
    })
    const reply = await operator.decide('release', payout)
    expect(reply).toMatchObject({
      status: 202,
      body: { error: { code: 'outcome_unknown' }, action: { state: 'unknown' } },
    })
    await makeRetryDue(getActionId(reply), 5)
    await makeRetryDue(getActionId(reply), 15)
    const settledBody = await waitUntilActionSettled(getActionId(reply))
    expect(settledBody.action).toMatchObject({ state: 'applied', effect_verified: true })
    expect(settledBody.action?.attempts.map((attempt) => attempt.status)).toEqual([
      500, 500, 500, 409, 200,
    ])
    const sentWrites = (await sandbox.requests(seqBeforeRelease)).filter(
      (row) => row.method === 'PUT',
    )
    expect(new Set(sentWrites.map((row) => row.idempotency_key))).toEqual(
      new Set([settledBody.action?.idempotency_key]),
    )
    expect(new Set(sentWrites.map((row) => row.body_sha256)).size).toBe(1)
    expect(new Set(sentWrites.map((row) => row.request_id)).size).toBe(5)
    expect(await sandbox.journal(payout.id)).toHaveLength(1)
  })

  test.each([
    ['a cut answer', { kind: 'truncate', at: 40 }],
    ['an HTML answer', { kind: 'body', body: '<html>busy</html>', content_type: 'text/html' }],
    ['broken JSON', { kind: 'body', body: '{"data": {', content_type: 'application/json' }],
    ['a redirect', { kind: 'redirect', status: 307, location: 'http://127.0.0.1:9/elsewhere' }],
    ['a 502 page after the effect', { kind: 'status', status: 502, body: 'html', at: 'after' }],
    ['no body after the effect', { kind: 'status', status: 503, body: 'none', at: 'after' }],
  ])('of %s is replayed under the same key and applied once', async (_name, fault) => {
    const payout = await sandbox.makePayout()
    await sandbox.fault({ operation: 'payouts.release', match: payout.id, ...fault })
    const reply = await operator.decide('release', payout)
    expect(reply).toMatchObject({ status: 200, body: { action: { state: 'applied' } } })
    expect(reply.body.action?.attempts).toHaveLength(2)
    expect(await sandbox.journal(payout.id)).toHaveLength(1)
  })

  test('does not arise if the service is unreachable: nothing was sent', async () => {
    const payout = await sandbox.makePayout()
    const disconnectedDashboard = await startDashboard({
      serviceUrl: 'http://127.0.0.1:9',
      apiKey: sandbox.keys.full,
    })
    const person = await signIn(disconnectedDashboard.url)
    const reply = await person.decide('cancel', payout)
    expect(reply).toMatchObject({
      status: 503,
      body: { error: { code: 'not_sent' }, action: { state: 'refused' } },
    })
    await disconnectedDashboard.stop()
  })

  test('does not arise from a refusal, which is not repeated', async () => {
    const payout = await sandbox.makePayout({ status: 'paid' })
    const seqBeforeHold = await sandbox.lastSeq()
    const reply = await operator.decide('hold', payout)
    expect(reply).toMatchObject({
      status: 422,
      body: { error: { code: 'service_refused' }, action: { state: 'refused' } },
    })
    expect(
      (await sandbox.requests(seqBeforeHold)).filter((row) => row.method === 'PUT'),
    ).toHaveLength(1)
  })

  test('is replayed at once by "check again"', async () => {
    const payout = await sandbox.makePayout()
    await sandbox.fault({
      operation: 'payouts.release',
      match: payout.id,
      kind: 'status',
      status: 500,
      body: 'none',
      count: 3,
    })
    const reply = await operator.decide('release', payout)
    expect(reply.status).toBe(202)
    const checkReply = await operator.check(getActionId(reply))
    expect(checkReply.body.action).toMatchObject({ state: 'applied' })
    expect(await sandbox.journal(payout.id)).toHaveLength(1)
  })
})

describe('the snapshot', () => {
  test('a payout that changed since the snapshot is not written', async () => {
    const payout = await sandbox.makePayout()
    const payoutReply = await operator.get(
      `/api/sandbox/v1/payouts/${payout.id}?account=${payout.account}`,
    )
    const snapshotHeaders = {
      'snapshot-hash': (payoutReply.body.meta as { snapshot?: string }).snapshot ?? '',
    }
    await operator.upload(payout, createPdfFile('between.pdf'))
    const staleSnapshotReply = await operator.decide(
      'release',
      payout,
      createIdempotencyKey(),
      goodReason,
      snapshotHeaders,
    )
    expect(staleSnapshotReply).toMatchObject({ status: 409, body: { error: { code: 'changed' } } })
    expect((await sandbox.journal(payout.id)).map((row) => row.operation)).toEqual([
      'payouts.authorize',
    ])
  })
})

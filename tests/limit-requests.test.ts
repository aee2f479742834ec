import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { dialect } from './harness/dialect'
import {
  initialLimits,
  type LimitRequestDesk,
  limitRequestReason,
  raisedLimits,
  startLimitRequestDesk,
} from './harness/limits'
import { createIdempotencyKey } from './harness/person'
import { openSharedDesk } from './harness/shared-desk'

let limitTestStack: LimitRequestDesk
let sandbox: LimitRequestDesk['sandbox']
let db: LimitRequestDesk['db']
let operator: LimitRequestDesk['operator']

beforeAll(async () => {
  limitTestStack = await startLimitRequestDesk(await openSharedDesk())
  ;({ sandbox, db, operator } = limitTestStack)
})
afterEach(() => sandbox.clearFaults())
afterAll(() => limitTestStack?.stop())

test('a request is stored with the limits before it, and the service receives only the requested ones', async () => {
  const account = await limitTestStack.newAccount()
  const limitRequestReply = await limitTestStack.askPayouts(account)
  const [capabilityRequest] = limitRequestReply.body.data ?? []
  expect([limitRequestReply.status, capabilityRequest]).toMatchObject([
    201,
    { type: 'payouts', status: 'in_review' },
  ])
  // In the `provider` dialect, a request must contain all limits, so Paydesk also sends the
  // unchanged ones.
  expect(capabilityRequest?.settings).toEqual(
    dialect.name === 'provider' ? { ...initialLimits, ...raisedLimits } : raisedLimits,
  )
  const { body } = await limitTestStack.tracked(account)
  expect(body.data).toMatchObject([
    {
      account,
      type: 'payouts',
      before: initialLimits,
      asked: raisedLimits,
      justification: limitRequestReason,
      own: true,
      action: { id: limitRequestReply.body.action?.id, state: 'applied' },
      capability: { id: limitRequestReply.body.data?.[0]?.id, status: 'in_review' },
      tracking: { state: 'in_review', isOpen: true, bankingDays: 0 },
      closed_at: null,
    },
  ])
})

test('both payment types at once are two requests of one action, and enabling a capability is none', async () => {
  const account = await limitTestStack.newAccount()
  await limitTestStack.ask(account, {
    payouts: { enable: true, max_amount: 600_000 },
    charges: { enable: true, monthly_count: 2_000 },
    internet: { enable: true },
  })
  const { body } = await limitTestStack.tracked(account)
  expect(body.data?.map(({ type, asked }) => [type, asked]).sort()).toEqual([
    ['charges', { monthly_count: 2_000 }],
    ['payouts', { max_amount: 600_000 }],
  ])
  expect(new Set(body.data?.map(({ action }) => action?.id)).size).toBe(1)
})

describe('one open request for each account and type', () => {
  test('of twenty concurrent requests one is sent', async () => {
    const account = await limitTestStack.newAccount()
    const seqBefore = await sandbox.lastSeq()
    const limitRequestReplies = await Promise.all(
      Array.from({ length: 20 }, () => limitTestStack.askPayouts(account)),
    )
    const acceptedReplies = limitRequestReplies.filter((reply) => reply.status === 201)
    expect(acceptedReplies).toHaveLength(1)
    for (const reply of limitRequestReplies.filter((each) => each !== acceptedReplies[0])) {
      expect(reply).toMatchObject({
        status: 409,
        body: { error: { code: 'changed', detail: expect.stringContaining('limits of payouts') } },
      })
    }
    expect(await limitTestStack.arrivedSince(seqBefore)).toBe(1)
    const actionsResult = await db.query(
      'select 1 from actions where account_id = $1 and operation = $2',
      [account.slice(5), 'capability_requests.create'],
    )
    expect(actionsResult.rowCount).toBe(1)
  })

  test('the same key twice is one request, returned from the action log', async () => {
    const account = await limitTestStack.newAccount()
    const idempotencyKey = createIdempotencyKey()
    const [one, secondReply] = [
      await limitTestStack.askPayouts(account, raisedLimits, { key: idempotencyKey }),
      await limitTestStack.askPayouts(account, raisedLimits, { key: idempotencyKey }),
    ]
    expect([one.status, secondReply.status, secondReply.replayed]).toEqual([201, 201, true])
    expect((await limitTestStack.tracked(account)).body.data).toHaveLength(1)
  })

  test('another type or account can have its own open request', async () => {
    const account = await limitTestStack.newAccount()
    expect((await limitTestStack.askPayouts(account)).status).toBe(201)
    expect(
      (await limitTestStack.ask(account, { charges: { enable: true, max_amount: 600_000 } }))
        .status,
    ).toBe(201)
    expect((await limitTestStack.askPayouts(await limitTestStack.newAccount())).status).toBe(201)
  })

  test('an open request made outside Paydesk counts too', async () => {
    const account = await limitTestStack.newAccount()
    const directResponse = await fetch(
      `${sandbox.url}/v1/accounts/${account.slice(5)}/capability_requests`,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${sandbox.keys.full}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ payouts: { enable: true, ...initialLimits, max_amount: 600_000 } }),
      },
    )
    expect(directResponse.status).toBe(201)
    expect((await limitTestStack.askPayouts(account)).body.error?.code).toBe('changed')
    expect((await limitTestStack.tracked(account)).body.data).toEqual([])
  })

  test('after the end of a request another one is possible', async () => {
    const account = await limitTestStack.newAccount()
    const firstReply = await limitTestStack.askPayouts(account)
    await limitTestStack.decide(firstReply.body.data?.[0]?.id, 'rejected')
    expect((await limitTestStack.askPayouts(account, { max_amount: 600_000 })).status).toBe(201)
    const trackedRequestStates = (await limitTestStack.tracked(account)).body.data?.map(
      ({ tracking }) => [tracking.state, tracking.isOpen],
    )
    expect(trackedRequestStates).toEqual([
      ['in_review', true],
      ['rejected', false],
    ])
  })

  test('a request that the service refuses is not open', async () => {
    const account = await limitTestStack.newAccount()
    const refusedReply = await limitTestStack.askPayouts(account, { monthly_amount: 100_000 })
    expect(refusedReply).toMatchObject({
      status: 422,
      body: { error: { code: 'service_refused' } },
    })
    expect((await limitTestStack.tracked(account)).body.data).toMatchObject([
      { tracking: { state: 'not_sent', isOpen: false } },
    ])
    expect((await limitTestStack.askPayouts(account)).status).toBe(201)
  })
})

describe('the end of a request comes from the settings', () => {
  test('a granted request is applied, stored once, and stays applied', async () => {
    const account = await limitTestStack.newAccount()
    const requestReply = await limitTestStack.askPayouts(account)
    await limitTestStack.decide(requestReply.body.data?.[0]?.id, 'active')
    const [limitRequest] = (await limitTestStack.tracked(account)).body.data ?? []
    expect(limitRequest?.tracking).toMatchObject({ state: 'applied', isOpen: false })
    const limitRequestResult = await db.query(
      'select applied_at, closed_as from limit_requests where id = $1',
      [limitRequest?.id],
    )
    expect(limitRequestResult.rows).toEqual([
      { applied_at: expect.any(Date), closed_as: 'applied' },
    ])
    // A second request changes the limits again. The first request must stay `applied`.
    const nextReply = await limitTestStack.askPayouts(account, { max_amount: 700_000 })
    await limitTestStack.decide(nextReply.body.data?.[0]?.id, 'active')
    const trackedRequestsAfter = (await limitTestStack.tracked(account)).body.data
    expect(trackedRequestsAfter?.map(({ tracking }) => tracking.state)).toEqual([
      'applied',
      'applied',
    ])
    expect(
      (await db.query('select applied_at from limit_requests where id = $1', [limitRequest?.id]))
        .rows[0],
    ).toEqual({
      applied_at: limitRequestResult.rows[0]?.applied_at,
    })
  })

  test('limits that changed since the snapshot block a request, and the response contains them', async () => {
    const account = await limitTestStack.newAccount()
    const accountSettingsReply = await operator.get(
      `/api/sandbox/v1/account_settings/${account.slice(5)}`,
    )
    const { snapshot = '' } = accountSettingsReply.body.meta as { snapshot?: string }
    const grantedReply = await limitTestStack.askPayouts(account)
    await limitTestStack.decide(grantedReply.body.data?.[0]?.id, 'active')
    const lastSeqBefore = await sandbox.lastSeq()
    const staleSnapshotReply = await limitTestStack.askPayouts(
      account,
      { max_amount: 600_000 },
      { headers: { 'snapshot-hash': snapshot } },
    )
    expect(staleSnapshotReply).toMatchObject({
      status: 409,
      body: { error: { code: 'changed' }, data: { payouts: { max_amount: 900_000 } } },
    })
    expect(await limitTestStack.arrivedSince(lastSeqBefore)).toBe(0)
  })
})

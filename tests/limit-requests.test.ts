import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { dialect } from './harness/dialect'
import { initialLimits, type LimitDesk, limitReason, raisedLimits, startLimitDesk } from './harness/limits'
import { newKey } from './harness/person'
import { openSharedDesk } from './harness/shared-desk'

let desk: LimitDesk
let sandbox: LimitDesk['sandbox']
let db: LimitDesk['db']
let operator: LimitDesk['operator']

beforeAll(async () => {
  desk = await startLimitDesk(await openSharedDesk())
  ;({ sandbox, db, operator } = desk)
})
afterEach(() => sandbox.clearFaults())
afterAll(() => desk?.stop())

test('a request is stored with the limits before it, and the service receives only the requested ones', async () => {
  const account = await desk.newAccount()
  const reply = await desk.askPayouts(account)
  const [told] = reply.body.data ?? []
  expect([reply.status, told]).toMatchObject([201, { type: 'payouts', status: 'in_review' }])
  // The provider's contract requires all limits in a request, so the desk repeats the unchanged ones.
  expect(told?.settings).toEqual(dialect.name === 'provider' ? { ...initialLimits, ...raisedLimits } : raisedLimits)
  const { body } = await desk.tracked(account)
  expect(body.data).toMatchObject([
    {
      account,
      type: 'payouts',
      before: initialLimits,
      asked: raisedLimits,
      justification: limitReason,
      own: true,
      action: { id: reply.body.action?.id, state: 'applied' },
      capability: { id: reply.body.data?.[0]?.id, status: 'in_review' },
      tracking: { state: 'in_review', isOpen: true, bankingDays: 0 },
      closed_at: null,
    },
  ])
})

test('both payment types at once are two requests of one action, and enabling a capability is none', async () => {
  const account = await desk.newAccount()
  await desk.ask(account, {
    payouts: { enable: true, max_amount: 600_000 },
    charges: { enable: true, monthly_count: 2_000 },
    internet: { enable: true },
  })
  const { body } = await desk.tracked(account)
  expect(body.data?.map(({ type, asked }) => [type, asked]).sort()).toEqual([
    ['charges', { monthly_count: 2_000 }],
    ['payouts', { max_amount: 600_000 }],
  ])
  expect(new Set(body.data?.map(({ action }) => action?.id)).size).toBe(1)
})

describe('one open request for each account and type', () => {
  test('of twenty concurrent requests one is sent', async () => {
    const account = await desk.newAccount()
    const seqBefore = await sandbox.lastSeq()
    const replies = await Promise.all(Array.from({ length: 20 }, () => desk.askPayouts(account)))
    const acceptedReplies = replies.filter((reply) => reply.status === 201)
    expect(acceptedReplies).toHaveLength(1)
    for (const reply of replies.filter((each) => each !== acceptedReplies[0])) {
      expect(reply).toMatchObject({
        status: 409,
        body: { error: { code: 'changed', detail: expect.stringContaining('limits of payouts') } },
      })
    }
    expect(await desk.arrivedSince(seqBefore)).toBe(1)
    const rows = await db.query('select 1 from actions where account_id = $1 and operation = $2', [
      account.slice(5),
      'capability_requests.create',
    ])
    expect(rows.rowCount).toBe(1)
  })

  test('the same key twice is one request, returned from the action log', async () => {
    const account = await desk.newAccount()
    const idempotencyKey = newKey()
    const [one, two] = [
      await desk.askPayouts(account, raisedLimits, { key: idempotencyKey }),
      await desk.askPayouts(account, raisedLimits, { key: idempotencyKey }),
    ]
    expect([one.status, two.status, two.replayed]).toEqual([201, 201, true])
    expect((await desk.tracked(account)).body.data).toHaveLength(1)
  })

  test('another type or account can have its own open request', async () => {
    const account = await desk.newAccount()
    expect((await desk.askPayouts(account)).status).toBe(201)
    expect((await desk.ask(account, { charges: { enable: true, max_amount: 600_000 } })).status).toBe(201)
    expect((await desk.askPayouts(await desk.newAccount())).status).toBe(201)
  })

  test('an open request made outside Paydesk counts too', async () => {
    const account = await desk.newAccount()
    const directResponse = await fetch(`${sandbox.url}/v1/accounts/${account.slice(5)}/capability_requests`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sandbox.keys.full}`, 'content-type': 'application/json' },
      body: JSON.stringify({ payouts: { enable: true, ...initialLimits, max_amount: 600_000 } }),
    })
    expect(directResponse.status).toBe(201)
    expect((await desk.askPayouts(account)).body.error?.code).toBe('changed')
    expect((await desk.tracked(account)).body.data).toEqual([])
  })

  test('after the end of a request another one is possible', async () => {
    const account = await desk.newAccount()
    const firstReply = await desk.askPayouts(account)
    await desk.decide(firstReply.body.data?.[0]?.id, 'rejected')
    expect((await desk.askPayouts(account, { max_amount: 600_000 })).status).toBe(201)
    const trackingStates = (await desk.tracked(account)).body.data?.map(({ tracking }) => [tracking.state, tracking.isOpen])
    expect(trackingStates).toEqual([
      ['in_review', true],
      ['rejected', false],
    ])
  })

  test('a request that the service refuses is not open', async () => {
    const account = await desk.newAccount()
    const refusedReply = await desk.askPayouts(account, { monthly_amount: 100_000 })
    expect(refusedReply).toMatchObject({ status: 422, body: { error: { code: 'service_refused' } } })
    expect((await desk.tracked(account)).body.data).toMatchObject([{ tracking: { state: 'not_sent', isOpen: false } }])
    expect((await desk.askPayouts(account)).status).toBe(201)
  })
})

describe('the end of a request comes from the settings', () => {
  test('a granted request is applied, stored once, and stays applied', async () => {
    const account = await desk.newAccount()
    const requestReply = await desk.askPayouts(account)
    await desk.decide(requestReply.body.data?.[0]?.id, 'active')
    const [request] = (await desk.tracked(account)).body.data ?? []
    expect(request?.tracking).toMatchObject({ state: 'applied', isOpen: false })
    const requestRows = await db.query('select applied_at, closed_as from limit_requests where id = $1', [request?.id])
    expect(requestRows.rows).toEqual([{ applied_at: expect.any(Date), closed_as: 'applied' }])
    // The limits change again, but the first request stays applied.
    const nextReply = await desk.askPayouts(account, { max_amount: 700_000 })
    await desk.decide(nextReply.body.data?.[0]?.id, 'active')
    const requestsAfter = (await desk.tracked(account)).body.data
    expect(requestsAfter?.map(({ tracking }) => tracking.state)).toEqual(['applied', 'applied'])
    expect((await db.query('select applied_at from limit_requests where id = $1', [request?.id])).rows[0]).toEqual({
      applied_at: requestRows.rows[0]?.applied_at,
    })
  })

  test('limits that changed since the snapshot block a request, and the response contains them', async () => {
    const account = await desk.newAccount()
    const settings = await operator.get(`/api/sandbox/v1/account_settings/${account.slice(5)}`)
    const { snapshot = '' } = settings.body.meta as { snapshot?: string }
    const grantedReply = await desk.askPayouts(account)
    await desk.decide(grantedReply.body.data?.[0]?.id, 'active')
    const before = await sandbox.lastSeq()
    const staleReply = await desk.askPayouts(account, { max_amount: 600_000 }, { headers: { 'snapshot-hash': snapshot } })
    expect(staleReply).toMatchObject({ status: 409, body: { error: { code: 'changed' }, data: { payouts: { max_amount: 900_000 } } } })
    expect(await desk.arrivedSince(before)).toBe(0)
  })
})

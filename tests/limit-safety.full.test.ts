import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { LimitUses } from '@/lib/features/limits/tracking'
import { dialect } from './harness/dialect'
import { type LimitRequestDesk, raisedLimits, startLimitRequestDesk } from './harness/limits'
import { addLimitedPerson } from './harness/objects'
import { signIn } from './harness/person'
import { waitUntil } from './harness/wait-until'
import { type IsolatedDesk, startWholeDesk } from './harness/whole-desk'

let testStack: IsolatedDesk
let limitTestStack: LimitRequestDesk
let sandbox: LimitRequestDesk['sandbox']
let db: LimitRequestDesk['db']
let operator: LimitRequestDesk['operator']

beforeAll(async () => {
  testStack = await startWholeDesk()
  limitTestStack = await startLimitRequestDesk(testStack)
  ;({ sandbox, db, operator } = limitTestStack)
})
afterEach(() => sandbox.clearFaults())
afterAll(() => limitTestStack?.stop())

describe('a limit request across a crash', () => {
  test('is settled by a replay if the response was lost, with one request and one row', async () => {
    const account = await limitTestStack.newAccount()
    await sandbox.fault({
      operation: dialect.asksForCapabilities,
      match: account.slice(5),
      kind: 'reset',
      at: 'after',
    })
    expect(await limitTestStack.askPayouts(account)).toMatchObject({
      status: 201,
      body: { action: { replayed: true } },
    })
    expect((await limitTestStack.tracked(account)).body.data).toMatchObject([
      { tracking: { state: 'in_review' } },
    ])
  })

  test('is stored if the process is killed during the call, and follows the resolver’s result', async () => {
    const account = await limitTestStack.newAccount()
    await sandbox.fault({
      operation: dialect.asksForCapabilities,
      match: account.slice(5),
      kind: 'delay',
      ms: 3000,
      at: 'before',
    })
    const lostReplyPromise = limitTestStack.askPayouts(account).catch(() => null)
    const readLimitRequestRow = () =>
      db.query(
        'select a.state, r.asked from limit_requests r join actions a on a.id = r.action_id where r.account_id = $1',
        [account.slice(5)],
      )
    await waitUntil('the call', async () =>
      (await sandbox.requests()).some(
        (row) =>
          row.method === 'POST' && `${row.account_header} ${row.path}`.includes(account.slice(5)),
      )
        ? true
        : null,
    )
    await testStack.dashboard.kill9()
    expect((await readLimitRequestRow()).rows).toEqual([{ state: 'sending', asked: raisedLimits }])
    await db.query(
      `update actions set lease_until = now() - interval '1 second' where state in ('sending', 'unknown')`,
    )
    await testStack.dashboard.restart()
    await waitUntil('the resolver', async () =>
      (await readLimitRequestRow()).rows[0]?.state === 'applied' ? true : null,
    )
    expect((await limitTestStack.tracked(account)).body.data).toMatchObject([
      { asked: raisedLimits, tracking: { state: 'in_review', isOpen: true } },
    ])
    await lostReplyPromise
  })

  test('with unreadable settings nothing is recorded, and earlier requests stay visible', async () => {
    const account = await limitTestStack.newAccount()
    await limitTestStack.askPayouts(account)
    await sandbox.fault({
      operation: 'account_settings.get',
      match: account.slice(5),
      kind: 'status',
      status: 500,
      count: 3,
    })
    const seqBefore = await sandbox.lastSeq()
    expect(
      await limitTestStack.ask(account, { charges: { enable: true, max_amount: 600_000 } }),
    ).toMatchObject({
      status: 503,
      body: { error: { code: 'not_sent' } },
    })
    expect(await limitTestStack.arrivedSince(seqBefore)).toBe(0)
    expect((await limitTestStack.tracked(account)).body.data).toMatchObject([
      { type: 'payouts', note: expect.stringContaining('cannot be reached') },
    ])
  })
})

describe('permissions of limit requests', () => {
  test('a person limited to another account can neither read nor create a request', async () => {
    const [ownAccount, foreignAccount] = [
      await limitTestStack.newAccount(),
      await limitTestStack.newAccount(),
    ]
    await limitTestStack.askPayouts(foreignAccount)
    await addLimitedPerson(db, 'limits@paydesk.test', 'operator', ownAccount.slice(5))
    const limitedPerson = await signIn(limitTestStack.dashboard.url, 'limits@paydesk.test')
    expect((await limitTestStack.tracked(foreignAccount, limitedPerson)).body.error?.code).toBe(
      'forbidden',
    )
    expect(
      (await limitedPerson.get(`/api/sandbox/desk/limit-requests/use?account=${foreignAccount}`))
        .body.error?.code,
    ).toBe('forbidden')
    expect(
      (await limitTestStack.askPayouts(foreignAccount, raisedLimits, { person: limitedPerson }))
        .body.error?.code,
    ).toBe('forbidden')
    expect((await limitTestStack.tracked(ownAccount, limitedPerson)).body.data).toEqual([])
  })

  test('the account is required', async () => {
    expect((await operator.get('/api/sandbox/desk/limit-requests')).body.error).toMatchObject({
      code: 'invalid_input',
      items: [{ reference: 'account' }],
    })
  })

  test('a viewer can read requests but not create one', async () => {
    const account = await limitTestStack.newAccount()
    const viewer = await signIn(limitTestStack.dashboard.url, 'viewer')
    expect((await limitTestStack.tracked(account, viewer)).status).toBe(200)
    expect(
      (await limitTestStack.askPayouts(account, raisedLimits, { person: viewer })).body.error?.code,
    ).toBe('forbidden')
  })
})

test('the usage equals the sum of the account’s payments', async () => {
  const accountsReply = await operator.get<{ id: string }[]>(
    '/api/sandbox/v1/accounts?status=active&page_size=1&sort_by=name',
  )
  const account = `acct_${accountsReply.body.data?.[0]?.id}`
  const { body } = await operator.get<LimitUses>(
    `/api/sandbox/desk/limit-requests/use?account=${account}`,
  )
  const payoutUsageBefore = body.data?.payouts
  if (!payoutUsageBefore?.ok) throw new Error('the use could not be read')
  const makePayout = (overrides: object) =>
    sandbox.makePayout({
      account_id: account.slice(5),
      payment_date: payoutUsageBefore.usage.today,
      ...overrides,
    })
  const createdPayouts = [
    await makePayout({ status: 'scheduled', amount: 4_321 }),
    await makePayout({ status: 'on_hold', amount: 9_999 }),
  ]
  // The usage is summed from the mirror, the local copy of the service's data. Each read stores its
  // payout there, shortly after the response.
  for (const { id } of createdPayouts)
    await operator.get(`/api/sandbox/v1/payouts/${id}?account=${account}`)
  await limitTestStack.mirrored(createdPayouts.map(({ id }) => id))
  const payoutUsageAfter = (
    await operator.get<LimitUses>(`/api/sandbox/desk/limit-requests/use?account=${account}`)
  ).body.data?.payouts
  if (!payoutUsageAfter?.ok) throw new Error('the use could not be read')
  expect(payoutUsageAfter.usage.day).toEqual({
    amount: payoutUsageBefore.usage.day.amount + 4_321,
    count: payoutUsageBefore.usage.day.count + 1,
  })
  expect(payoutUsageAfter.usage.month).toEqual({
    amount: payoutUsageBefore.usage.month.amount + 4_321,
    count: payoutUsageBefore.usage.month.count + 1,
  })
})

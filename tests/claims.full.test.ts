import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Claim } from '@/lib/operations/claims'
import '@/lib/features/claims/server/register'
import { startJobs } from '@/lib/server/http/registration'
import { targetClaims as claimed } from '@/lib/server/store/schema/desk'
import { people } from '@/lib/server/store/schema/people'
import { getDatabase } from '@/lib/server/store/store'
import { type DeskAndStore, startDeskAndStore } from './harness/desk-and-store'
import { type DeskWithHiddenAccount, startDeskWithHiddenAccount } from './harness/hidden-desk'
import { openTestStore } from './harness/own-store'
import { type Person, signIn } from './harness/person'
import { type MadePayout, type Sandbox, startSandbox } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import { storeKinds } from './harness/store-kinds'
import { waitUntil } from './harness/wait-until'

const claimsPath = '/api/sandbox/desk/claims/payouts'
const toJsonInit = (body: unknown): RequestInit => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const takeClaim = (person: Person, id: string, body: unknown = {}) =>
  person.ask<Claim>('PUT', `${claimsPath}/${id}`, toJsonInit(body))
const releaseClaim = (person: Person, id: string) =>
  person.ask('DELETE', `${claimsPath}/${id}`, toJsonInit({}))
const readClaims = async (person: Person, id: string) =>
  (await person.get<Claim[]>(claimsPath)).body.data?.filter((claim) => claim.id === id)

/**
 * Creates a held payout and reads it as the person. A claim (a mark of the person who works on a
 * payout) requires this read, because Paydesk stores the account of the payout at the read.
 */
async function createAndReadPayout(
  sandbox: Sandbox,
  person: Person,
  fields = {},
): Promise<MadePayout> {
  const payout = await sandbox.makePayout(fields)
  expect(
    (await person.get(`/api/sandbox/v1/payouts/${payout.id}?account=${payout.account}`)).status,
  ).toBe(200)
  return payout
}

describe.each(storeKinds)('a claim of a record, on %s', (kind) => {
  let sandbox: Sandbox
  let testStack: DeskAndStore
  let operatorOmar: Person
  let adminDana: Person

  beforeAll(async () => {
    sandbox = await startSandbox()
    testStack = await startDeskAndStore(kind, {
      serviceUrl: sandbox.url,
      apiKey: sandbox.keys.full,
    })
    operatorOmar = await signIn(testStack.dashboard.url, 'operator')
    adminDana = await signIn(testStack.dashboard.url, 'admin')
  })
  afterAll(async () => {
    await testStack?.stop()
    await sandbox?.stop()
  })

  test('shows its person to others, and a second person takes it only on request', async () => {
    const { id } = await createAndReadPayout(sandbox, operatorOmar)
    expect(await readClaims(adminDana, id)).toEqual([])
    const { status, body } = await takeClaim(operatorOmar, id)
    expect({ status, data: body.data }).toMatchObject({
      status: 200,
      data: { id, by: 'Omar Operator', own: true },
    })
    const claimedSince = body.data?.since
    expect((await takeClaim(adminDana, id)).body.data).toEqual({
      id,
      by: 'Omar Operator',
      own: false,
      since: claimedSince,
    })
    expect(await readClaims(adminDana, id)).toEqual([
      { id, by: 'Omar Operator', own: false, since: claimedSince },
    ])

    expect((await takeClaim(adminDana, id, { take_over: true })).body.data).toMatchObject({
      by: 'Dana Admin',
      own: true,
    })
    // Omar's page sends its next renewal. The claim stays with Dana, and the response names her.
    expect((await takeClaim(operatorOmar, id)).body.data).toMatchObject({
      by: 'Dana Admin',
      own: false,
    })
    expect((await releaseClaim(operatorOmar, id)).status).toBe(200)
    expect(await readClaims(operatorOmar, id)).toMatchObject([{ by: 'Dana Admin', own: false }])
    expect((await releaseClaim(adminDana, id)).status).toBe(200)
    expect(await readClaims(operatorOmar, id)).toEqual([])
  })

  test('by two people at once belongs to one of them, and both get the same result', async () => {
    const { id } = await createAndReadPayout(sandbox, operatorOmar)
    const replies = await Promise.all([takeClaim(operatorOmar, id), takeClaim(adminDana, id)])
    const [omarClaim, danaClaim] = replies.map(({ body }) => body.data)
    expect(omarClaim?.by).toBe(danaClaim?.by)
    expect([omarClaim?.own, danaClaim?.own].sort()).toEqual([false, true])
  })

  test('ends without renewal, keeps its start on renewal, and can then be taken by another person', async () => {
    const { id } = await createAndReadPayout(sandbox, operatorOmar)
    const firstClaim = (await takeClaim(operatorOmar, id)).body.data
    await testStack.sql(
      `update claims set ends_at = now() + interval '1 minute' where target = 'payouts/${id}'`,
    )
    await testStack.shut()
    expect((await takeClaim(operatorOmar, id)).body.data).toEqual(firstClaim)
    const [row] = await testStack.sql(
      `select ends_at > now() + interval '9 minutes' as renewed from claims where target = 'payouts/${id}'`,
    )
    expect(row).toEqual({ renewed: true })
    await testStack.sql(
      `update claims set ends_at = now() - interval '1 second' where target = 'payouts/${id}'`,
    )
    await testStack.shut()
    expect(await readClaims(adminDana, id)).toEqual([])
    expect((await takeClaim(adminDana, id)).body.data).toMatchObject({
      by: 'Dana Admin',
      own: true,
    })
  })

  test('does not block another person’s release', async () => {
    const payout = await createAndReadPayout(sandbox, operatorOmar)
    await takeClaim(operatorOmar, payout.id)
    expect((await adminDana.decide('release', payout)).status).toBe(200)
    expect((await sandbox.journal(payout.id)).map(({ operation }) => operation)).toEqual([
      'payouts.release',
    ])
  })

  test('requires the permission to decide the record', async () => {
    const { id } = await createAndReadPayout(sandbox, operatorOmar)
    const reviewer = await signIn(testStack.dashboard.url, 'reviewer')
    expect(await takeClaim(reviewer, id)).toMatchObject({
      status: 403,
      body: { error: { code: 'forbidden' } },
    })
    await takeClaim(operatorOmar, id)
    expect(await readClaims(reviewer, id)).toMatchObject([{ by: 'Omar Operator', own: false }])
  })

  test.each([
    ['a record that nobody knows', () => takeClaim(operatorOmar, randomUUID()), 404],
    ['no id', () => takeClaim(operatorOmar, 'payouts'), 422],
    [
      'a resource without a queue',
      () => operatorOmar.get('/api/sandbox/desk/claims/accounts'),
      422,
    ],
    ['a word for yes', () => takeClaim(operatorOmar, randomUUID(), { take_over: 'yes' }), 422],
    ['another field', () => takeClaim(operatorOmar, randomUUID(), { person: 'Dana Admin' }), 422],
  ])('of %s is rejected', async (_, asked, status) => {
    expect((await asked()).status).toBe(status)
  })
})

test.each(storeKinds)('ended claims are deleted and others are kept, on %s', async (kind) => {
  const closeStore = await openTestStore(kind)
  try {
    const db = await getDatabase()
    const [person] = await db
      .insert(people)
      .values({ email: 'omar@paydesk.test', name: 'Omar', passwordHash: '' })
      .returning()
    const buildClaimRow = (target: string, endsAt: Date) => ({
      ...{
        environment: 'sandbox' as const,
        target,
        accountId: randomUUID(),
        personId: person?.id ?? '',
        endsAt,
      },
    })
    await db
      .insert(claimed)
      .values([
        buildClaimRow('payouts/ended', new Date(0)),
        buildClaimRow('payouts/held', new Date(Date.now() + 3_600_000)),
      ])
    await waitUntil('what ended to be gone', async () => {
      startJobs().stop()
      const rows = await db.select({ target: claimed.target }).from(claimed)
      return rows.map(({ target }) => target).join() === 'payouts/held' ? true : null
    })
  } finally {
    await closeStore()
  }
})

describe('a person limited to an account', () => {
  let hiddenAccountStack: DeskWithHiddenAccount
  beforeAll(async () => {
    hiddenAccountStack = await startDeskWithHiddenAccount(await openSharedDesk())
  })
  afterAll(() => hiddenAccountStack?.stop())

  test('claims records in it, and neither sees nor takes claims of other accounts', async () => {
    const { admin, limited, sandbox } = hiddenAccountStack
    const foreignPayout = await createAndReadPayout(sandbox, admin, {
      account_id: hiddenAccountStack.foreign,
    })
    const ownPayout = await createAndReadPayout(sandbox, limited, {
      account_id: hiddenAccountStack.own,
    })
    await takeClaim(admin, foreignPayout.id)
    await takeClaim(limited, ownPayout.id)
    expect(await readClaims(limited, foreignPayout.id)).toEqual([])
    expect(await readClaims(admin, ownPayout.id)).toMatchObject([{ by: 'Lea Limited', own: false }])
    const refusedReply = await takeClaim(limited, foreignPayout.id, { take_over: true })
    const unknownReply = await takeClaim(limited, randomUUID(), { take_over: true })
    expect([refusedReply.status, refusedReply.body.error?.detail]).toEqual([
      404,
      unknownReply.body.error?.detail,
    ])
    await releaseClaim(limited, foreignPayout.id)
    expect(await readClaims(admin, foreignPayout.id)).toMatchObject([{ own: true }])
    expect(await takeClaim(admin, ownPayout.id, { take_over: true })).toMatchObject({ status: 200 })
    expect(await readClaims(limited, ownPayout.id)).toMatchObject([{ own: false }])
  })
})

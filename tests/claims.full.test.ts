import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Claim } from '@/lib/operations/claims'
import '@/lib/features/claims/server/register'
import { startJobs } from '@/lib/server/http/registration'
import { claims as claimed } from '@/lib/server/store/schema/desk'
import { people } from '@/lib/server/store/schema/people'
import { database } from '@/lib/server/store/store'
import { type DeskAndStore, startDeskAndStore } from './harness/desk-and-store'
import { type HiddenDesk, startHiddenDesk } from './harness/hidden'
import { openOwnStore } from './harness/own-store'
import { type Person, signIn } from './harness/person'
import { type MadePayout, type Sandbox, startSandbox } from './harness/sandbox'
import { sharedDesk } from './harness/shared-desk'
import { storeKinds } from './harness/store-kinds'
import { until } from './harness/until'

const claims = '/api/sandbox/desk/claims/payouts'
const json = (body: unknown): RequestInit => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
const take = (person: Person, id: string, body: unknown = {}) => person.ask<Claim>('PUT', `${claims}/${id}`, json(body))
const giveBack = (person: Person, id: string) => person.ask('DELETE', `${claims}/${id}`, json({}))
const seenBy = async (person: Person, id: string) => (await person.get<Claim[]>(claims)).body.data?.filter((claim) => claim.id === id)

/** Creates a held payout and reads it as the person. The read records in Paydesk which account owns the payout. */
async function openedPayout(sandbox: Sandbox, person: Person, fields = {}): Promise<MadePayout> {
  const payout = await sandbox.makePayout(fields)
  expect((await person.get(`/api/sandbox/v1/payouts/${payout.id}?account=${payout.account}`)).status).toBe(200)
  return payout
}

describe.each(storeKinds)('a claim of a record, on %s', (kind) => {
  let sandbox: Sandbox
  let desk: DeskAndStore
  let omar: Person
  let dana: Person

  beforeAll(async () => {
    sandbox = await startSandbox()
    desk = await startDeskAndStore(kind, { serviceUrl: sandbox.url, apiKey: sandbox.keys.full })
    omar = await signIn(desk.dashboard.url, 'operator')
    dana = await signIn(desk.dashboard.url, 'admin')
  })
  afterAll(async () => {
    await desk?.stop()
    await sandbox?.stop()
  })

  test('shows its person to others, and a second person takes it only on request', async () => {
    const { id } = await openedPayout(sandbox, omar)
    expect(await seenBy(dana, id)).toEqual([])
    const { status, body } = await take(omar, id)
    expect({ status, data: body.data }).toMatchObject({ status: 200, data: { id, by: 'Omar Operator', own: true } })
    const since = body.data?.since
    expect((await take(dana, id)).body.data).toEqual({ id, by: 'Omar Operator', own: false, since })
    expect(await seenBy(dana, id)).toEqual([{ id, by: 'Omar Operator', own: false, since }])

    expect((await take(dana, id, { take_over: true })).body.data).toMatchObject({ by: 'Dana Admin', own: true })
    // The first person's page renews the claim. The response contains the new holder.
    expect((await take(omar, id)).body.data).toMatchObject({ by: 'Dana Admin', own: false })
    expect((await giveBack(omar, id)).status).toBe(200)
    expect(await seenBy(omar, id)).toMatchObject([{ by: 'Dana Admin', own: false }])
    expect((await giveBack(dana, id)).status).toBe(200)
    expect(await seenBy(omar, id)).toEqual([])
  })

  test('by two people at once belongs to one of them, and both get the same result', async () => {
    const { id } = await openedPayout(sandbox, omar)
    const replies = await Promise.all([take(omar, id), take(dana, id)])
    const [one, other] = replies.map(({ body }) => body.data)
    expect(one?.by).toBe(other?.by)
    expect([one?.own, other?.own].sort()).toEqual([false, true])
  })

  test('ends without renewal, keeps its start on renewal, and can then be taken by another person', async () => {
    const { id } = await openedPayout(sandbox, omar)
    const first = (await take(omar, id)).body.data
    await desk.sql(`update claims set ends_at = now() + interval '1 minute' where target = 'payouts/${id}'`)
    await desk.shut()
    expect((await take(omar, id)).body.data).toEqual(first)
    const [row] = await desk.sql(`select ends_at > now() + interval '9 minutes' as renewed from claims where target = 'payouts/${id}'`)
    expect(row).toEqual({ renewed: true })
    await desk.sql(`update claims set ends_at = now() - interval '1 second' where target = 'payouts/${id}'`)
    await desk.shut()
    expect(await seenBy(dana, id)).toEqual([])
    expect((await take(dana, id)).body.data).toMatchObject({ by: 'Dana Admin', own: true })
  })

  test('does not block another person’s release', async () => {
    const payout = await openedPayout(sandbox, omar)
    await take(omar, payout.id)
    expect((await dana.decide('release', payout)).status).toBe(200)
    expect((await sandbox.journal(payout.id)).map(({ operation }) => operation)).toEqual(['payouts.release'])
  })

  test('requires the permission to decide the record', async () => {
    const { id } = await openedPayout(sandbox, omar)
    const reviewer = await signIn(desk.dashboard.url, 'reviewer')
    expect(await take(reviewer, id)).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } })
    await take(omar, id)
    expect(await seenBy(reviewer, id)).toMatchObject([{ by: 'Omar Operator', own: false }])
  })

  test.each([
    ['a record that nobody knows', () => take(omar, randomUUID()), 404],
    ['no id', () => take(omar, 'payouts'), 422],
    ['a resource without a queue', () => omar.get('/api/sandbox/desk/claims/accounts'), 422],
    ['a word for yes', () => take(omar, randomUUID(), { take_over: 'yes' }), 422],
    ['another field', () => take(omar, randomUUID(), { person: 'Dana Admin' }), 422],
  ])('of %s is rejected', async (_, asked, status) => {
    expect((await asked()).status).toBe(status)
  })
})

test.each(storeKinds)('ended claims are deleted and others are kept, on %s', async (kind) => {
  const stop = await openOwnStore(kind)
  try {
    const db = await database()
    const [person] = await db.insert(people).values({ email: 'omar@paydesk.test', name: 'Omar', passwordHash: '' }).returning()
    const claim = (target: string, endsAt: Date) => ({
      ...{ environment: 'sandbox' as const, target, accountId: randomUUID(), personId: person?.id ?? '', endsAt },
    })
    await db.insert(claimed).values([claim('payouts/ended', new Date(0)), claim('payouts/held', new Date(Date.now() + 3_600_000))])
    await until('what ended to be gone', async () => {
      startJobs().stop()
      const rows = await db.select({ target: claimed.target }).from(claimed)
      return rows.map(({ target }) => target).join() === 'payouts/held' ? true : null
    })
  } finally {
    await stop()
  }
})

describe('a person limited to an account', () => {
  let desk: HiddenDesk
  beforeAll(async () => {
    desk = await startHiddenDesk(await sharedDesk())
  })
  afterAll(() => desk?.stop())

  test('claims records in it, and neither sees nor takes claims of other accounts', async () => {
    const { admin, limited, sandbox } = desk
    const theirs = await openedPayout(sandbox, admin, { account_id: desk.foreign })
    const ownPayout = await openedPayout(sandbox, limited, { account_id: desk.own })
    await take(admin, theirs.id)
    await take(limited, ownPayout.id)
    expect(await seenBy(limited, theirs.id)).toEqual([])
    expect(await seenBy(admin, ownPayout.id)).toMatchObject([{ by: 'Lea Limited', own: false }])
    const refused = await take(limited, theirs.id, { take_over: true })
    const unknown = await take(limited, randomUUID(), { take_over: true })
    expect([refused.status, refused.body.error?.detail]).toEqual([404, unknown.body.error?.detail])
    await giveBack(limited, theirs.id)
    expect(await seenBy(admin, theirs.id)).toMatchObject([{ own: true }])
    expect(await take(admin, ownPayout.id, { take_over: true })).toMatchObject({ status: 200 })
    expect(await seenBy(limited, ownPayout.id)).toMatchObject([{ own: false }])
  })
})

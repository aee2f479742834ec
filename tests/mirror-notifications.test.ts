import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schemas } from '@/lib/operations/registry'
import { forgetObjects } from '@/lib/server/mirror/forget'
import { upsertObjects } from '@/lib/server/mirror/upsert-objects'
import { type Db, database, store } from '@/lib/server/store/store'
import { openOwnStore } from './harness/own-store'
import { storeKinds } from './harness/store-kinds'
import { waitUntil } from './harness/wait-until'

describe.each(storeKinds)('%s', (kind) => {
  let stop: () => Promise<void>
  beforeAll(async () => {
    stop = await openOwnStore(kind)
  })
  afterAll(() => stop?.())

  const account = randomUUID()
  const storePayments = (ids: readonly string[], more: { account?: string | null; within?: Db; status?: string } = {}) => {
    const sent = ids.map((id) => ({ id, name: 'Ana Example', status: more.status ?? 'verified', updated_at: '2026-03-01T10:00:00Z' }))
    const objects = schemas['customers.list'].output.parse(sent)
    const whose = more.account === undefined ? account : more.account
    return upsertObjects(
      { environment: 'sandbox', resource: 'customers', account: whose, objects, seenBy: 'sync', seenAt: new Date() },
      more.within,
    )
  }

  test('all instances receive changed rows with the commit, by account', async () => {
    const heard: unknown[] = []
    const { notices } = await store()
    const leave = notices.listen((notice) => heard.push(notice))
    await waitUntil('the listening to begin', () => heard.length > 0 || null)
    const [id, undone, learnt] = [randomUUID(), randomUUID(), randomUUID()]
    const db = await database()
    const takenBack = db.transaction(async (tx) => {
      await storePayments([undone], { within: tx })
      tx.rollback()
    })
    await expect(takenBack).rejects.toThrow()
    await storePayments([learnt], { account: null })
    await storePayments([learnt])
    await storePayments([id])
    await storePayments([id])
    await storePayments([id], { status: 'review' })
    await storePayments(Array.from({ length: 101 }, () => randomUUID()))
    await forgetObjects('sandbox', 'customers', [id])
    const rowNotification = (of: string | null, ids: string[] | null) => ({
      about: 'rows',
      environment: 'sandbox',
      resource: 'customers',
      account: of,
      shown_by: null,
      ids,
    })
    const all = [
      null,
      rowNotification(null, [learnt]),
      rowNotification(account, [learnt]),
      rowNotification(account, [id]),
      rowNotification(account, [id]),
      rowNotification(account, null),
    ]
    await waitUntil('the last to be told', () => heard.length > all.length || null)
    expect(heard).toEqual([...all, rowNotification(account, [id])])
    leave()
  })
})

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
  let closeStore: () => Promise<void>
  beforeAll(async () => {
    closeStore = await openOwnStore(kind)
  })
  afterAll(() => closeStore?.())

  const account = randomUUID()
  const storePayments = (ids: readonly string[], more: { account?: string | null; within?: Db; status?: string } = {}) => {
    const sent = ids.map((id) => ({ id, name: 'Ana Example', status: more.status ?? 'verified', updated_at: '2026-03-01T10:00:00Z' }))
    const objects = schemas['customers.list'].output.parse(sent)
    const ownerAccount = more.account === undefined ? account : more.account
    return upsertObjects(
      { environment: 'sandbox', resource: 'customers', account: ownerAccount, objects, seenBy: 'sync', seenAt: new Date() },
      more.within,
    )
  }

  test('all instances receive changed rows with the commit, by account', async () => {
    const receivedChanges: unknown[] = []
    const { notices } = await store()
    const stopListening = notices.listen((notice) => receivedChanges.push(notice))
    await waitUntil('the listening to begin', () => receivedChanges.length > 0 || null)
    const [id, undone, learnt] = [randomUUID(), randomUUID(), randomUUID()]
    const db = await database()
    const rolledBack = db.transaction(async (tx) => {
      await storePayments([undone], { within: tx })
      tx.rollback()
    })
    await expect(rolledBack).rejects.toThrow()
    await storePayments([learnt], { account: null })
    await storePayments([learnt])
    await storePayments([id])
    await storePayments([id])
    await storePayments([id], { status: 'review' })
    await storePayments(Array.from({ length: 101 }, () => randomUUID()))
    await forgetObjects('sandbox', 'customers', [id])
    const buildRowNotification = (of: string | null, ids: string[] | null) => ({
      about: 'rows',
      environment: 'sandbox',
      resource: 'customers',
      account: of,
      shown_by: null,
      ids,
    })
    const allNotifications = [
      null,
      buildRowNotification(null, [learnt]),
      buildRowNotification(account, [learnt]),
      buildRowNotification(account, [id]),
      buildRowNotification(account, [id]),
      buildRowNotification(account, null),
    ]
    await waitUntil('the last to be told', () => receivedChanges.length > allNotifications.length || null)
    expect(receivedChanges).toEqual([...allNotifications, buildRowNotification(account, [id])])
    stopListening()
  })
})

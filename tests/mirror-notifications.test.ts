import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schemasByOperation } from '@/lib/operations/registry'
import { deleteMirroredObjects } from '@/lib/server/mirror/forget'
import { upsertObjects } from '@/lib/server/mirror/upsert-objects'
import { type Db, getDatabase, getStore } from '@/lib/server/store/store'
import { openTestStore } from './harness/own-store'
import { storeKinds } from './harness/store-kinds'
import { waitUntil } from './harness/wait-until'

describe.each(storeKinds)('%s', (kind) => {
  let closeStore: () => Promise<void>
  beforeAll(async () => {
    closeStore = await openTestStore(kind)
  })
  afterAll(() => closeStore?.())

  const account = randomUUID()
  const storeCustomers = (
    ids: readonly string[],
    options: { account?: string | null; within?: Db; status?: string } = {},
  ) => {
    const sentCustomers = ids.map((id) => ({
      id,
      name: 'Ana Example',
      status: options.status ?? 'verified',
      updated_at: '2026-03-01T10:00:00Z',
    }))
    const objects = schemasByOperation['customers.list'].output.parse(sentCustomers)
    const customerAccount = options.account === undefined ? account : options.account
    return upsertObjects(
      {
        environment: 'sandbox',
        resource: 'customers',
        account: customerAccount,
        objects,
        seenBy: 'sync',
        seenAt: new Date(),
      },
      options.within,
    )
  }

  test('all instances receive changed rows with the commit, by account', async () => {
    const receivedNotices: unknown[] = []
    const { notices } = await getStore()
    const stopListening = notices.listen((notice) => receivedNotices.push(notice))
    await waitUntil('the listening to begin', () => receivedNotices.length > 0 || null)
    const [customerId, rolledBackId, lateAccountCustomerId] = [
      randomUUID(),
      randomUUID(),
      randomUUID(),
    ]
    const db = await getDatabase()
    const rolledBackTransaction = db.transaction(async (tx) => {
      await storeCustomers([rolledBackId], { within: tx })
      tx.rollback()
    })
    await expect(rolledBackTransaction).rejects.toThrow()
    await storeCustomers([lateAccountCustomerId], { account: null })
    await storeCustomers([lateAccountCustomerId])
    await storeCustomers([customerId])
    await storeCustomers([customerId])
    await storeCustomers([customerId], { status: 'review' })
    await storeCustomers(Array.from({ length: 101 }, () => randomUUID()))
    await deleteMirroredObjects('sandbox', 'customers', [customerId])
    const buildRowNotification = (accountId: string | null, ids: string[] | null) => ({
      about: 'rows',
      environment: 'sandbox',
      resource: 'customers',
      account: accountId,
      shown_by: null,
      ids,
    })
    const expectedNotifications = [
      null,
      buildRowNotification(null, [lateAccountCustomerId]),
      buildRowNotification(account, [lateAccountCustomerId]),
      buildRowNotification(account, [customerId]),
      buildRowNotification(account, [customerId]),
      buildRowNotification(account, null),
    ]
    await waitUntil(
      'the last to be told',
      () => receivedNotices.length > expectedNotifications.length || null,
    )
    expect(receivedNotices).toEqual([
      ...expectedNotifications,
      buildRowNotification(account, [customerId]),
    ])
    stopListening()
  })
})

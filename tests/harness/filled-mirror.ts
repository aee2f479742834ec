import { randomUUID } from 'node:crypto'
import type { Environment } from '@/lib/operations/define'
import { getSchemas } from '@/lib/operations/registry'
import type { MirrorListId } from '@/lib/operations/service-operations'
import type { MirroredResource } from '@/lib/server/mirror/mirrored'
import { upsertObjects } from '@/lib/server/mirror/upsert-objects'

export type ObjectFields = Record<string, unknown>

export const environment: Environment = 'sandbox'
export const accountIds = Array.from({ length: 12 }, () => randomUUID())
/** Account id by object id; null if the object has no known account. */
export const accountByObjectId = new Map<string, string | null>()
/** The lists that `fillMirror` filled. */
export const filledLists = new Set<MirrorListId>()
/**
 * Ids of the last five objects of each list. They differ in their account, and in most lists one
 * has no account.
 */
export const sampleIdsByList = new Map<MirrorListId, string[]>()

/**
 * Returns the fields of the object number `at`. Many objects share each value, so that a filter
 * finds objects of several accounts.
 */
const buildCommonObjectFields = (id: string, objectIndex: number): ObjectFields => {
  const status = ['created', 'on_hold', 'paid'][objectIndex % 3]
  const paymentDate = `2026-03-${String((objectIndex % 28) + 1).padStart(2, '0')}`
  return {
    ...{
      id,
      status,
      amount: String(1000 + (objectIndex % 7) * 100),
      name: `Ana Example ${objectIndex % 5}`,
      description: 'Rent',
      external_id: `ref-${objectIndex % 9}`,
    },
    ...{
      payment_type: objectIndex % 2 ? 'charge' : 'payout',
      type: 'individual',
      direction: 'deposit',
      event_type: 'charge_deposit',
      source: 'plaid',
    },
    ...{
      label: `Bank - *${objectIndex % 5}`,
      transfer_date: paymentDate,
      payment_date: paymentDate,
      created_at: `${paymentDate}T10:00:00Z`,
      updated_at: `${paymentDate}T11:00:00Z`,
    },
    ...{
      is_refund: objectIndex % 2 === 0,
      purposes: ['payouts'],
      category: 'payment_type',
      business_profile: { name: `Shop ${objectIndex % 5}` },
    },
  }
}

async function fillMirrorList(
  id: MirrorListId,
  resource: MirroredResource,
  getAccountId: (at: number) => string | null,
  objectCount: number,
): Promise<void> {
  filledLists.add(id)
  const storedRows = Array.from({ length: objectCount }, (_, at) => {
    const account = getAccountId(at)
    const objectId = id === 'accounts.list' && account ? account : randomUUID()
    accountByObjectId.set(objectId, account)
    return {
      account,
      id: objectId,
      sent: {
        ...buildCommonObjectFields(objectId, at),
        ...(resource === 'payments' ? {} : { account_id: account }),
      },
    }
  })
  sampleIdsByList.set(
    id,
    storedRows.slice(-5).map((row) => row.id),
  )
  for (const account of new Set(storedRows.map((row) => row.account))) {
    const sentObjects = storedRows.filter((row) => row.account === account).map((row) => row.sent)
    const objects = getSchemas(id).output.parse(sentObjects) as never
    await upsertObjects({
      environment,
      resource,
      account,
      objects,
      seenBy: 'sync',
      seenAt: new Date(),
    })
  }
}

/** Returns the account of the object number `at`, or null for every thirteenth object. */
const toAccountId = (objectNumber: number): string | null =>
  objectNumber % 13 === 12 ? null : (accountIds[objectNumber % 13] ?? null)

/**
 * Fills all lists of the mirror (our copy of the service’s lists) with objects of twelve accounts.
 */
export async function fillMirror(): Promise<void> {
  await fillMirrorList('payments.search', 'payments', toAccountId, 260)
  await fillMirrorList('customers.list', 'customers', toAccountId, 130)
  await fillMirrorList('paykeys.list', 'paykeys', toAccountId, 130)
  await fillMirrorList('funding_events.list', 'funding_events', toAccountId, 130)
  await fillMirrorList(
    'accounts.list',
    'accounts',
    (at) => accountIds[at] ?? null,
    accountIds.length,
  )
  await fillMirrorList('capability_requests.list', 'capability_requests', toAccountId, 65)
  await fillMirrorList('organizations.list', 'organizations', () => null, 6)
  await fillMirrorList('representatives.list', 'representatives', toAccountId, 65)
  await fillMirrorList('linked_bank_accounts.list', 'linked_bank_accounts', toAccountId, 65)
}

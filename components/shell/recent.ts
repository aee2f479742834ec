import { queryClient } from '@/lib/client/query-client'
import type { AmountUnit } from '@/lib/money'
import type { Output } from '@/lib/operations/registry'
import type { RecordResource } from '@/lib/routes'
import { accountHit, customerHit, fundingEventHit, type Hit, linkedBankAccountHit, namedHit, paykeyHit, paymentHit } from './hit'
import { type RecentRecord, recentRecords } from './recent-records'

type Namer = (data: never, unit: AmountUnit) => Hit

const namers: Record<RecordResource, Namer> = {
  payouts: (data: Output<'payouts.get'>, unit) => paymentHit(data, true, unit),
  charges: (data: Output<'charges.get'>, unit) => paymentHit(data, false, unit),
  paykeys: (data: Output<'paykeys.get'>) => paykeyHit(data),
  customers: (data: Output<'customers.get'>) => customerHit(data),
  accounts: (data: Output<'accounts.get'>) => accountHit(data),
  organizations: (data: Output<'organizations.get'>) => namedHit('organizations', data),
  representatives: (data: Output<'representatives.get'>) => namedHit('representatives', data),
  linked_bank_accounts: (data: Output<'linked_bank_accounts.get'>) => linkedBankAccountHit(data),
  funding_events: (data: Output<'funding_events.get'>, unit) => fundingEventHit(data, unit),
}

/** The newest read of a record that the cache still holds. */
function readOf({ environment, resource, id }: RecentRecord): unknown {
  const reads = queryClient()
    .getQueryCache()
    .findAll({
      predicate: ({ queryKey: [of, , , operation, input] }) =>
        of === environment && operation === `${resource}.get` && (input as { id?: string } | undefined)?.id === id,
    })
  return (reads.sort((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt)[0]?.state.data as { data?: unknown })?.data
}

const names = new Map<string, Hit>()

/**
 * The records opened in this tab, named by what was read of them. A name is remembered for as long as the page lives, because the cache lets
 * its reads go; memory only, so nothing personal is kept.
 */
export function recentHits(environment: string, unit: AmountUnit): { record: RecentRecord; hit: Hit | null }[] {
  return recentRecords(environment).map((record) => {
    const key = `${environment}/${record.resource}/${record.id}`
    const data = readOf(record)
    if (data) names.set(key, namers[record.resource](data as never, unit))
    return { record, hit: names.get(key) ?? null }
  })
}

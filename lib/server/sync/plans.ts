import 'server-only'
import type { ReadId } from '@/lib/operations/service-operations'
import type { MirroredResource } from '@/lib/server/mirror/mirrored'
import { keptSince, openPaymentStates } from '@/lib/server/mirror/retention'

/** A list filter. A date in it splits the list in two. */
export type Filter = Readonly<Record<string, unknown>>

/**
 * Changes are read from the platform's list: rows whose `by` is at or after a time, passed in the filter `from`. Each read goes back
 * `overlap` milliseconds for rows that appeared late.
 */
export type Changes = { by: 'updated_at' | 'created_at' | 'transfer_date'; from: string; overlap: number }

/**
 * Describes how a resource is read. The platform's list does not contain the account of its objects, so most resources are read per account
 * (`by`). `lists` are read in order and cover all rows together.
 */
export type Plan = {
  resource: Exclude<MirroredResource, 'payouts' | 'charges'>
  operation: ReadId
  by: 'platform' | 'account'
  sorted: Filter
  /** Rows that need a decision, read first. */
  waiting?: readonly ((since: string) => Filter)[]
  /** The lists to read in order, split at a time. */
  lists: () => readonly ((since: string) => Filter)[]
  /** The range that `lists` cover, plus `besides`. All rows if not set. */
  bounds?: () => { all: Filter; besides: Filter } | null
  /** Filters for changes, best first, as a service may not support them all. If empty, only a full read finds changes. */
  changes: readonly Changes[]
  /** Rows per page. Responses are limited to 2 MB, and payments contain metadata. */
  pageSize: number
  /** The resource is one object per account, not a list. */
  single?: true
}

const minute = 60_000
const everything = () => [() => ({})]
const newestFirst = { sort_by: 'created_at', sort_order: 'desc' }
const inOrder = { sort_by: 'id', sort_order: 'asc' }

/** Skips payments past retention, except those still open. */
function paymentBounds(): { all: Filter; besides: Filter } | null {
  const from = keptSince()?.toISOString()
  return from ? { all: { min_created_at: from }, besides: { max_created_at: from, payment_status: openPaymentStates } } : null
}

function paymentLists(): ((since: string) => Filter)[] {
  const recent = (since: string) => ({ min_created_at: since })
  const bounds = paymentBounds()
  if (!bounds) return [recent, (since) => ({ max_created_at: since })]
  const { min_created_at: from } = bounds.all as { min_created_at: string }
  return [recent, (since) => ({ max_created_at: since, min_created_at: from < since ? from : since }), () => bounds.besides]
}

/** All mirrored resources, most important first. */
export const plans: readonly Plan[] = [
  { resource: 'accounts', operation: 'accounts.list', by: 'platform', pageSize: 1000, sorted: inOrder, lists: everything, changes: [] },
  {
    resource: 'payments',
    operation: 'payments.search',
    by: 'account',
    pageSize: 500,
    sorted: { ...newestFirst, include_metadata: true },
    waiting: [() => ({ payment_status: ['on_hold'] }), (since) => ({ payment_status: ['failed', 'reversed'], min_created_at: since })],
    lists: paymentLists,
    bounds: paymentBounds,
    changes: [
      { by: 'updated_at', from: 'min_updated_at', overlap: minute },
      { by: 'created_at', from: 'min_created_at', overlap: minute },
    ],
  },
  {
    resource: 'paykeys',
    operation: 'paykeys.list',
    by: 'account',
    pageSize: 1000,
    sorted: newestFirst,
    waiting: [() => ({ status: ['review', 'blocked'] })],
    lists: everything,
    changes: [{ by: 'created_at', from: 'created_from', overlap: minute }],
  },
  {
    resource: 'customers',
    operation: 'customers.list',
    by: 'account',
    pageSize: 1000,
    sorted: newestFirst,
    waiting: [() => ({ status: ['review'] })],
    lists: everything,
    changes: [{ by: 'created_at', from: 'created_from', overlap: minute }],
  },
  {
    resource: 'funding_events',
    operation: 'funding_events.list',
    by: 'account',
    pageSize: 1000,
    sorted: { sort_by: 'transfer_date', sort_order: 'desc' },
    lists: everything,
    // Sorted by transfer date, which can be days after creation. Hence the long overlap.
    changes: [{ by: 'transfer_date', from: 'created_from', overlap: 14 * 1440 * minute }],
  },
  {
    resource: 'organizations',
    operation: 'organizations.list',
    by: 'platform',
    pageSize: 1000,
    sorted: inOrder,
    lists: everything,
    changes: [],
  },
  {
    resource: 'representatives',
    operation: 'representatives.list',
    by: 'platform',
    pageSize: 1000,
    sorted: inOrder,
    lists: everything,
    changes: [],
  },
  {
    resource: 'linked_bank_accounts',
    operation: 'linked_bank_accounts.list',
    by: 'platform',
    pageSize: 1000,
    sorted: inOrder,
    lists: everything,
    changes: [],
  },
  {
    resource: 'capability_requests',
    operation: 'capability_requests.list',
    by: 'account',
    pageSize: 1000,
    sorted: inOrder,
    lists: everything,
    changes: [],
  },
  {
    resource: 'account_settings',
    operation: 'account_settings.get',
    by: 'account',
    pageSize: 1000,
    sorted: {},
    lists: everything,
    changes: [],
    single: true,
  },
]

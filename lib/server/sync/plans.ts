import 'server-only'
import type { ReadId } from '@/lib/operations/service-operations'
import type { MirroredResource } from '@/lib/server/mirror/mirrored'
import { keptSince, openPaymentStates } from '@/lib/server/mirror/retention'

/** A filter of a list. A date in it is the one its cursor is cut at. */
export type Filter = Readonly<Record<string, unknown>>

/**
 * What changed is asked of the platform's list: rows whose `by` is at or after a time, which the filter `from` takes. `overlap` (milliseconds) is asked
 * again each time, for what was slow to appear.
 */
export type Changes = { by: 'updated_at' | 'created_at' | 'transfer_date'; from: string; overlap: number }

/**
 * How a resource is read. `by` says whose lists are asked: the platform's list does not say whose an object is, so what does not name its account itself
 * is asked for account by account. `lists` are read one after the other and hold everything between them.
 */
export type Plan = {
  resource: Exclude<MirroredResource, 'payouts' | 'charges'>
  operation: ReadId
  by: 'platform' | 'account'
  sorted: Filter
  /** What waits for people, read before anything else. */
  waiting?: readonly ((since: string) => Filter)[]
  /** What is asked for first and the rest, cut at a time. */
  lists: () => readonly ((since: string) => Filter)[]
  /** What the lists hold together, without those of `besides`; everything where left out. */
  bounds?: () => { all: Filter; besides: Filter } | null
  /** How changes are asked for, the best way first: a service may not know it. Without any only reading the whole resource again finds a change. */
  changes: readonly Changes[]
  /** Rows of a page. An answer is read up to 2 MB, and payments carry their metadata. */
  pageSize: number
  /** One object for each account instead of a list. */
  single?: true
}

const minute = 60_000
const everything = () => [() => ({})]
const newestFirst = { sort_by: 'created_at', sort_order: 'desc' }
const inOrder = { sort_by: 'id', sort_order: 'asc' }

/** What is let go of is not read again: of what is older than what is kept only what still waits for something. */
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

/** What is mirrored, the most needed first. */
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
    // The list sorts by the day of transfer, which is up to some days after the day it was made.
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

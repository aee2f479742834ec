import 'server-only'
import type { Environment } from '@/lib/operations/define'
import {
  getAccountHeaderRule,
  getServiceOperation,
  isOperationOf,
  type ReadId,
} from '@/lib/operations/service-operations'
import { getIntegration } from '@/lib/server/config/integration'
import type { MirroredResource } from '@/lib/server/mirror/mirrored'
import { getRetentionStart, openPaymentStatuses } from '@/lib/server/mirror/retention'

export type ListFilter = Readonly<Record<string, unknown>>

/**
 * `by` is the field that the filter compares, `from` its query parameter. Each read starts
 * `overlap` milliseconds earlier, for rows that appeared in the list late.
 */
export type ChangeFilter = {
  by: 'updated_at' | 'created_at' | 'transfer_date'
  from: string
  overlap: number
}

export type SyncPlan = {
  resource: Exclude<MirroredResource, 'payouts' | 'charges'>
  operation: ReadId
  sorted: ListFilter
  /** Filters of the rows that need a person's decision. They are read first. */
  waiting?: readonly ((since: string) => ListFilter)[]
  /**
   * Filters that are used one after another and together match all rows. `since` separates recent
   * rows from older ones.
   */
  lists: () => readonly ((since: string) => ListFilter)[]
  /**
   * Two filters that together match the same rows as `lists`; the sum of their totals is the total.
   * If null or not set, `lists` matches all rows.
   */
  bounds?: () => { all: ListFilter; besides: ListFilter } | null
  /**
   * Filters that find changed rows, best first: a service may not support all. If empty, only a
   * full read finds changes.
   */
  changes: readonly ChangeFilter[]
  /**
   * Rows per page. We accept responses up to 2 MB, so it is smaller for payments, which contain
   * metadata.
   */
  pageSize: number
  /** The resource is one object per account, not a list. */
  single?: true
}

const minuteMs = 60_000
const getSingleEmptyFilter = () => [() => ({})]
const newestFirstSort = { sort_by: 'created_at', sort_order: 'desc' }
const idAscendingSort = { sort_by: 'id', sort_order: 'asc' }

/** Omits payments older than the retention period, except open ones. Null without that period. */
function getPaymentRetentionFilters(): { all: ListFilter; besides: ListFilter } | null {
  const retentionStart = getRetentionStart()?.toISOString()
  return retentionStart
    ? {
        all: { min_created_at: retentionStart },
        besides: { max_created_at: retentionStart, payment_status: openPaymentStatuses },
      }
    : null
}

function getPaymentListFilters(): ((since: string) => ListFilter)[] {
  const toRecentFilter = (since: string) => ({ min_created_at: since })
  const retentionFilters = getPaymentRetentionFilters()
  if (!retentionFilters) return [toRecentFilter, (since) => ({ max_created_at: since })]
  const { min_created_at: from } = retentionFilters.all as { min_created_at: string }
  return [
    toRecentFilter,
    (since) => ({ max_created_at: since, min_created_at: from < since ? from : since }),
    () => retentionFilters.besides,
  ]
}

/**
 * True for a list per account, false for one list of the whole platform. Objects of an account are
 * read by account, because objects in the platform's list do not contain their account.
 */
export const isReadByAccount = (
  { operation, single }: Pick<SyncPlan, 'operation' | 'single'>,
  environment: Environment,
): boolean =>
  single === true ||
  getServiceOperation(operation).configuredPath === true ||
  getAccountHeaderRule(operation, getIntegration(environment)) !== 'forbidden'

const syncPlans: readonly SyncPlan[] = [
  {
    resource: 'accounts',
    operation: 'accounts.list',
    pageSize: 1000,
    sorted: idAscendingSort,
    lists: getSingleEmptyFilter,
    changes: [],
  },
  {
    resource: 'payments',
    operation: 'payments.search',
    pageSize: 500,
    sorted: { ...newestFirstSort, include_metadata: true },
    waiting: [
      () => ({ payment_status: ['on_hold'] }),
      (since) => ({ payment_status: ['failed', 'reversed'], min_created_at: since }),
    ],
    lists: getPaymentListFilters,
    bounds: getPaymentRetentionFilters,
    changes: [
      { by: 'updated_at', from: 'min_updated_at', overlap: minuteMs },
      { by: 'created_at', from: 'min_created_at', overlap: minuteMs },
    ],
  },
  {
    resource: 'paykeys',
    operation: 'paykeys.list',
    pageSize: 1000,
    sorted: newestFirstSort,
    waiting: [() => ({ status: ['review', 'blocked'] })],
    lists: getSingleEmptyFilter,
    changes: [{ by: 'created_at', from: 'created_from', overlap: minuteMs }],
  },
  {
    resource: 'customers',
    operation: 'customers.list',
    pageSize: 1000,
    sorted: newestFirstSort,
    waiting: [() => ({ status: ['review'] })],
    lists: getSingleEmptyFilter,
    changes: [{ by: 'created_at', from: 'created_from', overlap: minuteMs }],
  },
  {
    resource: 'funding_events',
    operation: 'funding_events.list',
    pageSize: 1000,
    sorted: { sort_by: 'transfer_date', sort_order: 'desc' },
    lists: getSingleEmptyFilter,
    // The filter compares the creation date, which can be days before the transfer date, so the
    // overlap is long.
    changes: [{ by: 'transfer_date', from: 'created_from', overlap: 14 * 1440 * minuteMs }],
  },
  {
    resource: 'organizations',
    operation: 'organizations.list',
    pageSize: 1000,
    sorted: idAscendingSort,
    lists: getSingleEmptyFilter,
    changes: [],
  },
  {
    resource: 'representatives',
    operation: 'representatives.list',
    pageSize: 1000,
    sorted: idAscendingSort,
    lists: getSingleEmptyFilter,
    changes: [],
  },
  {
    resource: 'linked_bank_accounts',
    operation: 'linked_bank_accounts.list',
    pageSize: 1000,
    sorted: idAscendingSort,
    lists: getSingleEmptyFilter,
    changes: [],
  },
  {
    resource: 'capability_requests',
    operation: 'capability_requests.list',
    pageSize: 1000,
    sorted: idAscendingSort,
    lists: getSingleEmptyFilter,
    changes: [],
  },
  {
    resource: 'account_settings',
    operation: 'account_settings.get',
    pageSize: 1000,
    sorted: {},
    lists: getSingleEmptyFilter,
    changes: [],
    single: true,
  },
]

/** The plans, in the order in which the resources are read. */
export const listSyncPlans = (environment: Environment): readonly SyncPlan[] =>
  syncPlans.filter(({ operation }) => isOperationOf(operation, getIntegration(environment)))

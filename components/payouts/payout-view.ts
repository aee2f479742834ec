import { payoutsPath } from '@/lib/routes'

/** One tab of the list: the payment states it shows. An empty list of states is every state. */
export type PayoutTab = { id: string; label: string; states: readonly string[]; empty: string }

export const payoutTabs: readonly PayoutTab[] = [
  { id: 'hold', label: 'On hold', states: ['on_hold'], empty: 'Nothing waits for a decision.' },
  {
    id: 'upcoming',
    label: 'Upcoming',
    states: ['created', 'validating', 'scheduled'],
    empty: 'No payout is on its way to the bank network.',
  },
  { id: 'pending', label: 'Pending', states: ['pending'], empty: 'No payout is with the bank network now.' },
  { id: 'paid', label: 'Paid', states: ['paid'], empty: 'No payout has been paid yet.' },
  { id: 'returned', label: 'Returned', states: ['failed', 'reversed'], empty: 'No payout failed or came back.' },
  { id: 'cancelled', label: 'Cancelled', states: ['cancelled'], empty: 'No payout was cancelled.' },
  { id: 'all', label: 'All', states: [], empty: 'No payouts yet. They appear here as soon as one is created.' },
]

/** The filters of the list, by the names the payments search gives them. Values stay text: the server parses them and names a wrong one. */
export const filterLabels = {
  search_text: 'Search',
  min_amount: 'Amount from',
  max_amount: 'Amount to',
  min_payment_date: 'Payment date from',
  max_payment_date: 'Payment date to',
  status_reason: 'Reason given',
  status_source: 'Source',
  external_id: 'External id',
  customer_id: 'Customer',
  paykey_id: 'Bank account',
  is_refund: 'Refund',
  is_resubmit: 'Second try',
} as const

export type FilterName = keyof typeof filterLabels

export const sortNames = ['created_at', 'payment_date', 'amount', 'updated_at'] as const

export type SortName = (typeof sortNames)[number]

/** The whole state of the list as its URL says it; everything but the open row. */
export type PayoutView = {
  tab: PayoutTab
  filters: Partial<Record<FilterName, string>>
  sort: SortName
  order: 'asc' | 'desc'
  page: number
  size: number
}

export const pageSizes = [25, 50, 100] as const

export const defaultTab = payoutTabs[0] as PayoutTab

/** Held payouts are a queue, so the oldest comes first; everything else is looked up, newest first. */
export const defaultOrder = (tab: PayoutTab, sort: SortName): 'asc' | 'desc' =>
  tab.id === 'hold' && sort === 'created_at' ? 'asc' : 'desc'

/** The input of the payments search for a view; `only` replaces paging for a mere count. */
export function searchOf(view: PayoutView, only?: { states: readonly string[] }) {
  const states = only ? only.states : view.tab.states
  return {
    ...view.filters,
    payment_type: 'payout',
    ...(states.length > 0 ? { payment_status: states.join(',') } : {}),
    ...(only
      ? { page_size: 1, page_number: 1 }
      : { page_size: view.size, page_number: view.page, sort_by: view.sort, sort_order: view.order }),
  }
}

/** The URL of a view with a part of it changed. A change of anything but the page goes back to the first page. */
export function viewHref(environment: string, account: string | null, view: PayoutView, change: Partial<PayoutView> = {}): string {
  const next = { ...view, page: 1, ...change }
  if (change.tab && !change.sort) Object.assign(next, { sort: 'created_at', order: defaultOrder(change.tab, 'created_at') })
  return payoutsPath(environment, {
    account,
    tab: next.tab.id === defaultTab.id ? null : next.tab.id,
    ...next.filters,
    sort: next.sort === 'created_at' ? null : next.sort,
    order: next.order === defaultOrder(next.tab, next.sort) ? null : next.order,
    page: next.page === 1 ? null : next.page,
    size: next.size === 50 ? null : next.size,
  })
}

/** The URL of a view without some of its filters. */
export function withoutFilters(environment: string, account: string | null, view: PayoutView, names: readonly FilterName[]): string {
  const kept = Object.entries(view.filters).filter(([name]) => !names.includes(name as FilterName))
  return viewHref(environment, account, view, { filters: Object.fromEntries(kept) })
}

/** The next order of a column: the other way when it is the one sorted by, newest or largest first otherwise. */
export function sortHref(environment: string, account: string | null, view: PayoutView, sort: SortName): string {
  const order = view.sort === sort && view.order === 'desc' ? 'asc' : 'desc'
  return viewHref(environment, account, view, { sort, order })
}

/** How many pages a total makes. */
export const pagesOf = (total: number, size: number) => Math.max(1, Math.ceil(total / size))

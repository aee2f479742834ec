/** The groups of the side bar, by use, in its order. */
export const pageGroups = ['Queue', 'Payments', 'Customers', 'Platform', 'Developers', 'Admin'] as const

/** One of the groups of the side bar. */
export type PageGroup = (typeof pageGroups)[number]

/** What waits on a page for somebody's decision and is counted beside its name. */
export type Waiting =
  | 'payouts_held'
  | 'charges_held'
  | 'paykeys_review'
  | 'customers_review'
  | 'deletions_requested'
  | 'outcomes_unknown'
  | 'approvals_waiting'

/** How much of each kind waits for the reader. What could not be counted is left out. */
export type QueueCounts = Partial<Record<Waiting, number>>

/**
 * One page of an environment. `path` follows the environment in the URL; `key` is the letter after `g`; `allow`, where present, are the roles
 * that may open it, and everybody may open the others; `waiting` is what is counted beside its name.
 */
export type DeskPage = {
  id: string
  path: `/${string}`
  name: string
  group: PageGroup
  key: string
  allow?: readonly ('viewer' | 'operator' | 'reviewer' | 'admin')[]
  waiting?: Waiting
}

/** Every page a person can go to by name, in the order of the side bar: the one table behind navigation, palette and go-to keys. */
export const pages = [
  { id: 'home', path: '/home', name: 'Home', group: 'Queue', key: 'h' },
  { id: 'approvals', path: '/approvals', name: 'Approvals', group: 'Queue', key: 'e', waiting: 'approvals_waiting' },
  { id: 'payouts', path: '/payouts', name: 'Payouts', group: 'Payments', key: 'p', waiting: 'payouts_held' },
  { id: 'charges', path: '/charges', name: 'Charges', group: 'Payments', key: 'c', waiting: 'charges_held' },
  { id: 'payments', path: '/payments', name: 'Payments', group: 'Payments', key: 'm' },
  { id: 'funding_events', path: '/funding-events', name: 'Funding events', group: 'Payments', key: 'f' },
  { id: 'customers', path: '/customers', name: 'Customers', group: 'Customers', key: 'u', waiting: 'customers_review' },
  { id: 'paykeys', path: '/paykeys', name: 'Paykeys', group: 'Customers', key: 'k', waiting: 'paykeys_review' },
  { id: 'deletions', path: '/deletions', name: 'Deletions', group: 'Customers', key: 'd', waiting: 'deletions_requested' },
  { id: 'accounts', path: '/accounts', name: 'Accounts', group: 'Platform', key: 'a' },
  { id: 'limits', path: '/limits', name: 'Limits', group: 'Platform', key: 'l' },
  { id: 'organizations', path: '/organizations', name: 'Organizations', group: 'Platform', key: 'o' },
  { id: 'representatives', path: '/representatives', name: 'Representatives', group: 'Platform', key: 'r' },
  { id: 'linked_bank_accounts', path: '/linked-bank-accounts', name: 'Linked bank accounts', group: 'Platform', key: 'b' },
  {
    id: 'activity',
    path: '/activity',
    name: 'Activity',
    group: 'Developers',
    key: 'v',
    allow: ['operator', 'reviewer', 'admin'],
    waiting: 'outcomes_unknown',
  },
  { id: 'webhooks', path: '/webhooks', name: 'Webhooks', group: 'Developers', key: 'w', allow: ['admin'] },
  { id: 'people', path: '/people', name: 'People', group: 'Admin', key: 'i', allow: ['admin'] },
  { id: 'policies', path: '/policies', name: 'Approval policy', group: 'Admin', key: 'y', allow: ['reviewer', 'admin'] },
  { id: 'audit', path: '/audit', name: 'Audit', group: 'Admin', key: 'x', allow: ['reviewer', 'admin'] },
  { id: 'settings', path: '/settings', name: 'Settings', group: 'Admin', key: 's', allow: ['admin'] },
] as const satisfies readonly DeskPage[]

/** The id of one of the pages, as a key of its icon. */
export type PageId = (typeof pages)[number]['id']

/** The page a go-to letter stands for; undefined for any other letter. */
export const pageOfKey = (key: string): (DeskPage & { id: PageId }) | undefined => pages.find((page) => page.key === key)

/** Whether one of the roles may open a page. */
export const mayOpen = (page: DeskPage, held: readonly string[]): boolean => !page.allow || page.allow.some((role) => held.includes(role))

/**
 * The pages to offer to somebody with these roles. No role is known where roles hold for single accounts and none is chosen: then all are offered, and
 * the page itself says what is missing.
 */
export const pagesFor = (held: readonly string[]): readonly (DeskPage & { id: PageId })[] =>
  held.length === 0 ? pages : pages.filter((page) => mayOpen(page, held))

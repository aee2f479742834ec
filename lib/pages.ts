/** The groups of the side bar, in its order: what waits for somebody, what is looked up, what is for those who build on the API. */
export const pageGroups = ['Work', 'Look up', 'Build'] as const

/** One of the groups of the side bar. */
export type PageGroup = (typeof pageGroups)[number]

/**
 * One page of an environment. `path` follows the environment in the URL; `key` is the letter after `g`; `allow`, where present, are the roles
 * that may open it, and everybody may open the others.
 */
export type DeskPage = {
  id: string
  path: `/${string}`
  name: string
  group: PageGroup
  key: string
  allow?: readonly ('viewer' | 'operator' | 'reviewer' | 'admin')[]
}

/** Every page a person can go to by name, in the order of the side bar (product 4.7): the one table behind navigation, palette and go-to keys. */
export const pages = [
  { id: 'home', path: '/home', name: 'Home', group: 'Work', key: 'h' },
  { id: 'payouts', path: '/payouts', name: 'Payouts', group: 'Work', key: 'p' },
  { id: 'charges', path: '/charges', name: 'Charges', group: 'Work', key: 'c' },
  { id: 'paykeys', path: '/paykeys', name: 'Paykeys', group: 'Work', key: 'k' },
  { id: 'deletions', path: '/deletions', name: 'Deletions', group: 'Work', key: 'd' },
  { id: 'limits', path: '/limits', name: 'Limits', group: 'Work', key: 'l' },
  { id: 'payments', path: '/payments', name: 'Payments', group: 'Look up', key: 'm' },
  { id: 'customers', path: '/customers', name: 'Customers', group: 'Look up', key: 'u' },
  { id: 'accounts', path: '/accounts', name: 'Accounts', group: 'Look up', key: 'a' },
  { id: 'organizations', path: '/organizations', name: 'Organizations', group: 'Look up', key: 'o' },
  { id: 'representatives', path: '/representatives', name: 'Representatives', group: 'Look up', key: 'r' },
  { id: 'linked_bank_accounts', path: '/linked-bank-accounts', name: 'Linked bank accounts', group: 'Look up', key: 'b' },
  { id: 'funding_events', path: '/funding-events', name: 'Funding events', group: 'Look up', key: 'f' },
  { id: 'activity', path: '/activity', name: 'Activity', group: 'Build', key: 'v', allow: ['operator', 'reviewer', 'admin'] },
] as const satisfies readonly DeskPage[]

/** The id of one of the pages, as a key of its icon. */
export type PageId = (typeof pages)[number]['id']

/** The page a go-to letter stands for; undefined for any other letter. */
export const pageOfKey = (key: string): (DeskPage & { id: PageId }) | undefined => pages.find((page) => page.key === key)

/** Whether one of the roles may open a page. */
export const mayOpen = (page: DeskPage, held: readonly string[]): boolean => !page.allow || page.allow.some((role) => held.includes(role))

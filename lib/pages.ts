export const pageGroups = [
  'Queue',
  'Payments',
  'Customers',
  'Platform',
  'Developers',
  'Admin',
] as const

export type PageGroup = (typeof pageGroups)[number]

/** Rows that wait for a decision. Their number is shown next to the name of their page. */
export type QueueKind =
  | 'payouts_held'
  | 'charges_held'
  | 'paykeys_review'
  | 'customers_review'
  | 'deletions_requested'
  | 'outcomes_unknown'
  | 'approvals_waiting'

/** A kind that could not be counted is missing. */
export type QueueCounts = Partial<Record<QueueKind, number>>

/**
 * `key` is the letter to press after `g`. Without `allow`, every role can open the page. `waiting`
 * is the kind of rows whose number is shown next to the name. `platformOnly`: not for a direct
 * account, which has no other accounts.
 */
export type DeskPage = {
  id: string
  path: `/${string}`
  name: string
  group: PageGroup
  key: string
  allow?: readonly ('viewer' | 'operator' | 'reviewer' | 'admin')[]
  waiting?: QueueKind
  platformOnly?: true
}

export const pages = [
  { id: 'home', path: '/home', name: 'Home', group: 'Queue', key: 'h' },
  {
    id: 'approvals',
    path: '/approvals',
    name: 'Approvals',
    group: 'Queue',
    key: 'e',
    waiting: 'approvals_waiting',
  },
  {
    id: 'payouts',
    path: '/payouts',
    name: 'Payouts',
    group: 'Payments',
    key: 'p',
    waiting: 'payouts_held',
  },
  {
    id: 'charges',
    path: '/charges',
    name: 'Charges',
    group: 'Payments',
    key: 'c',
    waiting: 'charges_held',
  },
  { id: 'payments', path: '/payments', name: 'Payments', group: 'Payments', key: 'm' },
  {
    id: 'funding_events',
    path: '/funding-events',
    name: 'Funding events',
    group: 'Payments',
    key: 'f',
  },
  {
    id: 'customers',
    path: '/customers',
    name: 'Customers',
    group: 'Customers',
    key: 'u',
    waiting: 'customers_review',
  },
  {
    id: 'paykeys',
    path: '/paykeys',
    name: 'Paykeys',
    group: 'Customers',
    key: 'k',
    waiting: 'paykeys_review',
  },
  {
    id: 'deletions',
    path: '/deletions',
    name: 'Deletions',
    group: 'Customers',
    key: 'd',
    waiting: 'deletions_requested',
  },
  {
    id: 'accounts',
    path: '/accounts',
    name: 'Accounts',
    group: 'Platform',
    key: 'a',
    platformOnly: true,
  },
  { id: 'limits', path: '/limits', name: 'Limits', group: 'Platform', key: 'l' },
  {
    id: 'organizations',
    path: '/organizations',
    name: 'Organizations',
    group: 'Platform',
    key: 'o',
    platformOnly: true,
  },
  {
    id: 'representatives',
    path: '/representatives',
    name: 'Representatives',
    group: 'Platform',
    key: 'r',
  },
  {
    id: 'linked_bank_accounts',
    path: '/linked-bank-accounts',
    name: 'Linked bank accounts',
    group: 'Platform',
    key: 'b',
  },
  {
    id: 'activity',
    path: '/activity',
    name: 'Activity',
    group: 'Developers',
    key: 'v',
    allow: ['operator', 'reviewer', 'admin'],
    waiting: 'outcomes_unknown',
  },
  {
    id: 'webhooks',
    path: '/webhooks',
    name: 'Webhooks',
    group: 'Developers',
    key: 'w',
    allow: ['admin'],
  },
  { id: 'people', path: '/people', name: 'People', group: 'Admin', key: 'i', allow: ['admin'] },
  {
    id: 'policies',
    path: '/policies',
    name: 'Approval policy',
    group: 'Admin',
    key: 'y',
    allow: ['reviewer', 'admin'],
  },
  {
    id: 'audit',
    path: '/audit',
    name: 'Audit',
    group: 'Admin',
    key: 'x',
    allow: ['reviewer', 'admin'],
  },
  {
    id: 'settings',
    path: '/settings',
    name: 'Settings',
    group: 'Admin',
    key: 's',
    allow: ['admin'],
  },
] as const satisfies readonly DeskPage[]

export type PageId = (typeof pages)[number]['id']

export const findPageByKey = (
  key: string,
  integration: string,
): (DeskPage & { id: PageId }) | undefined =>
  listIntegrationPages(integration).find((page) => page.key === key)

export const canOpenPage = (page: DeskPage, roles: readonly string[]): boolean =>
  !page.allow || page.allow.some((role) => roles.includes(role))

type PagesReader = { person: { roles: readonly string[] }; integration: string }

/** The pages that exist in this kind of integration. */
export const listIntegrationPages = (integration: string): readonly (DeskPage & { id: PageId })[] =>
  pages.filter((page: DeskPage) => !(page.platformOnly && integration === 'account'))

/**
 * `roles` is empty until a person who has roles only for single accounts has selected one. Then all
 * pages are shown, and a page that the person may not open shows a message.
 */
export const listPages = ({
  person: { roles },
  integration,
}: PagesReader): readonly (DeskPage & { id: PageId })[] =>
  listIntegrationPages(integration).filter((page) => roles.length === 0 || canOpenPage(page, roles))

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
 * account, which has no other accounts. `platformRole`: the role must be for the whole platform.
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
  platformRole?: true
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
    platformRole: true,
  },
  {
    id: 'people',
    path: '/people',
    name: 'People',
    group: 'Admin',
    key: 'i',
    allow: ['admin'],
    platformRole: true,
  },
  {
    id: 'policies',
    path: '/policies',
    name: 'Approval policy',
    group: 'Admin',
    key: 'y',
    allow: ['reviewer', 'admin'],
    platformRole: true,
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
    platformRole: true,
  },
] as const satisfies readonly DeskPage[]

export type PageId = (typeof pages)[number]['id']

/**
 * The roles of a person in the environment. `platformRoles`: those for the whole platform.
 * `allRoles`: those for single accounts as well.
 */
type RoleHolder = { platformRoles: readonly string[]; allRoles: readonly string[] }

export function canOpenPage(
  { allow, platformRole }: DeskPage,
  { platformRoles, allRoles }: RoleHolder,
): boolean {
  const roles = platformRole ? platformRoles : allRoles
  return !allow || allow.some((role) => roles.includes(role))
}

type PagesReader = { person: RoleHolder; integration: string }

/** The pages that exist in this kind of integration and that the person may open. */
export const listPages = ({
  person,
  integration,
}: PagesReader): readonly (DeskPage & { id: PageId })[] =>
  pages.filter(
    (page: DeskPage) =>
      !(page.platformOnly && integration === 'account') && canOpenPage(page, person),
  )

export const findPageByKey = (
  key: string,
  reader: PagesReader,
): (DeskPage & { id: PageId }) | undefined => listPages(reader).find((page) => page.key === key)

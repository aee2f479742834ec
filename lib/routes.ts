type SearchParams = Record<string, string | number | boolean | readonly string[] | null | undefined>

function appendSearch(path: string, search: SearchParams = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    const text = Array.isArray(value)
      ? value.join(',')
      : value === null || value === undefined
        ? ''
        : String(value)
    if (text !== '') query.set(name, text)
  }
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

/**
 * The environment and the account scope (`?account=`) that a link keeps from the current page. A
 * string is only the environment: the link then has no account scope, because it is to be copied or
 * leaves the scope.
 */
export type LinkScope = string | { readonly environment: string; readonly scope: string | null }

const getEnvironment = (linkScope: LinkScope): string =>
  typeof linkScope === 'string' ? linkScope : linkScope.environment

const getAccountScope = (linkScope: LinkScope): string | null =>
  typeof linkScope === 'string' ? null : linkScope.scope

/** The results of a single sign-on, as the URL of the sign-in page names them. */
export const ssoOutcomes = ['entered', 'refused', 'cancelled', 'limited', 'failed'] as const
export type SsoOutcome = (typeof ssoOutcomes)[number]

/** The sign-in page. `next` is the path to open after the sign-in. */
export const signInPath = (next?: string, sso?: SsoOutcome) =>
  appendSearch('/sign-in', { next, sso })

/**
 * The page on which an invited person sets a password. The token is in the URL's fragment, which
 * browsers do not send.
 */
export const welcomePath = (token?: string) => (token ? `/welcome#${token}` : '/welcome')

/**
 * The API that sets a password, for the pages to which one-time links lead. It requires no session.
 */
export const passwordApiPath = '/api/password'

/**
 * The page on which a person requests a password link by mail, and its API. Neither requires a
 * session.
 */
export const forgotPasswordPath = '/forgot'
export const forgotPasswordApiPath = '/api/password/forgot'

/** True for pages that need no session. */
export const isPublicPath = (path: string): boolean =>
  path === signInPath() || path === welcomePath() || path === forgotPasswordPath

/** The endpoints for load balancers and monitoring. They require no session. */
const probePaths: ReadonlySet<string> = new Set([
  '/api/health',
  '/api/health/live',
  '/api/health/ready',
  '/api/metrics',
])

export const isProbePath = (path: string): boolean => probePaths.has(path)

/** A path of the next-auth API. `action` is a name that next-auth defines. */
export const authApiPath = (action: 'csrf' | 'callback/credentials' | 'signin/sso' | 'signout') =>
  `/api/auth/${action}`

/** The API that returns whether the browser has a session. */
export const sessionApiPath = '/api/session'

/** Receives the browsers' content security policy reports. */
export const cspReportsPath = '/api/csp-reports'

/** True for an API path. All other paths are pages or files. */
export const isApiPath = (path: string): boolean => path.startsWith('/api/')

/** Returns the URL of a page of an environment. `search.account` replaces the account scope. */
export function deskPath(linkScope: LinkScope, path: string, search?: SearchParams): string {
  const account = getAccountScope(linkScope)
  return appendSearch(
    `/${getEnvironment(linkScope)}${path}`,
    account === null ? search : { account, ...search },
  )
}

/**
 * Returns the URL of a page about one object, or of a form for one account. `search.account` is the
 * account of the object; if it is null, the server looks the account up. If it is not the account
 * scope, it becomes the parameter `of`, because the parameter `account` would change the scope.
 */
export function accountPagePath(
  linkScope: LinkScope,
  path: string,
  { account, ...search }: SearchParams = {},
): string {
  const scope = getAccountScope(linkScope)
  return deskPath(linkScope, path, {
    account: scope,
    of: account === scope ? null : account,
    ...search,
  })
}

/** The list of payouts. `search` has filters, sort order, page and open row. */
export const payoutsPath = (linkScope: LinkScope, search?: SearchParams) =>
  listPath(linkScope, 'payouts', search)

/** The page of a payout. `search.account` is the account of the payout. */
export const payoutPath = (linkScope: LinkScope, id: string, search?: SearchParams) =>
  recordPath(linkScope, 'payouts', id, search)

/**
 * The resources whose objects have their own page. A payment has the page of its charge or payout.
 */
export const recordResources = [
  'payouts',
  'charges',
  'paykeys',
  'customers',
  'accounts',
  'organizations',
  'representatives',
  'linked_bank_accounts',
  'funding_events',
] as const

export type RecordResource = (typeof recordResources)[number]

/**
 * The lists that have a page: records, the payment search, and Paydesk's deletion requests, request
 * log and webhooks.
 */
export const listResources = [
  'payments',
  ...recordResources,
  'deletions',
  'requests',
  'webhooks',
] as const

export type ListResource = (typeof listResources)[number]

/**
 * Returns the path of a list: `/linked-bank-accounts` for `linked_bank_accounts`. The request log
 * is a tab of the Activity page.
 */
const resourcePath = (resource: ListResource) =>
  resource === 'requests' ? '/activity' : `/${resource.replaceAll('_', '-')}`

/** The list page of a resource. `search` has filters, sort order, page and open row. */
export const listPath = (linkScope: LinkScope, resource: ListResource, search?: SearchParams) =>
  deskPath(
    linkScope,
    resourcePath(resource),
    resource === 'requests' ? { ...search, tab: 'requests' } : search,
  )

/** The page of an object. `search.account` is the account of the object. */
export const recordPath = (
  linkScope: LinkScope,
  resource: RecordResource,
  id: string,
  search?: SearchParams,
) => accountPagePath(linkScope, `${resourcePath(resource)}/${encodeURIComponent(id)}`, search)

/**
 * The page of a target (`<resource>/<id>`); null if its resource has no pages. `search.account` is
 * the account of the target.
 */
export function targetPath(
  linkScope: LinkScope,
  target: string | null,
  search?: SearchParams,
): string | null {
  const [word = '', id = ''] = target?.split('/') ?? []
  const resource = recordResources.find((known) => known === word)
  return resource && id !== '' ? recordPath(linkScope, resource, id, search) : null
}

/**
 * The form for a new object of a resource. `search.account` is the account in which the object is
 * created.
 */
export const newRecordPath = (
  linkScope: LinkScope,
  resource: RecordResource,
  search?: SearchParams,
) => accountPagePath(linkScope, `${resourcePath(resource)}/new`, search)

/**
 * The page to connect a bank account of a customer, whose id is `search.customer`. `search.account`
 * is the account of the customer.
 */
export const connectPath = (linkScope: LinkScope, search?: SearchParams) =>
  accountPagePath(linkScope, '/connect', search)

export const homePath = (linkScope: LinkScope, search?: SearchParams) =>
  deskPath(linkScope, '/home', search)

const apiPath = (root: string, path: string, query: string, account: string | null = null) => {
  const queryParts = [query, account ? `account=${encodeURIComponent(account)}` : ''].filter(
    (part) => part !== '',
  )
  return `${root}${path}${queryParts.length > 0 ? `?${queryParts.join('&')}` : ''}`
}

/**
 * Returns the URL of a service operation in our API. `path` and `query` come from `toRequest`.
 * `account` (`acct_…`) is the account scope, which becomes a URL parameter.
 */
export const serviceApiPath = (
  environment: string,
  path: string,
  query: string,
  account?: string | null,
) => apiPath(`/api/${environment}/v1`, path, query, account)

/**
 * Returns the URL of a list or record that is read from the mirror, our stored copy of the data of
 * the service.
 */
export const mirrorApiPath = (
  environment: string,
  path: string,
  query: string,
  account?: string | null,
) => apiPath(`/api/${environment}/mirror`, path, query, account)

/** Returns the URL of one of Paydesk's own operations. */
export const deskApiPath = (
  environment: string,
  path: string,
  query = '',
  account?: string | null,
) => apiPath(`/api/${environment}/desk`, path, query, account)

/** The path of the event stream in the URL, after `/desk`. */
export const eventsPath = '/events'

export const queueCountsPath = '/queue-counts'

/** The edit page of a record. `search.account` is the account of the record. */
export const editPath = (
  linkScope: LinkScope,
  resource: RecordResource,
  id: string,
  search?: SearchParams,
) => accountPagePath(linkScope, `${resourcePath(resource)}/${encodeURIComponent(id)}/edit`, search)

/**
 * The page to request, review and execute the deletion of a customer. `search.account` is the
 * account of the customer.
 */
export const deleteCustomerPath = (linkScope: LinkScope, id: string, search?: SearchParams) =>
  accountPagePath(linkScope, `/customers/${encodeURIComponent(id)}/delete`, search)

export const deletionsPath = (linkScope: LinkScope, search?: SearchParams) =>
  listPath(linkScope, 'deletions', search)

/** The page of a deletion request. After the deletion it shows the certificate. */
export const deletionPath = (linkScope: LinkScope, id: string) =>
  deskPath(linkScope, `/deletions/${encodeURIComponent(id)}`)

/** The activity page. `search` has its filters. */
export const activityPath = (linkScope: LinkScope, search?: SearchParams) =>
  deskPath(linkScope, '/activity', search)

/**
 * The page of approval requests. `search.tab` selects one of its lists, such as the waiting
 * requests.
 */
export const approvalsPath = (linkScope: LinkScope, search?: SearchParams) =>
  deskPath(linkScope, '/approvals', search)

export const approvalPath = (linkScope: LinkScope, id: string) =>
  deskPath(linkScope, `/approvals/${encodeURIComponent(id)}`)

export const policiesPath = (linkScope: LinkScope) => deskPath(linkScope, '/policies')

export const profilePath = (linkScope: LinkScope) => deskPath(linkScope, '/profile')

/** The person's notifications and their settings. */
export const notificationsPath = (linkScope: LinkScope) =>
  deskPath(linkScope, '/profile/notifications')

/** The audit log. `search` has its filters. */
export const auditPath = (linkScope: LinkScope, search?: SearchParams) =>
  deskPath(linkScope, '/audit', search)

export const auditRowPath = (linkScope: LinkScope, seq: number) =>
  deskPath(linkScope, `/audit/${seq}`)

export const peoplePath = (linkScope: LinkScope) => deskPath(linkScope, '/people')

export const personPath = (linkScope: LinkScope, id: string) =>
  deskPath(linkScope, `/people/${encodeURIComponent(id)}`)

export const webhookPath = (linkScope: LinkScope, id: string) =>
  deskPath(linkScope, `/webhooks/${encodeURIComponent(id)}`)

export const settingsPath = (linkScope: LinkScope, search?: SearchParams) =>
  deskPath(linkScope, '/settings', search)

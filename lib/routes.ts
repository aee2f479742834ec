type SearchParams = Record<string, string | number | boolean | readonly string[] | null | undefined>

function appendSearch(path: string, search: SearchParams = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    const paramText = Array.isArray(value)
      ? value.join(',')
      : value === null || value === undefined
        ? ''
        : String(value)
    if (paramText !== '') query.set(name, paramText)
  }
  const queryText = query.toString()
  return queryText === '' ? path : `${path}?${queryText}`
}

/**
 * The environment and account scope (`?account=`) that a link keeps from the current page. A string
 * is only the environment, for links that are to be copied or leave the account scope.
 */
export type LinkScope = string | { readonly environment: string; readonly scope: string | null }

const getEnvironment = (linkScope: LinkScope): string =>
  typeof linkScope === 'string' ? linkScope : linkScope.environment

const getAccountScope = (linkScope: LinkScope): string | null =>
  typeof linkScope === 'string' ? null : linkScope.scope

export const ssoOutcomes = ['entered', 'refused', 'cancelled', 'limited', 'failed'] as const
export type SsoOutcome = (typeof ssoOutcomes)[number]

/** `next` is the path to open after the sign-in. */
export const signInPath = (next?: string, sso?: SsoOutcome) =>
  appendSearch('/sign-in', { next, sso })

/** The token is in the URL's fragment, which browsers do not send. */
export const welcomePath = (token?: string) => (token ? `/welcome#${token}` : '/welcome')

/** Requires no session. The pages to which one-time links lead use this API. */
export const passwordApiPath = '/api/password'

/** The page and its API require no session. */
export const forgotPasswordPath = '/forgot'
export const forgotPasswordApiPath = '/api/password/forgot'

export const isPublicPath = (path: string): boolean =>
  path === signInPath() || path === welcomePath() || path === forgotPasswordPath

/** For load balancers and monitoring. They require no session. */
const probePaths: ReadonlySet<string> = new Set([
  '/api/health',
  '/api/health/live',
  '/api/health/ready',
  '/api/metrics',
])

export const isProbePath = (path: string): boolean => probePaths.has(path)

export const authApiPath = (action: 'csrf' | 'callback/credentials' | 'signin/sso' | 'signout') =>
  `/api/auth/${action}`

export const sessionApiPath = '/api/session'

export const cspReportsPath = '/api/csp-reports'

/** The page in which the document viewer shows PDFs. */
export const documentFramePath = '/api/document-frame'

export const isApiPath = (path: string): boolean => path.startsWith('/api/')

/** `search.account` replaces the account scope. */
export function deskPath(linkScope: LinkScope, path: string, search?: SearchParams): string {
  const account = getAccountScope(linkScope)
  return appendSearch(
    `/${getEnvironment(linkScope)}${path}`,
    account === null ? search : { account, ...search },
  )
}

/**
 * `search.account` is the account of the object; if it is null, the server looks the account up. If
 * it is not the account scope, it becomes the parameter `of`, because the parameter `account` would
 * change the scope.
 */
export function accountPagePath(
  linkScope: LinkScope,
  path: string,
  { account, ...search }: SearchParams = {},
): string {
  const scopeAccount = getAccountScope(linkScope)
  return deskPath(linkScope, path, {
    account: scopeAccount,
    of: account === scopeAccount ? null : account,
    ...search,
  })
}

export const payoutsPath = (linkScope: LinkScope, search?: SearchParams) =>
  listPath(linkScope, 'payouts', search)

export const payoutPath = (linkScope: LinkScope, id: string, search?: SearchParams) =>
  recordPath(linkScope, 'payouts', id, search)

/** A payment has no page of its own: its page is that of its charge or payout. */
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

export const listResources = [
  'payments',
  ...recordResources,
  'deletions',
  'requests',
  'webhooks',
] as const

export type ListResource = (typeof listResources)[number]

/** The request log is a tab of the Activity page. */
const resourcePath = (resource: ListResource) =>
  resource === 'requests' ? '/activity' : `/${resource.replaceAll('_', '-')}`

export const listPath = (linkScope: LinkScope, resource: ListResource, search?: SearchParams) =>
  deskPath(
    linkScope,
    resourcePath(resource),
    resource === 'requests' ? { ...search, tab: 'requests' } : search,
  )

/** `search.account` is the account of the object. */
export const recordPath = (
  linkScope: LinkScope,
  resource: RecordResource,
  id: string,
  search?: SearchParams,
) => accountPagePath(linkScope, `${resourcePath(resource)}/${encodeURIComponent(id)}`, search)

/** `target` is `<resource>/<id>`. Null if its resource has no pages. */
export function targetPath(
  linkScope: LinkScope,
  target: string | null,
  search?: SearchParams,
): string | null {
  const [word = '', id = ''] = target?.split('/') ?? []
  const resource = recordResources.find((known) => known === word)
  return resource && id !== '' ? recordPath(linkScope, resource, id, search) : null
}

/** `search.account` is the account in which the object is created. */
export const newRecordPath = (
  linkScope: LinkScope,
  resource: RecordResource,
  search?: SearchParams,
) => accountPagePath(linkScope, `${resourcePath(resource)}/new`, search)

/** Connects a bank account of the customer `search.customer` in the account `search.account`. */
export const connectBankAccountPath = (linkScope: LinkScope, search?: SearchParams) =>
  accountPagePath(linkScope, '/connect', search)

export const homePath = (linkScope: LinkScope, search?: SearchParams) =>
  deskPath(linkScope, '/home', search)

const buildApiPath = (root: string, path: string, query: string, account: string | null = null) => {
  const queryParts = [query, account ? `account=${encodeURIComponent(account)}` : ''].filter(
    (part) => part !== '',
  )
  return `${root}${path}${queryParts.length > 0 ? `?${queryParts.join('&')}` : ''}`
}

/** `path` and `query` come from `toRequestParts`. */
export const serviceApiPath = (
  environment: string,
  path: string,
  query: string,
  account?: string | null,
) => buildApiPath(`/api/${environment}/v1`, path, query, account)

/** The mirror is our stored copy of the data of the service. */
export const mirrorApiPath = (
  environment: string,
  path: string,
  query: string,
  account?: string | null,
) => buildApiPath(`/api/${environment}/mirror`, path, query, account)

export const deskApiPath = (
  environment: string,
  path: string,
  query = '',
  account?: string | null,
) => buildApiPath(`/api/${environment}/desk`, path, query, account)

/** The path of the event stream after `/desk`. */
export const eventsPath = '/events'

export const queueCountsPath = '/queue-counts'

export const editRecordPath = (
  linkScope: LinkScope,
  resource: RecordResource,
  id: string,
  search?: SearchParams,
) => accountPagePath(linkScope, `${resourcePath(resource)}/${encodeURIComponent(id)}/edit`, search)

export const deleteCustomerPath = (linkScope: LinkScope, id: string, search?: SearchParams) =>
  accountPagePath(linkScope, `/customers/${encodeURIComponent(id)}/delete`, search)

export const deletionsPath = (linkScope: LinkScope, search?: SearchParams) =>
  listPath(linkScope, 'deletions', search)

/** After the deletion, the page shows the certificate. */
export const deletionPath = (linkScope: LinkScope, id: string) =>
  deskPath(linkScope, `/deletions/${encodeURIComponent(id)}`)

export const activityPath = (linkScope: LinkScope, search?: SearchParams) =>
  deskPath(linkScope, '/activity', search)

export const approvalsPath = (linkScope: LinkScope, search?: SearchParams) =>
  deskPath(linkScope, '/approvals', search)

export const approvalPath = (linkScope: LinkScope, id: string) =>
  deskPath(linkScope, `/approvals/${encodeURIComponent(id)}`)

export const policiesPath = (linkScope: LinkScope) => deskPath(linkScope, '/policies')

export const profilePath = (linkScope: LinkScope) => deskPath(linkScope, '/profile')

export const notificationsPath = (linkScope: LinkScope) =>
  deskPath(linkScope, '/profile/notifications')

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

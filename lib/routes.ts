type Search = Record<string, string | number | boolean | readonly string[] | null | undefined>

function withSearch(path: string, search: Search = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    const text = Array.isArray(value) ? value.join(',') : value === null || value === undefined ? '' : String(value)
    if (text !== '') query.set(name, text)
  }
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

/**
 * What a link takes from the current page: the environment, and the account scope (`?account=`), which links keep. If it is only an
 * environment, the link has no scope, for copying it or for leaving the scope.
 */
export type Place = string | { readonly environment: string; readonly scope: string | null }

const environmentOf = (place: Place): string => (typeof place === 'string' ? place : place.environment)

const scopeIn = (place: Place): string | null => (typeof place === 'string' ? null : place.scope)

/** The results of a single sign-on. */
export const ssoOutcomes = ['entered', 'refused', 'cancelled', 'limited', 'failed'] as const
export type SsoOutcome = (typeof ssoOutcomes)[number]

/** The sign-in page. `next` is the path to open after it. */
export const signInPath = (next?: string, sso?: SsoOutcome) => withSearch('/sign-in', { next, sso })

/** The page on which an invited person sets a password. The token is in the URL's fragment, which browsers do not send. */
export const welcomePath = (token?: string) => (token ? `/welcome#${token}` : '/welcome')

/** The API for pages with a one-time link. It requires no session. */
export const passwordApiPath = '/api/password'

/** The page on which a person requests a password link by mail, and its API. Neither requires a session. */
export const forgotPath = '/forgot'
export const forgotApiPath = '/api/password/forgot'

/** True for pages that need no session. */
export const isOpenPath = (path: string): boolean => path === signInPath() || path === welcomePath() || path === forgotPath

/** The endpoints for load balancers and monitoring. They require no session. */
const probePaths: ReadonlySet<string> = new Set(['/api/health', '/api/health/live', '/api/health/ready', '/api/metrics'])

export const isProbePath = (path: string): boolean => probePaths.has(path)

/** A path of the next-auth API. `action` is a name that next-auth defines. */
export const authApiPath = (action: 'csrf' | 'callback/credentials' | 'signin/sso' | 'signout') => `/api/auth/${action}`

/** The API that returns if the browser has a session. */
export const sessionApiPath = '/api/session'

/** Receives the browsers' content security policy reports. */
export const cspReportsPath = '/api/csp-reports'

/** True for an API path. All other paths are pages or files. */
export const isApiPath = (path: string): boolean => path.startsWith('/api/')

/** Returns the URL of a page of an environment. `account` in `search` replaces the scope of the place. */
export function deskPath(place: Place, path: string, search?: Search): string {
  const account = scopeIn(place)
  return withSearch(`/${environmentOf(place)}${path}`, account === null ? search : { account, ...search })
}

/**
 * Returns the URL of a page about one object, or of a form for one account. `account` in `search` is the account of the object; if it is
 * null, the server looks it up. If it differs from the scope, it is in the parameter `of`, so that the link does not change the scope.
 */
export function ownPath(place: Place, path: string, { account, ...search }: Search = {}): string {
  const scope = scopeIn(place)
  return deskPath(place, path, { account: scope, of: account === scope ? null : account, ...search })
}

/** The list of payouts. `search` has filters, sort order, page and open row. */
export const payoutsPath = (place: Place, search?: Search) => listPath(place, 'payouts', search)

/** The page of a payout. `account` is its account. */
export const payoutPath = (place: Place, id: string, search?: Search) => recordPath(place, 'payouts', id, search)

/** The resources whose objects have their own page. A payment has the page of its charge or payout. */
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

/** The lists that have a page: records, the payment search, and Paydesk's deletion requests, request log and webhooks. */
export const listResources = ['payments', ...recordResources, 'deletions', 'requests', 'webhooks'] as const

export type ListResource = (typeof listResources)[number]

/** Returns the path of a list: `/linked-bank-accounts` for `linked_bank_accounts`. The request log is a tab of Activity. */
const resourcePath = (resource: ListResource) => (resource === 'requests' ? '/activity' : `/${resource.replaceAll('_', '-')}`)

/** The list page of a resource. `search` has filters, sort order, page and open row. */
export const listPath = (place: Place, resource: ListResource, search?: Search) =>
  deskPath(place, resourcePath(resource), resource === 'requests' ? { ...search, tab: 'requests' } : search)

/** The page of an object. `account` is its account. */
export const recordPath = (place: Place, resource: RecordResource, id: string, search?: Search) =>
  ownPath(place, `${resourcePath(resource)}/${encodeURIComponent(id)}`, search)

/** The page of a target (`<resource>/<id>`); null if its resource has no pages. `account` is its account. */
export function targetPath(place: Place, target: string | null, search?: Search): string | null {
  const [word = '', id = ''] = target?.split('/') ?? []
  const resource = recordResources.find((known) => known === word)
  return resource && id !== '' ? recordPath(place, resource, id, search) : null
}

/** The form for a new object of a resource. `account` is the account in which it is created. */
export const newPath = (place: Place, resource: RecordResource, search?: Search) => ownPath(place, `${resourcePath(resource)}/new`, search)

/** The page to connect a bank account for a customer (`customer`, an id), which creates a paykey. `account` is the customer's. */
export const connectPath = (place: Place, search?: Search) => ownPath(place, '/connect', search)

export const homePath = (place: Place, search?: Search) => deskPath(place, '/home', search)

const apiPath = (root: string, path: string, query: string, account: string | null = null) => {
  const queryParts = [query, account ? `account=${encodeURIComponent(account)}` : ''].filter((part) => part !== '')
  return `${root}${path}${queryParts.length > 0 ? `?${queryParts.join('&')}` : ''}`
}

/** Returns the URL of a service operation in our API. `path` and `query` come from `toRequest`. The account scope is a URL parameter. */
export const serviceApiPath = (environment: string, path: string, query: string, account?: string | null) =>
  apiPath(`/api/${environment}/v1`, path, query, account)

/** Returns the URL of a list or record that is read from the mirror. */
export const mirrorApiPath = (environment: string, path: string, query: string, account?: string | null) =>
  apiPath(`/api/${environment}/mirror`, path, query, account)

/** Returns the URL of one of Paydesk's own operations. */
export const deskApiPath = (environment: string, path: string, query = '', account?: string | null) =>
  apiPath(`/api/${environment}/desk`, path, query, account)

/** The path of the event stream, after `/desk`. */
export const eventsPath = '/events'

export const queueCountsPath = '/queue-counts'

/** The edit page of a record. `account` is its account. */
export const editPath = (place: Place, resource: RecordResource, id: string, search?: Search) =>
  ownPath(place, `${resourcePath(resource)}/${encodeURIComponent(id)}/edit`, search)

/** The page to request, review and execute a customer's deletion. `account` is the customer's. */
export const deleteCustomerPath = (place: Place, id: string, search?: Search) =>
  ownPath(place, `/customers/${encodeURIComponent(id)}/delete`, search)

export const deletionsPath = (place: Place, search?: Search) => listPath(place, 'deletions', search)

/** The page of a deletion request. After the deletion it shows the certificate. */
export const deletionPath = (place: Place, id: string) => deskPath(place, `/deletions/${encodeURIComponent(id)}`)

/** The activity page. `search` has its filters. */
export const activityPath = (place: Place, search?: Search) => deskPath(place, '/activity', search)

/** The list of approval requests. `tab` selects a list. */
export const approvalsPath = (place: Place, search?: Search) => deskPath(place, '/approvals', search)

export const approvalPath = (place: Place, id: string) => deskPath(place, `/approvals/${encodeURIComponent(id)}`)

export const policiesPath = (place: Place) => deskPath(place, '/policies')

export const profilePath = (place: Place) => deskPath(place, '/profile')

/** The person's notifications and their settings. */
export const notificationsPath = (place: Place) => deskPath(place, '/profile/notifications')

/** The audit log. `search` has its filters. */
export const auditPath = (place: Place, search?: Search) => deskPath(place, '/audit', search)

export const auditRowPath = (place: Place, seq: number) => deskPath(place, `/audit/${seq}`)

export const peoplePath = (place: Place) => deskPath(place, '/people')

export const personPath = (place: Place, id: string) => deskPath(place, `/people/${encodeURIComponent(id)}`)

export const webhookPath = (place: Place, id: string) => deskPath(place, `/webhooks/${encodeURIComponent(id)}`)

export const settingsPath = (place: Place, search?: Search) => deskPath(place, '/settings', search)

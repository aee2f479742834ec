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
 * The origin of a link: the environment, and the account scope (`?account=`), which links keep. A plain environment makes a link without a
 * scope, for copying or for leaving the scope.
 */
export type Place = string | { readonly environment: string; readonly scope: string | null }

const environmentOf = (place: Place): string => (typeof place === 'string' ? place : place.environment)

const scopeIn = (place: Place): string | null => (typeof place === 'string' ? null : place.scope)

/** Results of a single sign-on attempt. */
export const ssoOutcomes = ['entered', 'refused', 'cancelled', 'limited', 'failed'] as const
export type SsoOutcome = (typeof ssoOutcomes)[number]

/** The sign-in page. `next` is the path to open afterwards. */
export const signInPath = (next?: string, sso?: SsoOutcome) => withSearch('/sign-in', { next, sso })

/** The page where an invited person sets a password. The token is in the fragment, which browsers do not send. */
export const welcomePath = (token?: string) => (token ? `/welcome#${token}` : '/welcome')

/** The API of the one-time link page, without a session. */
export const passwordApiPath = '/api/password'

/** The page to request a password link by mail, and its API. Both work without a session. */
export const forgotPath = '/forgot'
export const forgotApiPath = '/api/password/forgot'

/** True for pages that need no session. */
export const isOpenPath = (path: string): boolean => path === signInPath() || path === welcomePath() || path === forgotPath

/** Endpoints for load balancers and monitors, without a session. */
const probePaths: ReadonlySet<string> = new Set(['/api/health', '/api/health/live', '/api/health/ready', '/api/metrics'])

export const isProbePath = (path: string): boolean => probePaths.has(path)

/** The next-auth API. `action` is next-auth's name. */
export const authApiPath = (action: 'csrf' | 'callback/credentials' | 'signin/sso' | 'signout') => `/api/auth/${action}`

/** The API that returns the browser's session state. */
export const sessionApiPath = '/api/session'

/** Receives the browsers' content security policy reports. */
export const cspReportsPath = '/api/csp-reports'

/** True for an API path. All other paths are pages or files. */
export const isApiPath = (path: string): boolean => path.startsWith('/api/')

/** A page of an environment. `account` in `search` overrides the scope of the place. */
export function deskPath(place: Place, path: string, search?: Search): string {
  const account = scopeIn(place)
  return withSearch(`/${environmentOf(place)}${path}`, account === null ? search : { account, ...search })
}

/**
 * A page about one object, or a form about one account. `account` in `search` is the object's account. If it differs from the scope it goes
 * into `of`, so that following the link does not change the scope. If it is null, the server looks it up.
 */
export function ownPath(place: Place, path: string, { account, ...search }: Search = {}): string {
  const scope = scopeIn(place)
  return deskPath(place, path, { account: scope, of: account === scope ? null : account, ...search })
}

/** The payout list. `search` has filters, sort, page and open row. */
export const payoutsPath = (place: Place, search?: Search) => listPath(place, 'payouts', search)

/** The page of a payout. `account` is its account. */
export const payoutPath = (place: Place, id: string, search?: Search) => recordPath(place, 'payouts', id, search)

/** Resources with a page per object. A payment opens as its charge or payout. */
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

/** Lists with a page: records, the payment search, and Paydesk's deletion requests, request log and webhooks. */
export const listResources = ['payments', ...recordResources, 'deletions', 'requests', 'webhooks'] as const

export type ListResource = (typeof listResources)[number]

/** The path of a list: `linked_bank_accounts` is `/linked-bank-accounts`. The request log is a tab of Activity. */
const resourcePath = (resource: ListResource) => (resource === 'requests' ? '/activity' : `/${resource.replaceAll('_', '-')}`)

/** The list page of a resource. `search` has filters, sort, page and open row. */
export const listPath = (place: Place, resource: ListResource, search?: Search) =>
  deskPath(place, resourcePath(resource), resource === 'requests' ? { ...search, tab: 'requests' } : search)

/** The page of an object. `account` is its account. */
export const recordPath = (place: Place, resource: RecordResource, id: string, search?: Search) =>
  ownPath(place, `${resourcePath(resource)}/${encodeURIComponent(id)}`, search)

/** The page of a target (`<resource>/<id>`), or null if its kind has no page. `account` is its account. */
export function targetPath(place: Place, target: string | null, search?: Search): string | null {
  const [word = '', id = ''] = target?.split('/') ?? []
  const resource = recordResources.find((known) => known === word)
  return resource && id !== '' ? recordPath(place, resource, id, search) : null
}

/** The form for a new object of a resource. `account` is the account to create it in. */
export const newPath = (place: Place, resource: RecordResource, search?: Search) => ownPath(place, `${resourcePath(resource)}/new`, search)

/** The page to connect a bank account for a customer (`customer`, an id), which creates a paykey. `account` is the customer's. */
export const connectPath = (place: Place, search?: Search) => ownPath(place, '/connect', search)

export const homePath = (place: Place, search?: Search) => deskPath(place, '/home', search)

const apiPath = (root: string, path: string, query: string, account: string | null = null) => {
  const queryParts = [query, account ? `account=${encodeURIComponent(account)}` : ''].filter((part) => part !== '')
  return `${root}${path}${queryParts.length > 0 ? `?${queryParts.join('&')}` : ''}`
}

/** Our proxy's URL of a service operation. `path` and `query` come from `toRequest`; the account scope is a search parameter. */
export const serviceApiPath = (environment: string, path: string, query: string, account?: string | null) =>
  apiPath(`/api/${environment}/v1`, path, query, account)

/** The URL of a list read from the mirror. */
export const mirrorApiPath = (environment: string, path: string, query: string, account?: string | null) =>
  apiPath(`/api/${environment}/mirror`, path, query, account)

/** The URL of one of Paydesk's own operations. */
export const deskApiPath = (environment: string, path: string, query = '', account?: string | null) =>
  apiPath(`/api/${environment}/desk`, path, query, account)

/** The event stream, below `/desk`. */
export const eventsPath = '/events'

export const queueCountsPath = '/queue-counts'

/** The edit page of a record. `account` is its account. */
export const editPath = (place: Place, resource: RecordResource, id: string, search?: Search) =>
  ownPath(place, `${resourcePath(resource)}/${encodeURIComponent(id)}/edit`, search)

/** The page to request, review and execute a customer's deletion. `account` is the customer's. */
export const deleteCustomerPath = (place: Place, id: string, search?: Search) =>
  ownPath(place, `/customers/${encodeURIComponent(id)}/delete`, search)

export const deletionsPath = (place: Place, search?: Search) => listPath(place, 'deletions', search)

/** The page of a deletion request, with its certificate after execution. */
export const deletionPath = (place: Place, id: string) => deskPath(place, `/deletions/${encodeURIComponent(id)}`)

/** The activity page. `search` has its filters. */
export const activityPath = (place: Place, search?: Search) => deskPath(place, '/activity', search)

/** The list of approval requests. `tab` selects a list. */
export const approvalsPath = (place: Place, search?: Search) => deskPath(place, '/approvals', search)

export const approvalPath = (place: Place, id: string) => deskPath(place, `/approvals/${encodeURIComponent(id)}`)

export const policiesPath = (place: Place) => deskPath(place, '/policies')

/** The person's own profile. */
export const profilePath = (place: Place) => deskPath(place, '/profile')

/** The person's notifications and their settings. */
export const notificationsPath = (place: Place) => deskPath(place, '/profile/notifications')

/** The audit log. `search` has its filters. */
export const auditPath = (place: Place, search?: Search) => deskPath(place, '/audit', search)

export const auditRowPath = (place: Place, seq: number) => deskPath(place, `/audit/${seq}`)

/** People and their roles. */
export const peoplePath = (place: Place) => deskPath(place, '/people')

export const personPath = (place: Place, id: string) => deskPath(place, `/people/${encodeURIComponent(id)}`)

export const webhookPath = (place: Place, id: string) => deskPath(place, `/webhooks/${encodeURIComponent(id)}`)

export const settingsPath = (place: Place, search?: Search) => deskPath(place, '/settings', search)

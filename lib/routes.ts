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
 * Where a link leads from: the environment, and the account the person works in (`?account=`), which every link of the desk keeps. An environment alone is
 * a link that names no scope: one that is copied for somebody else, or leads out of the scope and says so.
 */
export type Place = string | { readonly environment: string; readonly scope: string | null }

const environmentOf = (place: Place): string => (typeof place === 'string' ? place : place.environment)

const scopeIn = (place: Place): string | null => (typeof place === 'string' ? null : place.scope)

/** What became of somebody who came back from the identity provider. */
export const ssoOutcomes = ['entered', 'refused', 'cancelled', 'limited', 'failed'] as const
export type SsoOutcome = (typeof ssoOutcomes)[number]

/** The sign-in page; `next` is the path to go to afterwards. */
export const signInPath = (next?: string, sso?: SsoOutcome) => withSearch('/sign-in', { next, sso })

/** Where somebody who was invited sets a password; the token is in the fragment, which browsers send to nobody. */
export const welcomePath = (token?: string) => (token ? `/welcome#${token}` : '/welcome')

/** What the page behind a one-time link asks, without a session. */
export const passwordApiPath = '/api/password'

/** Where somebody without a session asks for such a link by mail: the page, and what it asks. */
export const forgotPath = '/forgot'
export const forgotApiPath = '/api/password/forgot'

/** Pages that nobody has to be signed in for. */
export const isOpenPath = (path: string): boolean => path === signInPath() || path === welcomePath() || path === forgotPath

/** What load balancers and monitors ask of this process, without a session. */
const probePaths: ReadonlySet<string> = new Set(['/api/health', '/api/health/live', '/api/health/ready', '/api/metrics'])

export const isProbePath = (path: string): boolean => probePaths.has(path)

/** What signing in and out asks for; `action` as next-auth names it. */
export const authApiPath = (action: 'csrf' | 'callback/credentials' | 'signin/sso' | 'signout') => `/api/auth/${action}`

/** Whether the browser is signed in. */
export const sessionApiPath = '/api/session'

/** Where browsers report what the content security policy refused. */
export const cspReportsPath = '/api/csp-reports'

/** Whether a path is one of our API; every other one is a page or a file. */
export const isApiPath = (path: string): boolean => path.startsWith('/api/')

/** Any page of an environment by its own path. `account` in `search` is the scope it is opened in, where that is not the one of the place. */
export function deskPath(place: Place, path: string, search?: Search): string {
  const account = scopeIn(place)
  return withSearch(`/${environmentOf(place)}${path}`, account === null ? search : { account, ...search })
}

/**
 * A page about one object, or a form about one account. `account` in `search` is the account it belongs to: a context of its own, which is in `of` where
 * it is not the scope, so that following the link never narrows the desk. Null where it is not known; the server then looks it up.
 */
export function ownPath(place: Place, path: string, { account, ...search }: Search = {}): string {
  const scope = scopeIn(place)
  return deskPath(place, path, { account: scope, of: account === scope ? null : account, ...search })
}

/** The list of payouts of an environment; `search` holds filters, sort, page and open row. */
export const payoutsPath = (place: Place, search?: Search) => listPath(place, 'payouts', search)

/** One payout; `account` is the one it belongs to. */
export const payoutPath = (place: Place, id: string, search?: Search) => recordPath(place, 'payouts', id, search)

/** Resources with a page for each of their objects; a payment is opened as the charge or the payout it is. */
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

/** One of the resources with a page for each of their objects. */
export type RecordResource = (typeof recordResources)[number]

/**
 * Lists with a page: those of records, the search of all payments, and three of Paydesk's own: requests to delete a customer, calls of the request log,
 * webhooks.
 */
export const listResources = ['payments', ...recordResources, 'deletions', 'requests', 'webhooks'] as const

/** One of the lists with a page. */
export type ListResource = (typeof listResources)[number]

/** A resource as the path of its list: `linked_bank_accounts` is `/linked-bank-accounts`. The request log is a part of Activity. */
const resourcePath = (resource: ListResource) => (resource === 'requests' ? '/activity' : `/${resource.replaceAll('_', '-')}`)

/** The list of a resource; `search` holds filters, sort, page and open row. */
export const listPath = (place: Place, resource: ListResource, search?: Search) =>
  deskPath(place, resourcePath(resource), resource === 'requests' ? { ...search, tab: 'requests' } : search)

/** One object of a resource; `account` is the one it belongs to. */
export const recordPath = (place: Place, resource: RecordResource, id: string, search?: Search) =>
  ownPath(place, `${resourcePath(resource)}/${encodeURIComponent(id)}`, search)

/** The page of a target (`<resource>/<id>`), or null where its kind has none; `account` is the one it belongs to. */
export function targetPath(place: Place, target: string | null, search?: Search): string | null {
  const [word = '', id = ''] = target?.split('/') ?? []
  const resource = recordResources.find((known) => known === word)
  return resource && id !== '' ? recordPath(place, resource, id, search) : null
}

/** The form that makes a new object of a resource; `account` is the one it is made for. */
export const newPath = (place: Place, resource: RecordResource, search?: Search) => ownPath(place, `${resourcePath(resource)}/new`, search)

/** Where a bank account is connected for a customer (`customer`, an id), which makes a paykey; `account` is the customer's. */
export const connectPath = (place: Place, search?: Search) => ownPath(place, '/connect', search)

/** The first page of an environment. */
export const homePath = (place: Place, search?: Search) => deskPath(place, '/home', search)

const apiPath = (root: string, path: string, query: string, account: string | null = null) => {
  const parts = [query, account ? `account=${encodeURIComponent(account)}` : ''].filter((part) => part !== '')
  return `${root}${path}${parts.length > 0 ? `?${parts.join('&')}` : ''}`
}

/** Our proxy's address of an operation: `path` and `query` as `toRequest` laid them out; the account scope is a search parameter. */
export const serviceApiPath = (environment: string, path: string, query: string, account?: string | null) =>
  apiPath(`/api/${environment}/v1`, path, query, account)

/** The address of a list as the mirror has it. */
export const mirrorApiPath = (environment: string, path: string, query: string, account?: string | null) =>
  apiPath(`/api/${environment}/mirror`, path, query, account)

/** The same for one of Paydesk's own operations. */
export const deskApiPath = (environment: string, path: string, query = '', account?: string | null) =>
  apiPath(`/api/${environment}/desk`, path, query, account)

/** Where changes are followed, below `/desk`. */
export const eventsPath = '/events'

/** Where the queues are counted, below `/desk`. */
export const queueCountsPath = '/queue-counts'

/** The page that changes a record; `account` is the one it belongs to. */
export const editPath = (place: Place, resource: RecordResource, id: string, search?: Search) =>
  ownPath(place, `${resourcePath(resource)}/${encodeURIComponent(id)}/edit`, search)

/** Where a customer's deletion is asked for, looked over and carried out; `account` is the customer's. */
export const deleteCustomerPath = (place: Place, id: string, search?: Search) =>
  ownPath(place, `/customers/${encodeURIComponent(id)}/delete`, search)

export const deletionsPath = (place: Place, search?: Search) => listPath(place, 'deletions', search)

/** One request to delete a customer, with its certificate once it was carried out. */
export const deletionPath = (place: Place, id: string) => deskPath(place, `/deletions/${encodeURIComponent(id)}`)

/** The page of the request log; `search` holds its filters. */
export const activityPath = (place: Place, search?: Search) => deskPath(place, '/activity', search)

/** Requests for a second person; `tab` is one of its lists. */
export const approvalsPath = (place: Place, search?: Search) => deskPath(place, '/approvals', search)

/** One request for a second person. */
export const approvalPath = (place: Place, id: string) => deskPath(place, `/approvals/${encodeURIComponent(id)}`)

export const policiesPath = (place: Place) => deskPath(place, '/policies')

/** What everybody sees of themselves. */
export const profilePath = (place: Place) => deskPath(place, '/profile')

/** What the reader is told of, and what they chose to be. */
export const notificationsPath = (place: Place) => deskPath(place, '/profile/notifications')

/** The record of what was done and refused; `search` holds its filters. */
export const auditPath = (place: Place, search?: Search) => deskPath(place, '/audit', search)

/** One row of it. */
export const auditRowPath = (place: Place, seq: number) => deskPath(place, `/audit/${seq}`)

/** Who may sign in, and what each may do. */
export const peoplePath = (place: Place) => deskPath(place, '/people')

export const personPath = (place: Place, id: string) => deskPath(place, `/people/${encodeURIComponent(id)}`)

/** One webhook, with what is kept of what it said. */
export const webhookPath = (place: Place, id: string) => deskPath(place, `/webhooks/${encodeURIComponent(id)}`)

export const settingsPath = (place: Place, search?: Search) => deskPath(place, '/settings', search)

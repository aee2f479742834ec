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

/** The sign-in page; `next` is the path to go to afterwards. */
export const signInPath = (next?: string) => withSearch('/sign-in', { next })

/** What load balancers ask whether this process answers. */
export const healthApiPath = '/api/health'

/** What signing in and out asks for; `action` as next-auth names it. */
export const authApiPath = (action: 'csrf' | 'callback/credentials' | 'signout') => `/api/auth/${action}`

/** Whether a path is one of our API; every other one is a page or a file. */
export const isApiPath = (path: string): boolean => path.startsWith('/api/')

/** The list of payouts of an environment; `search` holds filters, sort, page, open row and account scope. */
export const payoutsPath = (environment: string, search?: Search) => withSearch(`/${environment}/payouts`, search)

/** One payout; `account` keeps the scope. */
export const payoutPath = (environment: string, id: string, search?: Search) =>
  withSearch(`/${environment}/payouts/${encodeURIComponent(id)}`, search)

/** Any page of an environment by its own path, for links that keep the scope. */
export const deskPath = (environment: string, path: string, search?: Search) => withSearch(`/${environment}${path}`, search)

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

/** A resource as the path of its list: `linked_bank_accounts` is `/linked-bank-accounts`. */
const resourcePath = (resource: RecordResource | 'payments') => `/${resource.replaceAll('_', '-')}`

/** The list of a resource; `search` holds filters, sort, page, open row and account scope. */
export const listPath = (environment: string, resource: RecordResource | 'payments', search?: Search) =>
  deskPath(environment, resourcePath(resource), search)

/** One object of a resource; `search` keeps the account scope, and the list's view where Back should find it again. */
export const recordPath = (environment: string, resource: RecordResource, id: string, search?: Search) =>
  deskPath(environment, `${resourcePath(resource)}/${encodeURIComponent(id)}`, search)

/** The page of a target (`<resource>/<id>`), or null where its kind has none. */
export function targetPath(environment: string, target: string | null, search?: Search): string | null {
  const [word = '', id = ''] = target?.split('/') ?? []
  const resource = recordResources.find((known) => known === word)
  return resource && id !== '' ? recordPath(environment, resource, id, search) : null
}

/** The form that makes a new object of a resource. */
export const newPath = (environment: string, resource: RecordResource, search?: Search) =>
  deskPath(environment, `${resourcePath(resource)}/new`, search)

/** Where a bank account is connected for a customer (`customer`, an id), which makes a paykey; `account` keeps the scope. */
export const connectPath = (environment: string, search?: Search) => deskPath(environment, '/connect', search)

/** The first page of an environment. */
export const homePath = (environment: string, search?: Search) => deskPath(environment, '/home', search)

/** Our proxy's address of an operation: `path` and `query` as `toRequest` laid them out; the account scope is a search parameter. */
export const serviceApiPath = (environment: string, path: string, query: string, account?: string | null) => {
  const parts = [query, account ? `account=${encodeURIComponent(account)}` : ''].filter((part) => part !== '')
  return `/api/${environment}/v1${path}${parts.length > 0 ? `?${parts.join('&')}` : ''}`
}

/** The actions on one object, newest first. */
export const actionsApiPath = (environment: string, target: string) => withSearch('/api/actions', { environment, target })

/** The reader's own actions of an operation that makes something, whose outcome is still open; `account` where the operation is for one. */
export const makingsApiPath = (environment: string, operation: string, account: string | null) =>
  withSearch('/api/actions', { environment, operation, account })

/** One action: GET its state, POST asks for another check (a replay of the same bytes under the same key). */
export const actionApiPath = (id: string) => `/api/actions/${encodeURIComponent(id)}`

/** POST: a person's word on what became of an action. */
export const decisionApiPath = (id: string) => `${actionApiPath(id)}/decision`

/** Which account an object belongs to: GET looks in the accounts the person may see, and the desk remembers what it finds. */
export const accountOfApiPath = (environment: string, resource: string, id: string) =>
  withSearch(`/api/${environment}/account-of`, { resource, id })

/** What the desk itself finds for a text, which travels in the `Find-Text` header: it may be an e-mail, and nothing personal stands in a URL. */
export const findApiPath = (environment: string, account?: string | null) => withSearch(`/api/${environment}/find`, { account })

/** The page that changes a record. */
export const editPath = (environment: string, resource: RecordResource, id: string, search?: Search) =>
  deskPath(environment, `${resourcePath(resource)}/${encodeURIComponent(id)}/edit`, search)

/** Where a customer's deletion is asked for, looked over and carried out. */
export const deleteCustomerPath = (environment: string, id: string, search?: Search) =>
  deskPath(environment, `/customers/${encodeURIComponent(id)}/delete`, search)

/** Requests to delete a customer. */
export const deletionsPath = (environment: string, search?: Search) => deskPath(environment, '/deletions', search)

/** One request to delete a customer, with its certificate once it was carried out. */
export const deletionPath = (environment: string, id: string) => deskPath(environment, `/deletions/${encodeURIComponent(id)}`)

/** Requests to delete a customer: GET lists those of one customer, POST makes one. */
export const deletionsApiPath = (search?: Search) => withSearch('/api/deletions', search)

/** What can be asked about one request: its certificate as a file, or that it be withdrawn. */
export const deletionApiPath = (id: string, what: 'certificate' | 'withdraw') => `/api/deletions/${encodeURIComponent(id)}/${what}`

/** The requests for other limits of one account as the desk tracks them; `use` is what it has used of its limits this day and month. */
export const limitRequestsApiPath = (environment: string, account: string, what?: 'use') =>
  withSearch(`/api/${environment}/limit-requests${what ? `/${what}` : ''}`, { account })

/** The saved views of an environment, or one of them. */
export const viewsApiPath = (environment: string, id?: string) => `/api/${environment}/views${id ? `/${encodeURIComponent(id)}` : ''}`

/** All payments that match a search as CSV; `search` holds the filters, `account` and `zone`. */
export const exportApiPath = (environment: string, search: Search) => withSearch(`/api/${environment}/exports`, search)

/** The page of the request log; `search` holds its filters. */
export const activityPath = (environment: string, search?: Search) => deskPath(environment, '/activity', search)

/** The newest calls of the request log that match; `search` holds the filters of its page, `after` and `page_size`. */
export const requestsApiPath = (environment: string, search?: Search) => withSearch(`/api/${environment}/requests`, search)

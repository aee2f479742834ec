import fc from 'fast-check'

/**
 * The random values of a request: the id of an object of any account, an account (null: none), and
 * a search word.
 */
type RequestValues = { id: string; account: string | null; word: string }

const addAccountParam = (path: string, { account }: RequestValues) =>
  account ? `${path}${path.includes('?') ? '&' : '?'}account=acct_${account}` : path

const accountScopedLists = [
  'payouts',
  'charges',
  'payments',
  'customers',
  'paykeys',
  'accounts',
  'funding_events',
  'representatives',
  'linked_bank_accounts',
]
const exportedLists = ['payouts', 'payments', 'customers', 'paykeys', 'accounts']
const recordResources = [
  'payouts',
  'charges',
  'customers',
  'paykeys',
  'funding_events',
  'representatives',
  'linked_bank_accounts',
]
const pageNames = [
  'home',
  'payouts',
  'customers',
  'paykeys',
  'approvals',
  'activity',
  'deletions',
  'limits',
  'accounts',
  'audit',
]

/**
 * Names of the URLs that return log rows. A row repeats an id that another person requested, which
 * is no leak.
 */
export const urlNamesShowingLogs = ['request log', 'page activity', 'page audit', 'audit']

/**
 * Every URL that could show data of an account, by name: a function that builds its path from
 * random values.
 */
export const urlBuilders: Readonly<Record<string, (draw: RequestValues) => string>> = {
  ...Object.fromEntries(
    accountScopedLists.flatMap((list) => [
      [
        `list ${list}`,
        (draw: RequestValues) => addAccountParam(`/api/sandbox/v1/${list}?page_size=1000`, draw),
      ],
      [
        `search ${list}`,
        (draw: RequestValues) =>
          addAccountParam(`/api/sandbox/v1/${list}?search_text=${draw.word}`, draw),
      ],
    ]),
  ),
  ...Object.fromEntries(
    recordResources.flatMap((of) => [
      [
        `read ${of}`,
        (draw: RequestValues) => addAccountParam(`/api/sandbox/v1/${of}/${draw.id}`, draw),
      ],
      [
        `kept ${of}`,
        (draw: RequestValues) => addAccountParam(`/api/sandbox/mirror/${of}/${draw.id}`, draw),
      ],
      [
        `actions on ${of}`,
        (draw: RequestValues) =>
          addAccountParam(`/api/sandbox/desk/actions?target=${of}/${draw.id}`, draw),
      ],
      [`notes on ${of}`, ({ id }: RequestValues) => `/api/sandbox/desk/notes/${of}/${id}`],
      [`claims of ${of}`, () => `/api/sandbox/desk/claims/${of}`],
    ]),
  ),
  ...Object.fromEntries(
    exportedLists.map((list) => [
      `export ${list}`,
      (draw: RequestValues) => addAccountParam(`/api/sandbox/desk/exports/${list}`, draw),
    ]),
  ),
  ...Object.fromEntries(
    pageNames.map((page) => [
      `page ${page}`,
      (draw: RequestValues) => addAccountParam(`/sandbox/${page}`, draw),
    ]),
  ),
  'page of a payout': (draw) => addAccountParam(`/sandbox/payouts/${draw.id}`, draw),
  'page of a request': ({ id }) => `/sandbox/approvals/${id}`,
  'an action': ({ id }) => `/api/sandbox/desk/actions/${id}`,
  approvals: (draw) => addAccountParam('/api/sandbox/desk/approvals', draw),
  'an approval': ({ id }) => `/api/sandbox/desk/approvals/${id}`,
  deletions: (draw) => addAccountParam('/api/sandbox/desk/deletions', draw),
  'limit requests': (draw) => addAccountParam('/api/sandbox/desk/limit-requests', draw),
  counts: (draw) => addAccountParam('/api/sandbox/desk/queue-counts', draw),
  find: (draw) => addAccountParam('/api/sandbox/desk/find', draw),
  'request log': () => '/api/sandbox/desk/requests?page_size=50',
  audit: (draw) => addAccountParam('/api/sandbox/desk/audit', draw),
  'account choices': () => '/api/sandbox/desk/account-choices',
  evidence: ({ id }) => `/api/sandbox/desk/evidence/payouts/${id}`,
}

/**
 * Names of the URLs that must return data at least once in a run. Empty responses would prove
 * nothing.
 */
export const urlNamesRequiringData = [
  'list payments',
  'search customers',
  'export payments',
  'page payouts',
  'page home',
  'approvals',
  'account choices',
]

/** The response of a record repeats the requested id, so its status tells if it was shown. */
export const listShownIds = (urlName: string, id: string, { ok }: Response): string[] =>
  ok && /^(read|kept) /.test(urlName) ? [id] : []

/** For a URL of a mirrored resource, an id of this resource. Otherwise of any table, also small ones. */
export function pickId(
  urlName: string,
  idsByTable: ReadonlyMap<string, readonly string[]>,
): fc.Arbitrary<string> {
  const ownIds = idsByTable.get(`mirror_${urlName.split(' ').at(-1)}`) ?? []
  const tables = [...idsByTable.values()].filter((ids) => ids.length > 0)
  return fc
    .constantFrom(...(ownIds.length > 0 ? [ownIds] : tables))
    .chain((ids) => fc.constantFrom(...ids))
}

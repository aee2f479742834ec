/** URL parameters that a view does not store: the account, and the position in the list. */
export const excludedParams = ['account', 'page', 'open', 'older', 'newer'] as const

/** A named view of a list as a screen shows it. `search` is the query of its URL without scope, page and open row. */
export type SavedView = {
  id: string
  list: string
  name: string
  search: string
  shared: boolean
  /** A shared view is for people who see all these accounts (`acct_…`); null means people who see the whole platform. */
  accounts: string[] | null
  owner: string
  /** True if the reader created it. */
  own: boolean
  mayChange: boolean
}

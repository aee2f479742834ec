/** What a view leaves to whoever opens it: the account, and where in the list they are. */
export const notInViews = ['account', 'page', 'open', 'older', 'newer'] as const

/** A named view of a list as a screen shows it. `search` is the search of its URL without scope, page and open row. */
export type SavedView = {
  id: string
  list: string
  name: string
  search: string
  shared: boolean
  /** A shared view is seen by who sees all these accounts (`acct_…`); with null, by who sees the whole platform. */
  accounts: string[] | null
  owner: string
  /** Whether the reader made it. */
  own: boolean
  /** Whether the reader may change or remove it. */
  mayChange: boolean
}

/**
 * URL parameters that are not saved with a view: the account, the page, the open row, and the
 * cursors `older` and `newer`.
 */
export const unsavedUrlParams = ['account', 'page', 'open', 'older', 'newer'] as const

/**
 * A saved view of a list, as screens show it. `search` is the query of its URL without account,
 * page and open row.
 */
export type SavedView = {
  id: string
  list: string
  name: string
  search: string
  shared: boolean
  /**
   * Only people who can see all these accounts (`acct_…`) see the shared view. Null: only people
   * who can see the whole platform.
   */
  accounts: string[] | null
  owner: string
  /** True if the signed-in person created the view. */
  own: boolean
  mayChange: boolean
}

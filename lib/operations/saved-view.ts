export const unsavedUrlParams = ['account', 'page', 'open', 'older', 'newer'] as const

export type SavedView = {
  id: string
  list: string
  name: string
  search: string
  shared: boolean
  /** Only people who can see all these accounts see the view. Null: the whole platform. */
  accounts: string[] | null
  owner: string
  own: boolean
  mayChange: boolean
}

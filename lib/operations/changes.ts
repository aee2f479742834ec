import type { DeskResource, Resource } from './define'

/**
 * Changed rows in the mirror (charges and payouts as `payments`) or in Paydesk's own tables.
 * - `resource`: null if anything may have changed.
 * - `account`: the id without `acct_`; null for the platform, or if it is unknown.
 * - `ids`: null if there are too many. For a changed action, the id of its object is included.
 * - `shown_by`: the request whose response contained the change first, so that its page already
 *   shows it; null if there was none or several.
 * - `ago`: milliseconds since the change became known. Reads that started later already contain it.
 */
export type ChangedRows = {
  resource: Resource | DeskResource | null
  account: string | null
  ids: readonly string[] | null
  shown_by: string | null
  ago: number
}

/** Pages that missed changes must refetch everything. */
export const everythingChanged: ChangedRows = {
  resource: null,
  account: null,
  ids: null,
  shown_by: null,
  ago: 0,
}

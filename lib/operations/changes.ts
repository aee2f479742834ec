import type { DeskResource, Resource } from './define'

/**
 * Changed rows, as the operation `events.read` sends them to open pages. The rows are in the mirror
 * (charges and payouts as `payments`) or in Paydesk's own tables. For a changed action, `ids`
 * includes the id of its object.
 * - `resource`: null if anything may have changed.
 * - `account`: the id without `acct_`; null if the rows belong to the platform or their account is
 *   unknown.
 * - `ids`: null if there are too many.
 * - `shown_by`: id of the request whose response contained the change first, null if there was none
 *   or several. The page of that request already shows the change.
 * - `ago`: milliseconds since the change became known. Reads that started later already contain it.
 */
export type ChangedRows = {
  resource: Resource | DeskResource | null
  account: string | null
  ids: readonly string[] | null
  shown_by: string | null
  ago: number
}

/** The message for pages that missed changes: they must refetch everything. */
export const everythingChanged: ChangedRows = {
  resource: null,
  account: null,
  ids: null,
  shown_by: null,
  ago: 0,
}

import type { DeskResource, Resource } from './define'

/**
 * Rows that changed, as `events.read` sends them to open pages: rows of the mirror, with charges and payouts as `payments`, and rows of
 * Paydesk itself. An action comes with the id of its object.
 * - `resource`: null if anything may have changed.
 * - `account`: the bare id; null if the rows belong to the platform or their account is unknown.
 * - `ids`: null if there are too many.
 * - `shown_by`: the request whose response showed the change first, null if there was none or several. Its page already has the change.
 * - `ago`: milliseconds since the change was known. Reads that began later already show it.
 */
export type ChangedRows = {
  resource: Resource | DeskResource | null
  account: string | null
  ids: readonly string[] | null
  shown_by: string | null
  ago: number
}

/** The change for pages that missed messages: everything must be refetched. */
export const anything: ChangedRows = { resource: null, account: null, ids: null, shown_by: null, ago: 0 }

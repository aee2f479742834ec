import type { DeskResource, Resource } from './define'

/**
 * Rows that changed, as `events.read` tells open pages of them: of the mirror, where a payment is one of `payments`, be it a charge or a payout, and of
 * Paydesk's own. With an action comes the id of the object it is about. `resource` is null where anything may have changed. `account` is the bare id, null where nobody knows whose they are or they are the platform's; `ids` is null where they
 * are too many to name. `shown_by` is the request whose answer showed it first, null where it was none or several: who asked that knows. `ago` is how long it has been known
 * when this is told (milliseconds): what was asked for since shows it.
 */
export type ChangedRows = {
  resource: Resource | DeskResource | null
  account: string | null
  ids: readonly string[] | null
  shown_by: string | null
  ago: number
}

/** What anybody has to read again who missed something. */
export const anything: ChangedRows = { resource: null, account: null, ids: null, shown_by: null, ago: 0 }

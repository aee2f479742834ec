import type { Resource } from './define'

/**
 * Rows of the mirror that changed, as `events.read` tells open pages of them: a payment is one of `payments`, be it a charge or a payout. `resource` is null
 * where anything may have changed. `account` is the bare id, null where nobody knows whose they are or they are the platform's; `ids` is null where they
 * are too many to name.
 */
export type ChangedRows = { resource: Resource | null; account: string | null; ids: readonly string[] | null }

/** What anybody has to read again who missed something. */
export const anything: ChangedRows = { resource: null, account: null, ids: null }

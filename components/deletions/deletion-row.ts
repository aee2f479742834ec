import { askerWords, basisWords, wordOf } from '@/lib/domain/deletion-grounds'
import type { Tone } from '@/lib/domain/status'
import type { DeletionView } from '@/lib/operations/deletion'

/** The states of a request in words. */
export const deletionStates: Readonly<Record<DeletionView['state'], { label: string; tone: Tone }>> = {
  requested: { label: 'Asked for', tone: 'held' },
  executed: { label: 'Deleted', tone: 'good' },
  withdrawn: { label: 'Taken back', tone: 'neutral' },
}

/** A row of the list of requests, in words. `name` is the customer's, while there is one and it was read. */
export type DeletionRow = {
  id: string
  state: DeletionView['state']
  customerId: string
  name: string | null
  asker: string
  basis: string
  ticket: string | null
  due_on: string | null
  /** Whether the day the law sets has passed on an open request. */
  late: boolean
  who: string
  created_at: string
  executed_at: string | null
  account: string
}

/** A request as a row; `today` is the calendar day late ones are measured by. */
export function rowOf(request: DeletionView, name: string | null, today: string): DeletionRow {
  return {
    id: request.id,
    state: request.state,
    customerId: request.customer_id,
    name,
    asker: wordOf(askerWords, request.asker),
    basis: wordOf(basisWords, request.basis),
    ticket: request.ticket,
    due_on: request.due_on,
    late: request.state === 'requested' && request.due_on !== null && request.due_on < today,
    who: request.own ? 'you' : request.requested_by,
    created_at: request.created_at,
    executed_at: request.executed_at,
    account: request.account,
  }
}

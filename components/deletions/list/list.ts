import type { ListSpec } from '@/components/kits/list/spec'
import type { Tone } from '@/lib/domain/status'
import { getCodeLabel, legalBasisLabels, requesterLabels } from '@/lib/features/deletions/labels'
import type { DeletionView } from '@/lib/operations/deletion'

export const deletionStateLabels: Readonly<
  Record<DeletionView['state'], { label: string; tone: Tone }>
> = {
  requested: { label: 'Requested', tone: 'held' },
  executed: { label: 'Deleted', tone: 'good' },
  withdrawn: { label: 'Withdrawn', tone: 'neutral' },
}

/** `name` is null if the customer is deleted or could not be read. */
export type DeletionRow = {
  id: string
  state: DeletionView['state']
  customerId: string
  name: string | null
  asker: string
  basis: string
  ticket: string | null
  due_on: string | null
  /** True if the request is open and its legal due date has passed. */
  late: boolean
  by: string
  /** True if the signed-in person made the request. */
  own: boolean
  created_at: string
  executed_at: string | null
  account: string | null
}

/** An open request is late if its due date is before `today` (a calendar date). */
export function toDeletionRow(
  request: DeletionView,
  name: string | null,
  today: string,
): DeletionRow {
  return {
    id: request.id,
    state: request.state,
    customerId: request.customer_id,
    name,
    asker: getCodeLabel(requesterLabels, request.asker),
    basis: getCodeLabel(legalBasisLabels, request.basis),
    ticket: request.ticket,
    due_on: request.due_on,
    late: request.state === 'requested' && request.due_on !== null && request.due_on < today,
    by: request.requested_by,
    own: request.own,
    created_at: request.created_at,
    executed_at: request.executed_at,
    account: request.account,
  }
}

export const deletionList: ListSpec<null> = {
  resource: 'deletions',
  operation: null,
  title: 'Deletions',
  one: 'deletion',
  many: 'deletions',
  tabs: [
    {
      id: 'open',
      label: 'Open',
      query: { state: 'requested' },
      empty: 'No deletion request is open.',
      queue: true,
    },
    {
      id: 'deleted',
      label: 'Deleted',
      query: { state: 'executed' },
      empty: 'No customer has been deleted yet.',
    },
    {
      id: 'withdrawn',
      label: 'Withdrawn',
      query: { state: 'withdrawn' },
      empty: 'No request has been withdrawn.',
    },
    {
      id: 'all',
      label: 'All',
      query: {},
      empty: 'No deletion has been requested yet. Request a deletion on the customer’s page.',
    },
  ],
  search: { name: 'search_text', placeholder: 'Ticket, customer ID' },
  filters: {
    asker: { label: 'Requester', kind: 'choice', choices: requesterLabels },
    created_from: { label: 'Requested from', kind: 'since' },
    created_to: { label: 'Requested to', kind: 'until' },
    due_from: { label: 'Due from', kind: 'date' },
    due_to: { label: 'Due to', kind: 'date' },
  },
  periods: {
    created: { label: 'Requested', from: 'created_from', to: 'created_to', kind: 'instant' },
    due: { label: 'Due', from: 'due_from', to: 'due_to', kind: 'day' },
  },
  sorts: ['due_on', 'created_at'],
  order: 'asc',
  columns: {
    ground: { label: 'Requester' },
    basis: { label: 'Legal ground', hidden: true },
    ticket: { label: 'Ticket', hidden: true },
    due: { label: 'Due' },
    account: { label: 'Account' },
    executed: { label: 'Deleted', hidden: true, tabs: ['deleted', 'all'] },
  },
}

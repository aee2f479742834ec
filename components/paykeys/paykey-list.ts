import type { ListSpec } from '@/components/kits/list/list-spec'
import { sourceWords } from '@/lib/domain/paykey-why'

/** The list of paykeys: those in review first, as a queue, oldest first. */
export const paykeyList: ListSpec<'paykeys.list'> = {
  resource: 'paykeys',
  operation: 'paykeys.list',
  title: 'Paykeys',
  one: 'paykey',
  many: 'paykeys',
  tabs: [
    {
      id: 'review',
      label: 'Review',
      query: { status: 'review' },
      empty: 'No bank account waits for a decision. New ones appear here, oldest first.',
      queue: true,
      order: 'asc',
    },
    { id: 'blocked', label: 'Blocked', query: { status: 'blocked' }, empty: 'No bank account is blocked after a return.' },
    {
      id: 'unblockable',
      label: 'Unblockable',
      query: { unblock_eligible: 'true' },
      empty: 'No blocked bank account has its unblock left.',
      queue: true,
      order: 'asc',
    },
    { id: 'active', label: 'Active', query: { status: 'active' }, empty: 'No bank account can be used yet.' },
    { id: 'pending', label: 'Pending', query: { status: 'pending' }, empty: 'No bank account is being verified now.' },
    { id: 'other', label: 'Other', query: { status: 'rejected,inactive' }, empty: 'No bank account was rejected or switched off.' },
    { id: 'all', label: 'All', query: {}, empty: 'No paykeys yet. One is made by connecting a customer’s bank account.' },
  ],
  search: { name: 'search_text', placeholder: 'Bank, last four, external id' },
  filters: {
    source: { label: 'Connected by', kind: 'choice', choices: sourceWords },
    unblock_eligible: { label: 'Unblock left', kind: 'yesno' },
    created_from: { label: 'Created from', kind: 'since' },
    created_to: { label: 'Created to', kind: 'until' },
    customer_id: { label: 'Customer', kind: 'link' },
  },
  sorts: ['created_at', 'expires_at', 'institution_name'],
  order: 'desc',
}

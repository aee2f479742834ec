import type { ListSpec } from '@/components/kits/list/list-spec'

/** The list of accounts: those that work first, by name. */
export const accountList: ListSpec<'accounts.list'> = {
  resource: 'accounts',
  operation: 'accounts.list',
  title: 'Accounts',
  one: 'account',
  many: 'accounts',
  tabs: [
    { id: 'active', label: 'Active', query: { status: 'active' }, empty: 'No account is active yet. It becomes so once it is verified.' },
    { id: 'onboarding', label: 'Onboarding', query: { status: 'onboarding' }, empty: 'No account is being verified now.' },
    { id: 'created', label: 'Created', query: { status: 'created' }, empty: 'No account waits to be handed to verification.' },
    { id: 'rejected', label: 'Rejected', query: { status: 'rejected' }, empty: 'No account was rejected.' },
    { id: 'inactive', label: 'Inactive', query: { status: 'inactive' }, empty: 'No account is switched off.' },
    { id: 'all', label: 'All', query: {}, empty: 'No accounts yet. A business becomes one with its first form.' },
  ],
  search: { name: 'search_text', placeholder: 'Name, legal name, website' },
  filters: { external_id: { label: 'External id', kind: 'text' } },
  sorts: ['name', 'created_at'],
  order: 'asc',
}

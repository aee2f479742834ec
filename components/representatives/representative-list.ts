import type { ListSpec } from '@/components/kits/list/list-spec'

/** The list of representatives, newest first; the service cannot be asked for those of one state. */
export const representativeList: ListSpec<'representatives.list'> = {
  resource: 'representatives',
  operation: 'representatives.list',
  title: 'Representatives',
  one: 'representative',
  many: 'representatives',
  tabs: [
    { id: 'all', label: 'All', query: {}, empty: 'No representatives yet. An account needs one with control before it is onboarded.' },
    { id: 'account', label: 'Of accounts', query: { level: 'account' }, empty: 'Nobody speaks for an account yet.' },
    { id: 'platform', label: 'Of the platform', query: { level: 'platform' }, empty: 'Nobody is named for the platform itself.' },
  ],
  filters: {
    account_id: { label: 'Account id', kind: 'id', placeholder: 'UUID of an account' },
    organization_id: { label: 'Organization id', kind: 'id', placeholder: 'UUID of an organization' },
  },
  sorts: ['created_at', 'name'],
  order: 'desc',
}

import type { ListSpec } from '@/components/kits/list/list-spec'

/** The list of organizations, by name; the service has no states for them. */
export const organizationList: ListSpec<'organizations.list'> = {
  resource: 'organizations',
  operation: 'organizations.list',
  title: 'Organizations',
  one: 'organization',
  many: 'organizations',
  tabs: [
    {
      id: 'all',
      label: 'All',
      query: {},
      empty: 'No organizations yet. An account is made within one, so the first comes before the first account.',
    },
  ],
  search: { name: 'name', placeholder: 'Part of the name' },
  filters: { external_id: { label: 'External id', kind: 'text' } },
  sorts: ['name', 'created_at'],
  order: 'asc',
}

import type { ListSpec } from '@/components/kits/list/spec'
import { getAccountReasonText } from '@/lib/domain/account-labels'
import { getNameOrDefault } from '@/lib/domain/service-words'
import { getStatusWords, type Tone } from '@/lib/domain/status'
import { formatRelationships } from '@/lib/features/accounts/representatives/rules'
import type { Representative } from '@/lib/operations/representatives.schema'

/** There are no tabs by status: the service cannot filter representatives by status. */
export const representativeList: ListSpec<'representatives.list'> = {
  resource: 'representatives',
  operation: 'representatives.list',
  title: 'Representatives',
  one: 'representative',
  many: 'representatives',
  tabs: [
    {
      id: 'all',
      label: 'All',
      query: {},
      empty: 'No representatives yet. An account needs a control person before onboarding.',
    },
    {
      id: 'account',
      label: 'Accounts',
      query: { level: 'account' },
      empty: 'No account has a representative yet.',
    },
    {
      id: 'platform',
      label: 'Platform',
      query: { level: 'platform' },
      empty: 'The platform has no representatives.',
    },
  ],
  filters: {
    account_id: { label: 'Account ID', kind: 'id', placeholder: 'UUID of an account' },
    organization_id: {
      label: 'Organization ID',
      kind: 'id',
      placeholder: 'UUID of an organization',
    },
  },
  sorts: ['created_at', 'name'],
  order: 'desc',
  columns: {
    state: { label: 'Status' },
    relationship: { label: 'Relationship' },
    account: { label: 'Account' },
  },
}

/** Sent to the browser, so it contains only what the table shows and no other personal data. */
export type RepresentativeRow = {
  id: string
  name: string
  title: string | undefined
  relationship: string
  status: string
  tone: Tone
  why: string
  created_at: string | undefined
  /** `acct_…`; null if the representative belongs to no account. */
  account: string | null
}

/** For an active representative `why` is empty, because the reason repeats the status. */
export function toRepresentativeRow(item: Representative): RepresentativeRow {
  const { label, tone } = getStatusWords('representative', item.status)
  const reason = item.status === 'active' ? '' : getAccountReasonText(item.status_detail?.reason)
  return {
    id: item.id,
    name: getNameOrDefault(
      item.name ?? [item.first_name, item.last_name].filter(Boolean).join(' '),
      item.id,
    ),
    title: item.relationship?.title,
    relationship: formatRelationships(item),
    status: label,
    tone: item.status === 'onboarding' && item.status_detail?.reason === 'stuck' ? 'held' : tone,
    why: reason,
    created_at: item.created_at,
    account: item.account_id ? `acct_${item.account_id}` : null,
  }
}

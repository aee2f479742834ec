import type { ListSpec } from '@/components/kits/list/list-spec'
import { purposeList } from '@/lib/domain/linked-bank-rules'

/** The list of linked bank accounts, newest first; the service is asked for one state at a time. */
export const linkedList: ListSpec<'linked_bank_accounts.list'> = {
  resource: 'linked_bank_accounts',
  operation: 'linked_bank_accounts.list',
  title: 'Linked bank accounts',
  one: 'linked bank account',
  many: 'linked bank accounts',
  tabs: [
    { id: 'all', label: 'All', query: {}, empty: 'No bank account is linked yet. An account needs one before it is onboarded.' },
    { id: 'created', label: 'Created', query: { status: 'created' }, empty: 'None waits to be handed to verification.' },
    { id: 'onboarding', label: 'Onboarding', query: { status: 'onboarding' }, empty: 'None is being verified now.' },
    { id: 'active', label: 'Active', query: { status: 'active' }, empty: 'None is verified yet.' },
    { id: 'rejected', label: 'Rejected', query: { status: 'rejected' }, empty: 'None was rejected.' },
    { id: 'inactive', label: 'Inactive', query: { status: 'inactive' }, empty: 'None is switched off.' },
    { id: 'canceled', label: 'Canceled', query: { status: 'canceled' }, empty: 'None was canceled.' },
  ],
  filters: {
    purpose: { label: 'Purpose', kind: 'choice', choices: Object.fromEntries(purposeList.map(({ id, label }) => [id, label])) },
    level: { label: 'Belongs to', kind: 'choice', choices: { account: 'an account', platform: 'the platform itself' } },
    account_id: { label: 'Account id', kind: 'id', placeholder: 'UUID of an account' },
  },
  sorts: ['created_at'],
  order: 'desc',
}

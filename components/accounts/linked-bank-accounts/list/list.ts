import type { ListSpec } from '@/components/kits/list/spec'
import { getAccountReasonText } from '@/lib/domain/account-labels'
import { getStatusWords, type Tone } from '@/lib/domain/status'
import { getPurposeLabel, purposeOptions } from '@/lib/features/accounts/linked-bank-accounts/rules'
import type { LinkedBankAccount } from '@/lib/operations/linked-bank-accounts.schema'

/** Each tab shows one status, because the service cannot filter by several at once. */
export const linkedAccountList: ListSpec<'linked_bank_accounts.list'> = {
  resource: 'linked_bank_accounts',
  operation: 'linked_bank_accounts.list',
  title: 'Linked bank accounts',
  one: 'linked bank account',
  many: 'linked bank accounts',
  tabs: [
    {
      id: 'all',
      label: 'All',
      query: {},
      empty: 'No bank account is linked yet. An account needs one before onboarding.',
    },
    {
      id: 'created',
      label: 'Created',
      query: { status: 'created' },
      empty: 'No bank account is waiting to be submitted.',
    },
    {
      id: 'onboarding',
      label: 'Onboarding',
      query: { status: 'onboarding' },
      empty: 'No bank account is being verified now.',
    },
    {
      id: 'active',
      label: 'Active',
      query: { status: 'active' },
      empty: 'No bank account is verified yet.',
    },
    {
      id: 'rejected',
      label: 'Rejected',
      query: { status: 'rejected' },
      empty: 'No bank account was rejected.',
    },
    {
      id: 'inactive',
      label: 'Inactive',
      query: { status: 'inactive' },
      empty: 'No bank account is inactive.',
    },
    {
      id: 'canceled',
      label: 'Canceled',
      query: { status: 'canceled' },
      empty: 'No bank account was canceled.',
    },
  ],
  filters: {
    purpose: {
      label: 'Purpose',
      kind: 'choice',
      choices: Object.fromEntries(purposeOptions.map(({ id, label }) => [id, label])),
    },
    level: {
      label: 'Belongs to',
      kind: 'choice',
      choices: { account: 'an account', platform: 'the platform' },
    },
    account_id: { label: 'Account ID', kind: 'id', placeholder: 'UUID of an account' },
  },
  sorts: ['created_at'],
  order: 'desc',
  columns: {
    state: { label: 'Status' },
    purposes: { label: 'Purposes' },
    holder: { label: 'Holder' },
    account: { label: 'Account' },
  },
}

/** Sent to the browser, so it contains only what the table shows and no other personal data. */
export type LinkedAccountRow = {
  id: string
  bank: string
  mask: string | undefined
  holder: string | undefined
  purposes: readonly string[]
  description: string | undefined
  status: string
  tone: Tone
  why: string
  created_at: string | undefined
  /** `acct_…`; null if the bank account belongs to the platform. */
  account: string | null
}

/** Omits the reason (`why`) of an active or canceled account, because it repeats the status. */
export function toLinkedAccountRow(item: LinkedBankAccount): LinkedAccountRow {
  const { label, tone } = getStatusWords('linked_bank_account', item.status)
  const isReasonRedundant = item.status === 'active' || item.status === 'canceled'
  return {
    id: item.id,
    bank: item.bank_account?.institution_name ?? 'Unknown bank',
    mask: item.bank_account?.account_mask,
    holder: item.bank_account?.account_holder,
    purposes: item.purposes.map(getPurposeLabel),
    description: item.description,
    status: label,
    tone: item.status === 'onboarding' && item.status_detail?.reason === 'stuck' ? 'held' : tone,
    why: isReasonRedundant ? '' : getAccountReasonText(item.status_detail?.reason),
    created_at: item.created_at,
    account: item.account_id ? `acct_${item.account_id}` : null,
  }
}

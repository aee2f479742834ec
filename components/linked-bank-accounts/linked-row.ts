import { reasonText } from '@/lib/domain/account-words'
import { purposeText } from '@/lib/domain/linked-bank-rules'
import { statusWords, type Tone } from '@/lib/domain/status'
import type { LinkedBankAccount } from '@/lib/operations/linked-bank-accounts.schema'

/** A row of the list, in words. Made on the server, so that the tables of words are not shipped with the list. */
export type LinkedRow = {
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
  /** `acct_…`; null for one of the platform itself. */
  account: string | null
}

/** A linked bank account as a row. What is verified says nothing more than its state, so the reason is left out then. */
export function rowOf(item: LinkedBankAccount): LinkedRow {
  const { label, tone } = statusWords('linked_bank_account', item.status)
  const settled = item.status === 'active' || item.status === 'canceled'
  return {
    id: item.id,
    bank: item.bank_account?.institution_name ?? 'Unknown bank',
    mask: item.bank_account?.account_mask,
    holder: item.bank_account?.account_holder,
    purposes: item.purposes.map(purposeText),
    description: item.description,
    status: label,
    tone: item.status === 'onboarding' && item.status_detail?.reason === 'stuck' ? 'held' : tone,
    why: settled ? '' : reasonText(item.status_detail?.reason),
    created_at: item.created_at,
    account: item.account_id ? `acct_${item.account_id}` : null,
  }
}

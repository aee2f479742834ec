import type { ListSpec } from '@/components/kits/list/spec'
import { returnCode } from '@/lib/domain/return-codes'
import { stateSince, statusWords, type Tone } from '@/lib/domain/status'
import type { PaymentSum } from '@/lib/features/paykeys/related'
import { paykeyReasonText, paykeySourceText, paykeyWhy, sourceWords } from '@/lib/features/paykeys/why'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'

/** The tabs in which only some paykeys may be unblocked, so that it matters which. */
export const eligibleTabs: readonly string[] = ['blocked', 'all']

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
      empty: 'No paykey is awaiting a decision. New reviews appear here, oldest first.',
      queue: true,
      waits: 'review',
      order: 'asc',
    },
    { id: 'blocked', label: 'Blocked', query: { status: 'blocked' }, empty: 'No paykey is blocked after a return.' },
    {
      id: 'unblockable',
      label: 'Eligible to unblock',
      query: { unblock_eligible: 'true' },
      empty: 'No blocked paykey is eligible to unblock.',
      queue: true,
      waits: 'blocked',
      order: 'asc',
    },
    { id: 'active', label: 'Active', query: { status: 'active' }, empty: 'No paykey is active yet.' },
    { id: 'pending', label: 'Pending', query: { status: 'pending' }, empty: 'No paykey is being verified now.' },
    { id: 'other', label: 'Other', query: { status: 'rejected,inactive' }, empty: 'No paykey was rejected or canceled.' },
    { id: 'all', label: 'All', query: {}, empty: 'No paykeys yet. Connect a customer’s bank account to create one.' },
  ],
  search: { name: 'search_text', placeholder: 'Bank, last four, ext. ID' },
  filters: {
    source: { label: 'Connected by', kind: 'choice', choices: sourceWords },
    unblock_eligible: { label: 'Eligible to unblock', kind: 'yesno' },
    created_from: { label: 'Created from', kind: 'since' },
    created_to: { label: 'Created to', kind: 'until' },
    customer_id: { label: 'Customer', kind: 'link' },
  },
  periods: { created: { label: 'Created', from: 'created_from', to: 'created_to', kind: 'instant' } },
  sorts: ['created_at', 'expires_at', 'institution_name'],
  order: 'desc',
  columns: {
    bank: { label: 'Bank account' },
    why: { label: 'Status and reason' },
    waiting: { label: 'Pending payments' },
    eligible: { label: 'Unblock', tabs: eligibleTabs },
    expires: { label: 'Expires', tabs: ['active'] },
    account: { label: 'Account' },
  },
}

/** The payments that wait on a paykey; `atLeast` where not all could be looked at. */
export type RowWaiting = PaymentSum & { atLeast: boolean }

/** What the list itself does not say and is read beside it, each within bounds; null where it is not to be had. */
type PaykeyExtras = {
  nameOf: (customerId: string | undefined) => Promise<string | null>
  waitingOn: (paykeyId: string) => Promise<RowWaiting | null>
}

/** A row of the list, in words. Made on the server, so that the tables of words are not shipped with the list. */
export type PaykeyRow = {
  id: string
  label: string | undefined
  bank: string | undefined
  digits: string | undefined
  source: string | undefined
  status: string
  tone: Tone
  /** Why it is in its state, as the service and the return say. */
  why: string
  eligible: 'yes' | 'no' | 'unknown' | null
  created_at: string | undefined
  /** Since when it is in its state: the age that home counts too. */
  since: string | undefined
  expires_at: string | undefined
  /** These two come after the rows. */
  customer: Promise<string | null>
  waiting: Promise<RowWaiting | null>
  /** `acct_…` where it is known. */
  account: string | null
}

export function rowOf(paykey: PaykeySummary, account: string | null, extras: PaykeyExtras): PaykeyRow {
  const words = statusWords('paykey', paykey.status)
  return {
    id: paykey.id,
    label: paykey.label,
    bank: paykey.institution_name,
    digits: paykey.bank_data?.account_number,
    source: paykeySourceText(paykey.source),
    status: words.label,
    tone: words.tone,
    why: whyOf(paykey),
    eligible: eligibleOf(paykey),
    created_at: paykey.created_at,
    since: stateSince(paykey),
    expires_at: paykey.expires_at,
    customer: extras.nameOf(paykey.customer_id),
    waiting: extras.waitingOn(paykey.id),
    account,
  }
}

function whyOf(paykey: PaykeySummary): string {
  const { message, reason, code } = paykey.status_details ?? {}
  // That a return blocked it is said by the tab or the state beside it; two lines have to do for the rest.
  if (paykey.status === 'blocked') return blockText(code) ?? paykeyWhy(paykey).line
  return message ?? paykeyReasonText(reason) ?? ''
}

function blockText(code: string | undefined): string | null {
  const meaning = returnCode(code)?.meaning
  return meaning ? `${code}: ${meaning}` : null
}

/** Only a blocked paykey can be unblocked, so only there is it a question; what the service leaves out is unknown and no "no". */
function eligibleOf({ status, unblock_eligible }: PaykeySummary): PaykeyRow['eligible'] {
  if (status !== 'blocked') return null
  if (unblock_eligible === undefined) return 'unknown'
  return unblock_eligible ? 'yes' : 'no'
}

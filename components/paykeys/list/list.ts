import type { ListSpec } from '@/components/kits/list/spec'
import { returnCode } from '@/lib/domain/return-codes'
import { stateSince, statusWords, type Tone } from '@/lib/domain/status'
import type { PaymentSum } from '@/lib/features/paykeys/related'
import { paykeyReasonText, paykeySourceText, paykeyWhy, sourceWords } from '@/lib/features/paykeys/why'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'

/** Tabs that show eligibility for unblocking. */
export const eligibleTabs: readonly string[] = ['blocked', 'all']

/** The list of paykeys. The first tab is the review queue, oldest first. */
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

/** Payments that wait on a paykey; `atLeast` is true if not all could be read. */
export type RowWaiting = PaymentSum & { atLeast: boolean }

/** Data read beside the list, with limits on the number of reads. Resolves to null if unavailable. */
type PaykeyExtras = {
  nameOf: (customerId: string | undefined) => Promise<string | null>
  waitingOn: (paykeyId: string) => Promise<RowWaiting | null>
}

/** A list row. Built on the server, so that the label tables are not shipped to the browser. */
export type PaykeyRow = {
  id: string
  label: string | undefined
  bank: string | undefined
  digits: string | undefined
  source: string | undefined
  status: string
  tone: Tone
  /** Reason of the state, from the service and the return code. */
  why: string
  eligible: 'yes' | 'no' | 'unknown' | null
  created_at: string | undefined
  /** When the current state began. The home page counts the same age. */
  since: string | undefined
  expires_at: string | undefined
  /** `customer` and `waiting` resolve after the rows render. */
  customer: Promise<string | null>
  waiting: Promise<RowWaiting | null>
  /** `acct_…`, or null if unknown. */
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
  // The tab or the status already shows "blocked", so the two lines hold the return code and its meaning.
  if (paykey.status === 'blocked') return blockText(code) ?? paykeyWhy(paykey).line
  return message ?? paykeyReasonText(reason) ?? ''
}

function blockText(code: string | undefined): string | null {
  const meaning = returnCode(code)?.meaning
  return meaning ? `${code}: ${meaning}` : null
}

/** Only a blocked paykey can be unblocked, so others return null. If the service omits the field, eligibility is unknown, not "no". */
function eligibleOf({ status, unblock_eligible }: PaykeySummary): PaykeyRow['eligible'] {
  if (status !== 'blocked') return null
  if (unblock_eligible === undefined) return 'unknown'
  return unblock_eligible ? 'yes' : 'no'
}

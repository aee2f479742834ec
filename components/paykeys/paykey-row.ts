import type { PaymentSum } from '@/lib/domain/paykey-payments'
import { paykeyReasonText, paykeySourceText, paykeyWhy } from '@/lib/domain/paykey-why'
import { statusWords, type Tone } from '@/lib/domain/status'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'

/** The payments that wait on a paykey; `atLeast` where not all could be looked at. */
export type RowWaiting = PaymentSum & { atLeast: boolean }

/** What the list itself does not say and is read beside it, each within bounds; null where it is not to be had. */
export type PaykeyExtras = {
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
  expires_at: string | undefined
  /** These two come after the rows. */
  customer: Promise<string | null>
  waiting: Promise<RowWaiting | null>
  /** `acct_…` where it is known. */
  account: string | null
}

/** A paykey of the list as a row. */
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
    expires_at: paykey.expires_at,
    customer: extras.nameOf(paykey.customer_id),
    waiting: extras.waitingOn(paykey.id),
    account,
  }
}

function whyOf(paykey: PaykeySummary): string {
  if (paykey.status === 'blocked') return paykeyWhy(paykey).line
  const { message, reason } = paykey.status_details ?? {}
  return message ?? paykeyReasonText(reason) ?? ''
}

/** Only a blocked paykey can be unblocked, so only there is it a question; what the service leaves out is unknown and no "no". */
function eligibleOf({ status, unblock_eligible }: PaykeySummary): PaykeyRow['eligible'] {
  if (status !== 'blocked') return null
  if (unblock_eligible === undefined) return 'unknown'
  return unblock_eligible ? 'yes' : 'no'
}

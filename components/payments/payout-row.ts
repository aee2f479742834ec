import { statusWords, type Tone } from '@/lib/domain/status'
import { whyHeld } from '@/lib/domain/why-held'
import type { PaymentSummary } from '@/lib/operations/payments.schema'

/** A row of the list, in words. Made on the server, so that the tables of words are not shipped with the list. */
export type PayoutRow = {
  id: string
  amount: string
  currency: string
  to: string | undefined
  bank: string | undefined
  status: string
  tone: Tone
  /** Why it is held, or what the service says of its state. */
  why: string | undefined
  created_at: string
  payment_date: string | undefined
  mark: string | undefined
  /** `acct_…` where it is known. */
  account: string | null
}

/** A payment of the search as a row; the search has no `config`, so the explainer works from the details alone. */
export function rowOf(payment: PaymentSummary, account: string | null): PayoutRow {
  const words = statusWords('payment', payment.status)
  const details = payment.status_details
  return {
    id: payment.id,
    amount: payment.amount,
    currency: payment.currency,
    to: payment.customer_details?.name,
    bank: payment.paykey_details?.label,
    status: words.label,
    tone: words.tone,
    why: payment.status === 'on_hold' ? whyHeld({ details }).line : plainDetails(details),
    created_at: payment.created_at,
    payment_date: payment.payment_date,
    mark: payment.is_refund ? 'Refund' : payment.is_resubmit ? 'Second try' : undefined,
    account,
  }
}

function plainDetails(details: PaymentSummary['status_details']): string | undefined {
  if (details?.reason === 'ok') return undefined
  return [details?.code, details?.message ?? details?.reason].filter((part) => part !== undefined).join(' · ') || undefined
}

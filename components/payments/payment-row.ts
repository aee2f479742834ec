import { statusWords, type Tone } from '@/lib/domain/status'
import { whyHeld } from '@/lib/domain/why-held'
import type { PaymentSummary } from '@/lib/operations/payments.schema'

/** A row of the list, in words. Made on the server, so that the tables of words are not shipped with the list. */
export type PaymentRow = {
  id: string
  amount: string
  currency: string
  /** Whose bank account it is. */
  customer: string | undefined
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
export function rowOf(payment: PaymentSummary, account: string | null): PaymentRow {
  const words = statusWords('payment', payment.status)
  const details = payment.status_details
  return {
    id: payment.id,
    amount: payment.amount,
    currency: payment.currency,
    customer: payment.customer_details?.name,
    bank: payment.paykey_details?.label,
    status: words.label,
    tone: words.tone,
    why: payment.status === 'on_hold' ? whyHeld({ details }).line : plainDetails(details),
    created_at: payment.created_at,
    payment_date: payment.payment_date,
    mark: markOf(payment),
    account,
  }
}

/** What a payment is to another one, in a word or two; the first that applies. */
function markOf(payment: PaymentSummary): string | undefined {
  if (payment.is_refund) return 'Refund'
  if (payment.has_refund) return 'Refunded'
  if (payment.has_resubmit) return 'Sent again'
  return payment.is_resubmit ? 'Second try' : undefined
}

function plainDetails(details: PaymentSummary['status_details']): string | undefined {
  if (details?.reason === 'ok') return undefined
  return [details?.code, details?.message ?? details?.reason].filter((part) => part !== undefined).join(' · ') || undefined
}

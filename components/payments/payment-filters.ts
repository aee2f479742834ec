import type { FilterSpec } from '@/components/kits/list/list-spec'
import type { PaymentKind } from '@/lib/domain/payment-kind'

/** The reasons worth filtering by, in words; the URL keeps the service's own word, so an unknown one still works. */
export const reasonWords: Readonly<Record<string, string>> = {
  auto_hold: 'Held on purpose when created',
  amount_too_large: 'Over a limit',
  user_request: 'Held by a person',
  risk_review: 'Risk review',
  watchtower_review: 'Provider’s review',
  invalid_paykey: 'Bank account not usable',
  insufficient_funds: 'Not enough money',
  closed_bank_account: 'Bank account closed',
  disputed: 'Disputed',
  duplicate_entry: 'Looks like a duplicate',
}

/** The filters payments share, by the names the payments search gives them (provider facts 1.6). */
const shared: Readonly<Record<string, FilterSpec>> = {
  min_amount: { label: 'Amount from', kind: 'amount' },
  max_amount: { label: 'Amount to', kind: 'amount' },
  min_payment_date: { label: 'Payment date from', kind: 'date' },
  max_payment_date: { label: 'Payment date to', kind: 'date' },
  status_reason: { label: 'Reason given', kind: 'text' },
  status_source: { label: 'Source', kind: 'link' },
  external_id: { label: 'External id', kind: 'link' },
  customer_id: { label: 'Customer', kind: 'link' },
  paykey_id: { label: 'Bank account', kind: 'link' },
  is_resubmit: { label: 'Second try', kind: 'yesno' },
  has_resubmit: { label: 'Sent again', kind: 'yesno' },
}

/** The filters of each kind: a payout may be a refund, a charge may have one. */
export const paymentFilters: Readonly<Record<PaymentKind, Readonly<Record<string, FilterSpec>>>> = {
  payout: { ...shared, is_refund: { label: 'Refund', kind: 'yesno' } },
  charge: { ...shared, has_refund: { label: 'Refunded', kind: 'yesno' } },
}

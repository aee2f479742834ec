import {
  type FilterSpec,
  type ListSpec,
  type PeriodSpec,
  pickFields,
} from '@/components/kits/list/spec'
import type { PaymentKind } from '@/lib/domain/payment-kind'
import { paymentNouns } from '@/lib/features/payments/labels'
import { type AmountUnit, moneyText, toMinorUnits } from '@/lib/money'
import type { PaymentSummary } from '@/lib/operations/payments.schema'

/** Returns a name for a payment: customer and amount, as in "Wei Okafor · $2,587.00". */
export function formatPaymentName(
  payment: Pick<PaymentSummary, 'amount' | 'currency' | 'customer_details'>,
  unit: AmountUnit,
): string {
  const { amount, currency, customer_details } = payment
  const minorUnits = toMinorUnits(amount, unit)
  return `${customer_details?.name ?? 'Unknown customer'} · ${minorUnits === null ? 'amount not readable' : moneyText(minorUnits, currency)}`
}

const rowFields = [
  ...([
    'id',
    'payment_type',
    'amount',
    'currency',
    'status',
    'status_details',
    'description',
    'external_id',
  ] as const),
  ...(['payment_date', 'effective_at', 'created_at', 'updated_at', 'funding_ids'] as const),
  ...(['is_refund', 'has_refund', 'is_resubmit', 'has_resubmit'] as const),
] as const satisfies readonly (keyof PaymentSummary)[]

export type PaymentRow = Pick<PaymentSummary, (typeof rowFields)[number]> & {
  /** Name of the customer who owns the bank account. */
  customer: string | undefined
  /** Label of the bank account. */
  bank: string | undefined
  /** Resolves after the row is rendered. Null if the payment is not on hold. */
  whyHeld: Promise<string> | null
  /** `acct_…`, or null if unknown. */
  account: string | null
}

/** May need further reads, because a list row does not contain all facts. */
export type LoadHoldReason = (payment: PaymentSummary, account: string | null) => Promise<string>

export function toPaymentRow(
  payment: PaymentSummary,
  account: string | null,
  loadHoldReason: LoadHoldReason,
): PaymentRow {
  return {
    ...pickFields(payment, rowFields),
    customer: payment.customer_details?.name,
    bank: payment.paykey_details?.label,
    whyHeld: payment.status === 'on_hold' ? loadHoldReason(payment, account) : null,
    account,
  }
}

/**
 * Labels of the status reasons that the filter offers, by the service's value. A link can filter by
 * a value that is not listed here.
 */
export const statusReasonLabels: Readonly<Record<string, string>> = {
  auto_hold: 'Held by a user at creation',
  amount_too_large: 'Over a limit',
  user_request: 'Manual hold',
  risk_review: 'Risk review',
  watchtower_review: 'Provider review',
  invalid_paykey: 'Bank account not usable',
  insufficient_funds: 'Insufficient funds',
  closed_bank_account: 'Bank account closed',
  disputed: 'Disputed',
  duplicate_entry: 'Possible duplicate',
}

/**
 * The filters that the lists of charges and payouts share, by field name of the payments search
 * (provider facts 1.6).
 */
const commonPaymentFilters: Readonly<Record<string, FilterSpec>> = {
  min_amount: { label: 'Amount from', kind: 'amount' },
  max_amount: { label: 'Amount to', kind: 'amount' },
  min_payment_date: { label: 'Payment date from', kind: 'date' },
  max_payment_date: { label: 'Payment date to', kind: 'date' },
  status_reason: { label: 'Reason given', kind: 'text' },
  status_source: { label: 'Source', kind: 'link' },
  external_id: { label: 'External ID', kind: 'link' },
  customer_id: { label: 'Customer', kind: 'link' },
  paykey_id: { label: 'Bank account', kind: 'link' },
  is_resubmit: { label: 'Resubmission', kind: 'yesno' },
  has_resubmit: { label: 'Resubmitted', kind: 'yesno' },
}

/** A payout can be a refund, and a charge can have been refunded. */
const paymentFilters: Readonly<Record<PaymentKind, Readonly<Record<string, FilterSpec>>>> = {
  payout: { ...commonPaymentFilters, is_refund: { label: 'Refund', kind: 'yesno' } },
  charge: { ...commonPaymentFilters, has_refund: { label: 'Refunded', kind: 'yesno' } },
}

export const paymentPeriods: Readonly<Record<string, PeriodSpec>> = {
  created: { label: 'Created', from: 'min_created_at', to: 'max_created_at', kind: 'instant' },
  date: { label: 'Payment date', from: 'min_payment_date', to: 'max_payment_date', kind: 'day' },
}

/** The first tab is the queue of payments on hold, oldest first. */
function buildPaymentList(kind: PaymentKind): ListSpec<'payments.search'> {
  const { resource, one, many } = paymentNouns[kind]
  return {
    resource,
    operation: 'payments.search',
    title: many.replace(/^./, (first) => first.toUpperCase()),
    one,
    many,
    fixed: { payment_type: kind },
    tabs: [
      {
        id: 'hold',
        label: 'On hold',
        query: { payment_status: 'on_hold' },
        empty: `No ${one} is awaiting a decision. New holds appear here, oldest first.`,
        queue: true,
        waits: 'on_hold',
        order: 'asc',
      },
      {
        id: 'upcoming',
        label: 'Upcoming',
        query: { payment_status: 'created,validating,scheduled' },
        empty: `No ${one} is scheduled for the bank network.`,
      },
      {
        id: 'pending',
        label: 'Pending',
        query: { payment_status: 'pending' },
        empty: `No ${one} is with the bank network now.`,
      },
      {
        id: 'paid',
        label: 'Paid',
        query: { payment_status: 'paid' },
        empty: `No ${one} has been paid yet.`,
      },
      {
        id: 'returned',
        label: 'Returned',
        query: { payment_status: 'failed,reversed' },
        empty: `No ${one} failed or was returned.`,
      },
      {
        id: 'cancelled',
        label: 'Canceled',
        query: { payment_status: 'cancelled' },
        empty: `No ${one} was canceled.`,
      },
      {
        id: 'all',
        label: 'All',
        query: {},
        empty: `No ${many} yet. They appear here as soon as one is created.`,
      },
    ],
    search: { name: 'search_text', placeholder: 'Name, description, ext. ID' },
    filters: {
      ...paymentFilters[kind],
      status_reason: { label: 'Reason given', kind: 'choice', choices: statusReasonLabels },
    },
    periods: paymentPeriods,
    sorts: ['created_at', 'payment_date', 'amount', 'updated_at'],
    order: 'desc',
    columns: {
      bank: { label: 'Bank account' },
      why: { label: 'Status or hold reason' },
      account: { label: 'Account' },
      date: { label: 'Payment date' },
    },
  }
}

export const paymentLists: Readonly<Record<PaymentKind, ListSpec<'payments.search'>>> = {
  payout: buildPaymentList('payout'),
  charge: buildPaymentList('charge'),
}

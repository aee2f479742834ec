import 'server-only'
import { stringify } from 'csv-stringify/sync'
import { formatMinor, minorUnits } from '@/lib/money'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { env } from './env'
import { accountText } from './scoped-account'

/** The columns of an export of payments, in order; `zone` is the IANA zone of the local times. Contact data is not among them. */
export const exportColumns = (zone: string): string[] => [
  'id',
  'type',
  'status',
  'reason',
  'source',
  'code',
  'amount_cents',
  'amount',
  'currency',
  'account',
  'customer_id',
  'customer_name',
  'bank_account',
  'payment_date',
  'created_at_utc',
  `created_at ${zone}`,
  'effective_at_utc',
  `effective_at ${zone}`,
  'external_id',
  'description',
  'is_refund',
  'is_resubmit',
  'funding_events',
  'related_payments',
]

/** Writes instants as `2026-03-31 14:05:00` in a zone. The zone is known to be one: see `parseZone`. */
function clockOf(zone: string): (iso: string | undefined) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  return (iso) => (iso && !Number.isNaN(Date.parse(iso)) ? format.format(new Date(iso)) : '')
}

const yesNo = (flag: boolean | undefined) => (flag === undefined ? '' : flag ? 'yes' : 'no')

function rowOf(payment: PaymentSummary, account: string | null, local: (iso: string | undefined) => string): unknown[] {
  const cents = minorUnits(payment.amount, env().amountUnit)
  const { status_details: details } = payment
  return [
    payment.id,
    payment.payment_type,
    payment.status,
    details?.reason,
    details?.source,
    details?.code,
    cents ?? payment.amount,
    cents === null ? '' : formatMinor(cents).replaceAll(',', ''),
    payment.currency,
    account ? accountText(account) : '',
    payment.customer_details?.id,
    payment.customer_details?.name,
    payment.paykey_details?.label,
    payment.payment_date,
    payment.created_at,
    local(payment.created_at),
    payment.effective_at,
    local(payment.effective_at),
    payment.external_id,
    payment.description,
    yesNo(payment.is_refund),
    yesNo(payment.is_resubmit),
    payment.funding_ids.join(' '),
    payment.related_payments.map((related) => `${related.relationship}:${related.id}`).join(' '),
  ]
}

/**
 * Values as RFC 4180 lines. A value that a spreadsheet would read as a formula begins with an apostrophe: names and descriptions are written by
 * strangers.
 */
const csv = (rows: unknown[][]): string => stringify(rows, { escape_formulas: true, record_delimiter: 'windows' })

/** The head of the file, with the mark by which spreadsheets know UTF-8. */
export const exportHead = (zone: string): string => `\uFEFF${csv([exportColumns(zone)])}`

/** Payments as lines of the file; `accountOf` gives the bare id of a payment's account where it is known. */
export function exportLines(
  payments: readonly PaymentSummary[],
  zone: string,
  accountOf: (payment: PaymentSummary) => string | null,
): string {
  const local = clockOf(zone)
  return payments.length === 0 ? '' : csv(payments.map((payment) => rowOf(payment, accountOf(payment), local)))
}

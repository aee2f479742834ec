import 'server-only'
import { isCalendarDate, toNewYorkDate } from '@/lib/dates'
import { foldText } from '@/lib/domain/text-forms'
import { toMinorUnits } from '@/lib/money'
import type { CapabilityRequest } from '@/lib/operations/capability-requests.schema'
import type { CustomerSummary } from '@/lib/operations/customers.schema'
import type { FundingEventSummary } from '@/lib/operations/funding-events.schema'
import type { LinkedBankAccount } from '@/lib/operations/linked-bank-accounts.schema'
import type { Organization } from '@/lib/operations/organizations.schema'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import type { Output } from '@/lib/operations/registry'
import type { Representative } from '@/lib/operations/representatives.schema'
import { env } from '@/lib/server/config/env'
import { toSearchWords, toTraceWord } from './search-words'

type ColumnValue = string | number | boolean | null | readonly string[]
export type ColumnValues = Readonly<Record<string, ColumnValue>>

/**
 * Maximum length of text in indexed columns, because PostgreSQL limits the size of index entries. A
 * filter never has a longer text. The column `object` has the full text.
 */
const maxTextLength = 300
const maxSearchTextLength = 2000

const cutText = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
const toIndexedText = (text: string | undefined): string | null =>
  text === undefined ? null : cutText(text, maxTextLength)

/** Null if missing, invalid or outside the years that the database accepts (from year 1). */
export function toIsoTime(text: string | undefined): string | null {
  const time = Date.parse(text ?? '')
  const isoTime = Number.isNaN(time) ? '' : new Date(time).toISOString()
  return /^\d{4}-/.test(isoTime) && !isoTime.startsWith('0000') ? isoTime : null
}

const toValidDay = (text: string | undefined): string | null =>
  text && isCalendarDate(text) && !text.startsWith('0000') ? text : null

/** One folded line for each part, also if it is missing. */
const toSearchText = (...parts: readonly (string | undefined)[]): string =>
  cutText(parts.map((part) => foldText(part ?? '')).join('\n'), maxSearchTextLength)

const toIndexedName = (name: string | undefined): string =>
  cutText((name ?? '').toLowerCase(), maxTextLength)

export const toPaymentColumns = (payment: Omit<PaymentSummary, 'metadata'>): ColumnValues => ({
  payment_type: payment.payment_type,
  status: payment.status,
  status_reason: toIndexedText(payment.status_details?.reason),
  status_source: toIndexedText(payment.status_details?.source),
  code: toIndexedText(payment.status_details?.code),
  external_id: toIndexedText(payment.external_id),
  customer_id: payment.customer_details?.id ?? payment.paykey_details?.customer_id ?? null,
  paykey_id: payment.paykey_details?.id ?? null,
  amount: toMinorUnits(payment.amount, env().amountUnit),
  currency: payment.currency,
  payment_date: toValidDay(payment.payment_date),
  effective_at: toIsoTime(payment.effective_at),
  created_at: toIsoTime(payment.created_at),
  // Older services send no `updated_at`. The time of the last status change is used instead.
  updated_at: toIsoTime(payment.updated_at) ?? toIsoTime(payment.status_details?.changed_at),
  funding_ids: payment.funding_ids,
  is_refund: payment.is_refund ?? null,
  has_refund: payment.has_refund ?? null,
  is_resubmit: payment.is_resubmit ?? null,
  has_resubmit: payment.has_resubmit ?? null,
  words: [
    ...toSearchWords(`${payment.external_id ?? ''} ${payment.description ?? ''}`),
    ...Object.values(payment.trace_ids).map(toTraceWord),
  ],
})

export const toCustomerColumns = (customer: CustomerSummary): ColumnValues => ({
  name: toIndexedName(customer.name),
  type: toIndexedText(customer.type),
  status: customer.status,
  external_id: toIndexedText(customer.external_id),
  created_at: toIsoTime(customer.created_at),
  search: toSearchText(customer.name, customer.email, customer.external_id),
})

export const toPaykeyColumns = (paykey: PaykeySummary): ColumnValues => ({
  status: paykey.status,
  source: toIndexedText(paykey.source),
  customer_id: paykey.customer_id ?? null,
  institution_name: toIndexedText(paykey.institution_name),
  unblock_eligible: paykey.unblock_eligible ?? null,
  expires_at: toIsoTime(paykey.expires_at),
  created_at: toIsoTime(paykey.created_at),
  search: toSearchText(
    paykey.label,
    paykey.source,
    paykey.external_id,
    paykey.id,
    paykey.customer_id,
  ),
})

const toDistinctTexts = (texts: readonly (string | undefined)[]): string[] => [
  ...new Set(texts.flatMap((text) => toIndexedText(text) || [])),
]

export function toFundingEventColumns(event: FundingEventSummary): ColumnValues {
  const createdAt = toIsoTime(event.created_at)
  const traceNumbers = toDistinctTexts([event.trace_number, ...event.trace_numbers])
  const traceIds = toDistinctTexts([event.trace_number, ...Object.values(event.trace_ids)])
  return {
    status: event.status,
    status_reason: toIndexedText(event.status_details?.reason),
    status_source: toIndexedText(event.status_details?.source),
    direction: toIndexedText(event.direction),
    event_type: toIndexedText(event.event_type),
    amount: toMinorUnits(event.amount),
    transfer_date: toValidDay(event.transfer_date),
    created_on: createdAt && toValidDay(toNewYorkDate(Date.parse(createdAt))),
    trace_numbers: traceNumbers,
    trace_ids: traceIds,
    search: toSearchText(
      event.id,
      event.event_type,
      event.direction,
      event.transfer_date,
      ...traceNumbers,
      ...traceIds,
    ),
  }
}

export function toAccountColumns(account: Output<'accounts.get'>): ColumnValues {
  const { name, legal_name, website } = account.business_profile ?? {}
  return {
    organization_id: account.organization_id ?? null,
    type: toIndexedText(account.type),
    status: account.status,
    external_id: toIndexedText(account.external_id),
    name: toIndexedName(name),
    created_at: toIsoTime(account.created_at),
    search: toSearchText(name, legal_name, account.external_id, account.id, website),
  }
}

export const toCapabilityRequestColumns = (request: CapabilityRequest): ColumnValues => ({
  type: request.type,
  category: toIndexedText(request.category),
  status: request.status,
  created_at: toIsoTime(request.created_at),
})

export const toOrganizationColumns = (organization: Organization): ColumnValues => ({
  name: toIndexedName(organization.name),
  external_id: toIndexedText(organization.external_id),
  created_at: toIsoTime(organization.created_at),
  search: toSearchText(organization.name),
})

export const toRepresentativeColumns = (representative: Representative): ColumnValues => ({
  name: toIndexedName(representative.name),
  created_at: toIsoTime(representative.created_at),
})

export const toLinkedBankAccountColumns = (linked: LinkedBankAccount): ColumnValues => ({
  status: linked.status,
  purposes: linked.purposes,
  created_at: toIsoTime(linked.created_at),
})

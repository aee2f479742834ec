import 'server-only'
import { bankDay, isDay } from '@/lib/dates'
import { minorUnits } from '@/lib/money'
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
import { wordsOf } from './words'

/** A column value of the mirror, as JSON. */
type Value = string | number | boolean | null | readonly string[]
export type Columns = Readonly<Record<string, Value>>

/** Maximum lengths of indexed texts, because the index limits them and no filter is longer. The full text is in `object`. */
const longestText = 300
const longestSearch = 2000

const cut = (text: string, length: number): string => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
const textIn = (text: string | undefined): string | null => (text === undefined ? null : cut(text, longestText))

/** Returns a text as an ISO time that the database accepts (from year 1). Null if the text is missing, invalid or out of range. */
export function timeIn(text: string | undefined): string | null {
  const time = Date.parse(text ?? '')
  const iso = Number.isNaN(time) ? '' : new Date(time).toISOString()
  return /^\d{4}-/.test(iso) && !iso.startsWith('0000') ? iso : null
}

const dayIn = (text: string | undefined): string | null => (text && isDay(text) && !text.startsWith('0000') ? text : null)

const searchIn = (...parts: readonly (string | undefined)[]): string =>
  cut(
    parts
      .filter((part) => part)
      .join(' ')
      .toLowerCase(),
    longestSearch,
  )

const nameIn = (name: string | undefined): string => cut((name ?? '').toLowerCase(), longestText)

export const paymentColumns = (payment: Omit<PaymentSummary, 'metadata'>): Columns => ({
  payment_type: payment.payment_type,
  status: payment.status,
  status_reason: textIn(payment.status_details?.reason),
  status_source: textIn(payment.status_details?.source),
  code: textIn(payment.status_details?.code),
  external_id: textIn(payment.external_id),
  customer_id: payment.customer_details?.id ?? payment.paykey_details?.customer_id ?? null,
  paykey_id: payment.paykey_details?.id ?? null,
  amount: minorUnits(payment.amount, env().amountUnit),
  currency: payment.currency,
  payment_date: dayIn(payment.payment_date),
  effective_at: timeIn(payment.effective_at),
  created_at: timeIn(payment.created_at),
  // Older services send no `updated_at`. The time of the last state change replaces it.
  updated_at: timeIn(payment.updated_at) ?? timeIn(payment.status_details?.changed_at),
  funding_ids: payment.funding_ids,
  is_refund: payment.is_refund ?? null,
  has_refund: payment.has_refund ?? null,
  is_resubmit: payment.is_resubmit ?? null,
  has_resubmit: payment.has_resubmit ?? null,
  words: wordsOf(`${payment.external_id ?? ''} ${payment.description ?? ''}`),
})

export const customerColumns = (customer: CustomerSummary): Columns => ({
  name: nameIn(customer.name),
  type: textIn(customer.type),
  status: customer.status,
  external_id: textIn(customer.external_id),
  created_at: timeIn(customer.created_at),
  search: searchIn(customer.name, customer.email),
})

export const paykeyColumns = (paykey: PaykeySummary): Columns => ({
  status: paykey.status,
  source: textIn(paykey.source),
  customer_id: paykey.customer_id ?? null,
  institution_name: textIn(paykey.institution_name),
  unblock_eligible: paykey.unblock_eligible ?? null,
  expires_at: timeIn(paykey.expires_at),
  created_at: timeIn(paykey.created_at),
  search: searchIn(paykey.label, paykey.source, paykey.external_id, paykey.id, paykey.customer_id),
})

const distinct = (texts: readonly (string | undefined)[]): string[] => [...new Set(texts.flatMap((text) => textIn(text) || []))]

export function fundingEventColumns(event: FundingEventSummary): Columns {
  const createdAt = timeIn(event.created_at)
  return {
    status: event.status,
    status_reason: textIn(event.status_details?.reason),
    status_source: textIn(event.status_details?.source),
    direction: textIn(event.direction),
    event_type: textIn(event.event_type),
    amount: minorUnits(event.amount),
    transfer_date: dayIn(event.transfer_date),
    created_on: createdAt && dayIn(bankDay(Date.parse(createdAt))),
    trace_numbers: distinct([event.trace_number, ...event.trace_numbers]),
    trace_ids: distinct([event.trace_number, ...Object.values(event.trace_ids)]),
    search: searchIn(event.id, event.event_type, event.direction, event.transfer_date, event.trace_number),
  }
}

export function accountColumns(account: Output<'accounts.get'>): Columns {
  const { name, legal_name } = account.business_profile ?? {}
  return {
    organization_id: account.organization_id ?? null,
    type: textIn(account.type),
    status: account.status,
    external_id: textIn(account.external_id),
    name: nameIn(name),
    created_at: timeIn(account.created_at),
    search: searchIn(name, legal_name, account.external_id, account.id),
  }
}

export const capabilityRequestColumns = (request: CapabilityRequest): Columns => ({
  type: request.type,
  category: textIn(request.category),
  status: request.status,
  created_at: timeIn(request.created_at),
})

export const organizationColumns = (organization: Organization): Columns => ({
  name: nameIn(organization.name),
  external_id: textIn(organization.external_id),
  created_at: timeIn(organization.created_at),
})

export const representativeColumns = (representative: Representative): Columns => ({
  name: nameIn(representative.name),
  created_at: timeIn(representative.created_at),
})

export const linkedBankAccountColumns = (linked: LinkedBankAccount): Columns => ({
  status: linked.status,
  purposes: linked.purposes,
  created_at: timeIn(linked.created_at),
})

import type { QueryClient } from '@tanstack/react-query'
import { formatDay } from '@/lib/dates'
import { formatBankLabel } from '@/lib/domain/bank-label'
import { type PaymentKind, parsePaymentKind, resourceByKind } from '@/lib/domain/payment-kind'
import { getStatusWords, type StatusKind, type StatusWords } from '@/lib/domain/status'
import { type AmountUnit, moneyText, toMinorUnits } from '@/lib/money'
import type { FundingEventSummary } from '@/lib/operations/funding-events.schema'
import type { LinkedBankAccount } from '@/lib/operations/linked-bank-accounts.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import type { Output } from '@/lib/operations/registry'
import type { RecordResource } from '@/lib/routes'
import { listRecentRecords, type RecentRecord } from './recent-records'

/** A record that the palette found. `state` is null if the record has no status. */
export type PaletteHit = {
  resource: RecordResource
  id: string
  title: string
  state: StatusWords | null
}

const formatStatus = (kind: StatusKind, status: string | null | undefined) =>
  status ? getStatusWords(kind, status) : null

type NamedRecord = { id: string; name?: string | null; status?: string | null }
type LabeledRecord = { id: string; label?: string | null; status: string }
type ProfiledRecord = {
  id: string
  status: string
  business_profile?: { name?: string | null } | null
}

export const resourceLabels: Record<RecordResource, string> = {
  payouts: 'Payout',
  charges: 'Charge',
  paykeys: 'Paykey',
  customers: 'Customer',
  accounts: 'Account',
  organizations: 'Organization',
  representatives: 'Representative',
  linked_bank_accounts: 'Linked bank account',
  funding_events: 'Funding event',
}

/** Returns an amount as text. An amount that cannot be converted to cents is shown as received. */
function formatAmount(raw: string, currency: string, unit: AmountUnit): string {
  const minorUnits = toMinorUnits(raw, unit)
  if (raw === '') return 'Amount not readable'
  return minorUnits === null ? `${raw} ${currency} (unit unclear)` : moneyText(minorUnits, currency)
}

type PaymentForHit = Pick<
  PaymentSummary,
  'id' | 'amount' | 'currency' | 'status' | 'customer_details'
>

const toPaymentHit = (payment: PaymentForHit, kind: PaymentKind, unit: AmountUnit): PaletteHit => ({
  resource: resourceByKind[kind],
  id: payment.id,
  title: `${formatAmount(payment.amount, payment.currency, unit)} ${kind === 'payout' ? 'to' : 'from'} ${payment.customer_details?.name ?? 'an unknown customer'}`,
  state: formatStatus('payment', payment.status),
})

/** Omits payments that are neither charge nor payout, because they have no page of their own. */
export const toPaymentHits = (
  payments: readonly (PaymentForHit & { payment_type: string })[],
  unit: AmountUnit,
): PaletteHit[] =>
  payments.flatMap((payment) => {
    const kind = parsePaymentKind(payment.payment_type)
    return kind ? [toPaymentHit(payment, kind, unit)] : []
  })

export const toCustomerHit = (customer: NamedRecord): PaletteHit => ({
  resource: 'customers',
  id: customer.id,
  title: customer.name || 'Unnamed',
  state: formatStatus('customer', customer.status),
})

export const toPaykeyHit = (paykey: LabeledRecord): PaletteHit => ({
  resource: 'paykeys',
  id: paykey.id,
  title: formatBankLabel(paykey.label || 'Unnamed'),
  state: formatStatus('paykey', paykey.status),
})

export const toAccountHit = (account: ProfiledRecord): PaletteHit => ({
  resource: 'accounts',
  id: account.id,
  title: account.business_profile?.name || 'Unnamed',
  state: formatStatus('account', account.status),
})

export const toNamedHit = (
  resource: 'organizations' | 'representatives',
  { id, name, status }: NamedRecord,
): PaletteHit => ({
  resource,
  id,
  title: name || 'Unnamed',
  state: formatStatus('representative', status),
})

export const toLinkedBankAccountHit = ({
  id,
  status,
  bank_account,
}: LinkedBankAccount): PaletteHit => ({
  resource: 'linked_bank_accounts',
  id,
  title:
    [bank_account?.institution_name, bank_account?.account_mask].filter(Boolean).join(' ') ||
    'Unnamed',
  state: formatStatus('linked_bank_account', status),
})

/** The event has no currency field: all amounts of the service are in US dollars. */
export const toFundingEventHit = (event: FundingEventSummary, unit: AmountUnit): PaletteHit => ({
  resource: 'funding_events',
  id: event.id,
  title: `${formatAmount(event.amount, 'USD', unit)}${event.transfer_date ? ` on ${formatDay(event.transfer_date)}` : ''}`,
  state: formatStatus('funding_event', event.status),
})

type HitConverter = (data: never, unit: AmountUnit) => PaletteHit

const hitConverterByResource: Record<RecordResource, HitConverter> = {
  payouts: (data: Output<'payouts.get'>, unit) => toPaymentHit(data, 'payout', unit),
  charges: (data: Output<'charges.get'>, unit) => toPaymentHit(data, 'charge', unit),
  paykeys: (data: Output<'paykeys.get'>) => toPaykeyHit(data),
  customers: (data: Output<'customers.get'>) => toCustomerHit(data),
  accounts: (data: Output<'accounts.get'>) => toAccountHit(data),
  organizations: (data: Output<'organizations.get'>) => toNamedHit('organizations', data),
  representatives: (data: Output<'representatives.get'>) => toNamedHit('representatives', data),
  linked_bank_accounts: (data: Output<'linked_bank_accounts.get'>) => toLinkedBankAccountHit(data),
  funding_events: (data: Output<'funding_events.get'>, unit) => toFundingEventHit(data, unit),
}

function findCachedRecord(
  client: QueryClient,
  { environment, resource, id }: RecentRecord,
): unknown {
  const cachedQueries = client.getQueryCache().findAll({
    predicate: ({ queryKey: [of, , , operation, input] }) =>
      of === environment &&
      operation === `${resource}.get` &&
      (input as { id?: string } | undefined)?.id === id,
  })
  return (
    cachedQueries.sort((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt)[0]
      ?.state.data as { data?: unknown }
  )?.data
}

const hitByRecordKey = new Map<string, PaletteHit>()

/**
 * Returns the records that were opened in this tab, with their names from the query cache. A name
 * is kept after the cache has dropped the record. Names stay in memory, so that no personal data is
 * stored in the browser.
 */
export function listRecentHits(
  client: QueryClient,
  environment: string,
  unit: AmountUnit,
): { record: RecentRecord; hit: PaletteHit | null }[] {
  return listRecentRecords(environment).map((record) => {
    const recordKey = `${environment}/${record.resource}/${record.id}`
    const cachedRecord = findCachedRecord(client, record)
    if (cachedRecord)
      hitByRecordKey.set(
        recordKey,
        hitConverterByResource[record.resource](cachedRecord as never, unit),
      )
    return { record, hit: hitByRecordKey.get(recordKey) ?? null }
  })
}

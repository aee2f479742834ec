import { dayText } from '@/lib/dates'
import { type StatusKind, type StatusWords, statusWords } from '@/lib/domain/status'
import { type AmountUnit, formatMinor, minorUnits } from '@/lib/money'
import type { FundingEventSummary } from '@/lib/operations/funding-events.schema'
import type { LinkedBankAccount } from '@/lib/operations/linked-bank-accounts.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import type { RecordResource } from '@/lib/routes'

/** One object that was found, as a line of the palette: what it is, its name, and its state in words (null where it has none). */
export type Hit = { resource: RecordResource; id: string; title: string; state: StatusWords | null }

const stateOf = (kind: StatusKind, status: string | null | undefined) => (status ? statusWords(kind, status) : null)

type Named = { id: string; name?: string | null; status?: string | null }
type Labelled = { id: string; label?: string | null; status: string }
type Profiled = { id: string; status: string; business_profile?: { name?: string | null } | null }

/** The word for one object of a resource. */
export const resourceWords: Record<RecordResource, string> = {
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

/** An amount as running text; what cannot be read is shown as it came. */
function amountText(raw: string, currency: string, unit: AmountUnit): string {
  const minor = minorUnits(raw, unit)
  return minor === null ? `${raw} ${currency} (unit unclear)` : `${formatMinor(minor)} ${currency}`
}

type AnyPayment = Pick<PaymentSummary, 'id' | 'amount' | 'currency' | 'status' | 'customer_details'>

export const paymentHit = (payment: AnyPayment, isPayout: boolean, unit: AmountUnit): Hit => ({
  resource: isPayout ? 'payouts' : 'charges',
  id: payment.id,
  title: `${amountText(payment.amount, payment.currency, unit)} ${isPayout ? 'to' : 'from'} ${payment.customer_details?.name ?? 'an unknown customer'}`,
  state: stateOf('payment', payment.status),
})

export const customerHit = (customer: Named): Hit => ({
  resource: 'customers',
  id: customer.id,
  title: customer.name || 'Without a name',
  state: stateOf('customer', customer.status),
})

export const paykeyHit = (paykey: Labelled): Hit => ({
  resource: 'paykeys',
  id: paykey.id,
  title: paykey.label || 'Without a label',
  state: stateOf('paykey', paykey.status),
})

export const accountHit = (account: Profiled): Hit => ({
  resource: 'accounts',
  id: account.id,
  title: account.business_profile?.name || 'Without a name',
  state: stateOf('account', account.status),
})

export const namedHit = (resource: 'organizations' | 'representatives', { id, name, status }: Named): Hit => ({
  resource,
  id,
  title: name || 'Without a name',
  state: stateOf('representative', status),
})

export const linkedBankAccountHit = ({ id, status, bank_account }: LinkedBankAccount): Hit => ({
  resource: 'linked_bank_accounts',
  id,
  title: [bank_account?.institution_name, bank_account?.account_mask].filter(Boolean).join(' ') || 'Without a name',
  state: stateOf('linked_bank_account', status),
})

/** `currency`: a funding event has none of its own; all of the service's money is in US dollars (provider facts 1.4). */
export const fundingEventHit = (event: FundingEventSummary, unit: AmountUnit): Hit => ({
  resource: 'funding_events',
  id: event.id,
  title: `${amountText(event.amount, 'USD', unit)}${event.transfer_date ? ` on ${dayText(event.transfer_date)}` : ''}`,
  state: stateOf('funding_event', event.status),
})

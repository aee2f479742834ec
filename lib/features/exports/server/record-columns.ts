import 'server-only'
import { capabilityLine } from '@/lib/domain/account-labels'
import { relationshipText } from '@/lib/features/accounts/representatives/rules'
import { flowSign } from '@/lib/features/funding/sum'
import type { Account } from '@/lib/operations/accounts.schema'
import type { CustomerSummary } from '@/lib/operations/customers.schema'
import type { FundingEventSummary } from '@/lib/operations/funding-events.schema'
import type { LinkedBankAccount } from '@/lib/operations/linked-bank-accounts.schema'
import type { Organization } from '@/lib/operations/organizations.schema'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import type { Representative } from '@/lib/operations/representatives.schema'
import { accountText } from '@/lib/server/auth/scoped-account'
import { env } from '@/lib/server/config/env'
import { account, type ExportColumn, moment, money, plainAmount, text, yesNo } from './csv'

/** Formats a limit. Limits are always whole cents, while the unit of payment amounts is configured (interface document, "Limits"). */
const limit = (cents: number | undefined) => (cents === undefined ? '' : plainAmount(cents))

/** Columns of accounts. Contact data and the tax ID are left out. */
export const accountColumns: readonly ExportColumn<Account>[] = [
  text('id', ({ id }) => accountText(id)),
  text('name', ({ business_profile }) => business_profile?.name),
  text('status', ({ status }) => status),
  text('reason', ({ status_detail }) => status_detail?.reason),
  text('legal_name', ({ business_profile }) => business_profile?.legal_name),
  text('organization_id', ({ organization_id }) => organization_id),
  text('external_id', ({ external_id }) => external_id),
  text('capabilities', capabilityLine),
  text('charge_up_to', ({ settings }) => limit(settings?.charges?.max_amount)),
  text('payout_up_to', ({ settings }) => limit(settings?.payouts?.max_amount)),
  moment('created_at', ({ created_at }) => created_at),
]

export const organizationColumns: readonly ExportColumn<Organization>[] = [
  text('id', ({ id }) => id),
  text('name', ({ name }) => name),
  text('external_id', ({ external_id }) => external_id),
  text('metadata_keys', ({ metadata }) => Object.keys(metadata).length),
  moment('created_at', ({ created_at }) => created_at),
]

/** Columns of representatives. Contact data, the date of birth and the tax number are left out. */
export const representativeColumns: readonly ExportColumn<Representative>[] = [
  text('id', ({ id }) => id),
  text('name', ({ name, first_name, last_name }) => name ?? [first_name, last_name].filter(Boolean).join(' ')),
  text('status', ({ status }) => status),
  text('reason', ({ status_detail }) => status_detail?.reason),
  text('relationship', relationshipText),
  text('title', ({ relationship }) => relationship?.title),
  account(({ account_id }) => account_id),
  text('external_id', ({ external_id }) => external_id),
  moment('created_at', ({ created_at }) => created_at),
]

/** Columns of linked bank accounts, with the last four digits of the number, as in the list. */
export const linkedColumns: readonly ExportColumn<LinkedBankAccount>[] = [
  text('id', ({ id }) => id),
  text('bank', ({ bank_account }) => bank_account?.institution_name),
  text('status', ({ status }) => status),
  text('reason', ({ status_detail }) => status_detail?.reason),
  text('account_number', ({ bank_account }) => bank_account?.account_mask),
  text('account_holder', ({ bank_account }) => bank_account?.account_holder),
  text('purposes', ({ purposes }) => purposes.join(' ')),
  account(({ account_id }) => account_id),
  text('description', ({ description }) => description),
  moment('created_at', ({ created_at }) => created_at),
]

/** Columns of customers. Contact data is left out. */
export const customerColumns: readonly ExportColumn<CustomerSummary>[] = [
  text('id', ({ id }) => id),
  text('name', ({ name }) => name),
  text('status', ({ status }) => status),
  text('type', ({ type }) => type),
  account(),
  text('external_id', ({ external_id }) => external_id),
  moment('created_at', ({ created_at }) => created_at),
  moment('updated_at', ({ updated_at }) => updated_at),
]

/** Columns of paykeys, with the last four digits of the account number, as in the list. */
export const paykeyColumns: readonly ExportColumn<PaykeySummary>[] = [
  text('id', ({ id }) => id),
  text('label', ({ label }) => label),
  text('status', ({ status }) => status),
  text('reason', ({ status_details }) => status_details?.reason),
  text('source_of_reason', ({ status_details }) => status_details?.source),
  text('code', ({ status_details }) => status_details?.code),
  yesNo('unblock_eligible', ({ unblock_eligible }) => unblock_eligible),
  text('bank', ({ institution_name }) => institution_name),
  text('account_number', ({ bank_data }) => bank_data?.account_number),
  text('account_type', ({ bank_data }) => bank_data?.account_type),
  text('connected_by', ({ source }) => source),
  account(),
  text('customer_id', ({ customer_id }) => customer_id),
  text('external_id', ({ external_id }) => external_id),
  moment('created_at', ({ created_at }) => created_at),
  moment('expires_at', ({ expires_at }) => expires_at),
]

/** Columns of charges and payouts. Contact data is left out. */
export const paymentColumns: readonly ExportColumn<PaymentSummary>[] = [
  text('id', ({ id }) => id),
  text('type', ({ payment_type }) => payment_type),
  text('status', ({ status }) => status),
  text('reason', ({ status_details }) => status_details?.reason),
  text('source', ({ status_details }) => status_details?.source),
  text('code', ({ status_details }) => status_details?.code),
  money('amount', ({ amount }) => amount),
  text('currency', ({ currency }) => currency),
  account(),
  text('customer_id', ({ customer_details }) => customer_details?.id),
  text('customer_name', ({ customer_details }) => customer_details?.name),
  text('bank_account', ({ paykey_details }) => paykey_details?.label),
  text('payment_date', ({ payment_date }) => payment_date),
  moment('created_at', ({ created_at }) => created_at),
  moment('effective_at', ({ effective_at }) => effective_at),
  text('external_id', ({ external_id }) => external_id),
  text('description', ({ description }) => description),
  yesNo('is_refund', ({ is_refund }) => is_refund),
  yesNo('is_resubmit', ({ is_resubmit }) => is_resubmit),
  text('funding_events', ({ funding_ids }) => funding_ids.join(' ')),
  text('related_payments', ({ related_payments }) => related_payments.map(({ id, relationship }) => `${relationship}:${id}`).join(' ')),
]

/** Returns the amount of a funding event as the list shows it, from the view of the linked bank account: outgoing money is negative. */
function flowOf(event: FundingEventSummary): string {
  const { amount } = event
  if (flowSign(event, env().amountUnit) === 1) return amount
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`
}

export const fundingColumns: readonly ExportColumn<FundingEventSummary>[] = [
  text('id', ({ id }) => id),
  text('type', ({ event_type }) => event_type),
  text('status', ({ status }) => status),
  text('reason', ({ status_details }) => status_details?.reason),
  text('code', ({ status_details }) => status_details?.code),
  text('direction', ({ direction }) => direction),
  money('amount', flowOf),
  account(),
  text('payments', ({ payment_count }) => payment_count),
  text('transfer_date', ({ transfer_date }) => transfer_date),
  text('trace_numbers', ({ trace_number, trace_numbers }) => [...new Set([trace_number, ...trace_numbers])].filter(Boolean).join(' ')),
  moment('created_at', ({ created_at }) => created_at),
]

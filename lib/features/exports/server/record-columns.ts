import 'server-only'
import { summarizeCapabilities } from '@/lib/domain/account-labels'
import { formatRelationships } from '@/lib/features/accounts/representatives/rules'
import { getFlowSign } from '@/lib/features/funding/sum'
import type { Account } from '@/lib/operations/accounts.schema'
import type { CustomerSummary } from '@/lib/operations/customers.schema'
import type { FundingEventSummary } from '@/lib/operations/funding-events.schema'
import type { LinkedBankAccount } from '@/lib/operations/linked-bank-accounts.schema'
import type { Organization } from '@/lib/operations/organizations.schema'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import type { Representative } from '@/lib/operations/representatives.schema'
import { formatAccountId } from '@/lib/server/auth/scoped-account'
import { env } from '@/lib/server/config/env'
import {
  createAccountColumn,
  createMoneyColumn,
  createTextColumn,
  createTimeColumn,
  createYesNoColumn,
  type ExportColumn,
  formatPlainAmount,
} from './csv'

/** Limits are always whole cents, unlike amounts of payments (interface document, "Limits"). */
const formatLimit = (cents: number | undefined) =>
  cents === undefined ? '' : formatPlainAmount(cents)

/** Columns of accounts. Contact data and the tax ID are left out. */
export const accountColumns: readonly ExportColumn<Account>[] = [
  createTextColumn('id', ({ id }) => formatAccountId(id)),
  createTextColumn('name', ({ business_profile }) => business_profile?.name),
  createTextColumn('status', ({ status }) => status),
  createTextColumn('reason', ({ status_detail }) => status_detail?.reason),
  createTextColumn('legal_name', ({ business_profile }) => business_profile?.legal_name),
  createTextColumn('organization_id', ({ organization_id }) => organization_id),
  createTextColumn('external_id', ({ external_id }) => external_id),
  createTextColumn('capabilities', summarizeCapabilities),
  createTextColumn('charge_up_to', ({ settings }) => formatLimit(settings?.charges?.max_amount)),
  createTextColumn('payout_up_to', ({ settings }) => formatLimit(settings?.payouts?.max_amount)),
  createTimeColumn('created_at', ({ created_at }) => created_at),
]

export const organizationColumns: readonly ExportColumn<Organization>[] = [
  createTextColumn('id', ({ id }) => id),
  createTextColumn('name', ({ name }) => name),
  createTextColumn('external_id', ({ external_id }) => external_id),
  createTextColumn('metadata_keys', ({ metadata }) => Object.keys(metadata).length),
  createTimeColumn('created_at', ({ created_at }) => created_at),
]

/** Columns of representatives. Contact data, the date of birth and the tax number are left out. */
export const representativeColumns: readonly ExportColumn<Representative>[] = [
  createTextColumn('id', ({ id }) => id),
  createTextColumn(
    'name',
    ({ name, first_name, last_name }) => name ?? [first_name, last_name].filter(Boolean).join(' '),
  ),
  createTextColumn('status', ({ status }) => status),
  createTextColumn('reason', ({ status_detail }) => status_detail?.reason),
  createTextColumn('relationship', formatRelationships),
  createTextColumn('title', ({ relationship }) => relationship?.title),
  createAccountColumn(({ account_id }) => account_id),
  createTextColumn('external_id', ({ external_id }) => external_id),
  createTimeColumn('created_at', ({ created_at }) => created_at),
]

/** Columns of linked bank accounts, with the last four digits of the number, as in the list. */
export const linkedBankColumns: readonly ExportColumn<LinkedBankAccount>[] = [
  createTextColumn('id', ({ id }) => id),
  createTextColumn('bank', ({ bank_account }) => bank_account?.institution_name),
  createTextColumn('status', ({ status }) => status),
  createTextColumn('reason', ({ status_detail }) => status_detail?.reason),
  createTextColumn('account_number', ({ bank_account }) => bank_account?.account_mask),
  createTextColumn('account_holder', ({ bank_account }) => bank_account?.account_holder),
  createTextColumn('purposes', ({ purposes }) => purposes.join(' ')),
  createAccountColumn(({ account_id }) => account_id),
  createTextColumn('description', ({ description }) => description),
  createTimeColumn('created_at', ({ created_at }) => created_at),
]

/** Columns of customers. Contact data is left out. */
export const customerColumns: readonly ExportColumn<CustomerSummary>[] = [
  createTextColumn('id', ({ id }) => id),
  createTextColumn('name', ({ name }) => name),
  createTextColumn('status', ({ status }) => status),
  createTextColumn('type', ({ type }) => type),
  createAccountColumn(),
  createTextColumn('external_id', ({ external_id }) => external_id),
  createTimeColumn('created_at', ({ created_at }) => created_at),
  createTimeColumn('updated_at', ({ updated_at }) => updated_at),
]

/** Columns of paykeys, with the last four digits of the account number, as in the list. */
export const paykeyColumns: readonly ExportColumn<PaykeySummary>[] = [
  createTextColumn('id', ({ id }) => id),
  createTextColumn('label', ({ label }) => label),
  createTextColumn('status', ({ status }) => status),
  createTextColumn('reason', ({ status_details }) => status_details?.reason),
  createTextColumn('source_of_reason', ({ status_details }) => status_details?.source),
  createTextColumn('code', ({ status_details }) => status_details?.code),
  createYesNoColumn('unblock_eligible', ({ unblock_eligible }) => unblock_eligible),
  createTextColumn('bank', ({ institution_name }) => institution_name),
  createTextColumn('account_number', ({ bank_data }) => bank_data?.account_number),
  createTextColumn('account_type', ({ bank_data }) => bank_data?.account_type),
  createTextColumn('connected_by', ({ source }) => source),
  createAccountColumn(),
  createTextColumn('customer_id', ({ customer_id }) => customer_id),
  createTextColumn('external_id', ({ external_id }) => external_id),
  createTimeColumn('created_at', ({ created_at }) => created_at),
  createTimeColumn('expires_at', ({ expires_at }) => expires_at),
]

/** Columns of charges and payouts. Contact data is left out. */
export const paymentColumns: readonly ExportColumn<PaymentSummary>[] = [
  createTextColumn('id', ({ id }) => id),
  createTextColumn('type', ({ payment_type }) => payment_type),
  createTextColumn('status', ({ status }) => status),
  createTextColumn('reason', ({ status_details }) => status_details?.reason),
  createTextColumn('source', ({ status_details }) => status_details?.source),
  createTextColumn('code', ({ status_details }) => status_details?.code),
  createTextColumn('status_message', ({ status_details }) => status_details?.message),
  createMoneyColumn('amount', ({ amount }) => amount),
  createTextColumn('currency', ({ currency }) => currency),
  createAccountColumn(),
  createTextColumn('customer_id', ({ customer_details }) => customer_details?.id),
  createTextColumn('customer_name', ({ customer_details }) => customer_details?.name),
  createTextColumn('paykey_id', ({ paykey_details }) => paykey_details?.id),
  createTextColumn('bank_account', ({ paykey_details }) => paykey_details?.label),
  createTextColumn('trace_numbers', ({ trace_ids }) => Object.values(trace_ids).join(' ')),
  createTextColumn('payment_date', ({ payment_date }) => payment_date),
  createTimeColumn('created_at', ({ created_at }) => created_at),
  createTimeColumn('effective_at', ({ effective_at }) => effective_at),
  createTimeColumn('updated_at', ({ updated_at }) => updated_at),
  createTextColumn('external_id', ({ external_id }) => external_id),
  createTextColumn('description', ({ description }) => description),
  createYesNoColumn('is_refund', ({ is_refund }) => is_refund),
  createYesNoColumn('is_resubmit', ({ is_resubmit }) => is_resubmit),
  createTextColumn('funding_events', ({ funding_ids }) => funding_ids.join(' ')),
  createTextColumn('related_payments', ({ related_payments }) =>
    related_payments.map(({ id, relationship }) => `${relationship}:${id}`).join(' '),
  ),
]

/**
 * Returns the amount as the list shows it, seen from the linked bank account: outgoing money is
 * negative.
 */
function toSignedAmount(event: FundingEventSummary): string {
  const { amount } = event
  if (getFlowSign(event, env().amountUnit) === 1) return amount
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`
}

export const fundingColumns: readonly ExportColumn<FundingEventSummary>[] = [
  createTextColumn('id', ({ id }) => id),
  createTextColumn('type', ({ event_type }) => event_type),
  createTextColumn('status', ({ status }) => status),
  createTextColumn('reason', ({ status_details }) => status_details?.reason),
  createTextColumn('code', ({ status_details }) => status_details?.code),
  createTextColumn('direction', ({ direction }) => direction),
  createMoneyColumn('amount', toSignedAmount),
  createAccountColumn(),
  createTextColumn('payments', ({ payment_count }) => payment_count),
  createTextColumn('transfer_date', ({ transfer_date }) => transfer_date),
  createTextColumn('trace_numbers', ({ trace_number, trace_numbers }) =>
    [...new Set([trace_number, ...trace_numbers])].filter(Boolean).join(' '),
  ),
  createTimeColumn('created_at', ({ created_at }) => created_at),
]

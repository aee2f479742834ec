import 'server-only'
import { summarizeCapabilities } from '@/lib/domain/account-labels'
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
import { accountColumn, type ExportColumn, moneyColumn, plainAmount, textColumn, timeColumn, yesNoColumn } from './csv'

/** Formats a limit. Limits are always whole cents, while the unit of payment amounts is configured (interface document, "Limits"). */
const formatLimit = (cents: number | undefined) => (cents === undefined ? '' : plainAmount(cents))

/** Columns of accounts. Contact data and the tax ID are left out. */
export const accountColumns: readonly ExportColumn<Account>[] = [
  textColumn('id', ({ id }) => accountText(id)),
  textColumn('name', ({ business_profile }) => business_profile?.name),
  textColumn('status', ({ status }) => status),
  textColumn('reason', ({ status_detail }) => status_detail?.reason),
  textColumn('legal_name', ({ business_profile }) => business_profile?.legal_name),
  textColumn('organization_id', ({ organization_id }) => organization_id),
  textColumn('external_id', ({ external_id }) => external_id),
  textColumn('capabilities', summarizeCapabilities),
  textColumn('charge_up_to', ({ settings }) => formatLimit(settings?.charges?.max_amount)),
  textColumn('payout_up_to', ({ settings }) => formatLimit(settings?.payouts?.max_amount)),
  timeColumn('created_at', ({ created_at }) => created_at),
]

export const organizationColumns: readonly ExportColumn<Organization>[] = [
  textColumn('id', ({ id }) => id),
  textColumn('name', ({ name }) => name),
  textColumn('external_id', ({ external_id }) => external_id),
  textColumn('metadata_keys', ({ metadata }) => Object.keys(metadata).length),
  timeColumn('created_at', ({ created_at }) => created_at),
]

/** Columns of representatives. Contact data, the date of birth and the tax number are left out. */
export const representativeColumns: readonly ExportColumn<Representative>[] = [
  textColumn('id', ({ id }) => id),
  textColumn('name', ({ name, first_name, last_name }) => name ?? [first_name, last_name].filter(Boolean).join(' ')),
  textColumn('status', ({ status }) => status),
  textColumn('reason', ({ status_detail }) => status_detail?.reason),
  textColumn('relationship', relationshipText),
  textColumn('title', ({ relationship }) => relationship?.title),
  accountColumn(({ account_id }) => account_id),
  textColumn('external_id', ({ external_id }) => external_id),
  timeColumn('created_at', ({ created_at }) => created_at),
]

/** Columns of linked bank accounts, with the last four digits of the number, as in the list. */
export const linkedColumns: readonly ExportColumn<LinkedBankAccount>[] = [
  textColumn('id', ({ id }) => id),
  textColumn('bank', ({ bank_account }) => bank_account?.institution_name),
  textColumn('status', ({ status }) => status),
  textColumn('reason', ({ status_detail }) => status_detail?.reason),
  textColumn('account_number', ({ bank_account }) => bank_account?.account_mask),
  textColumn('account_holder', ({ bank_account }) => bank_account?.account_holder),
  textColumn('purposes', ({ purposes }) => purposes.join(' ')),
  accountColumn(({ account_id }) => account_id),
  textColumn('description', ({ description }) => description),
  timeColumn('created_at', ({ created_at }) => created_at),
]

/** Columns of customers. Contact data is left out. */
export const customerColumns: readonly ExportColumn<CustomerSummary>[] = [
  textColumn('id', ({ id }) => id),
  textColumn('name', ({ name }) => name),
  textColumn('status', ({ status }) => status),
  textColumn('type', ({ type }) => type),
  accountColumn(),
  textColumn('external_id', ({ external_id }) => external_id),
  timeColumn('created_at', ({ created_at }) => created_at),
  timeColumn('updated_at', ({ updated_at }) => updated_at),
]

/** Columns of paykeys, with the last four digits of the account number, as in the list. */
export const paykeyColumns: readonly ExportColumn<PaykeySummary>[] = [
  textColumn('id', ({ id }) => id),
  textColumn('label', ({ label }) => label),
  textColumn('status', ({ status }) => status),
  textColumn('reason', ({ status_details }) => status_details?.reason),
  textColumn('source_of_reason', ({ status_details }) => status_details?.source),
  textColumn('code', ({ status_details }) => status_details?.code),
  yesNoColumn('unblock_eligible', ({ unblock_eligible }) => unblock_eligible),
  textColumn('bank', ({ institution_name }) => institution_name),
  textColumn('account_number', ({ bank_data }) => bank_data?.account_number),
  textColumn('account_type', ({ bank_data }) => bank_data?.account_type),
  textColumn('connected_by', ({ source }) => source),
  accountColumn(),
  textColumn('customer_id', ({ customer_id }) => customer_id),
  textColumn('external_id', ({ external_id }) => external_id),
  timeColumn('created_at', ({ created_at }) => created_at),
  timeColumn('expires_at', ({ expires_at }) => expires_at),
]

/** Columns of charges and payouts. Contact data is left out. */
export const paymentColumns: readonly ExportColumn<PaymentSummary>[] = [
  textColumn('id', ({ id }) => id),
  textColumn('type', ({ payment_type }) => payment_type),
  textColumn('status', ({ status }) => status),
  textColumn('reason', ({ status_details }) => status_details?.reason),
  textColumn('source', ({ status_details }) => status_details?.source),
  textColumn('code', ({ status_details }) => status_details?.code),
  moneyColumn('amount', ({ amount }) => amount),
  textColumn('currency', ({ currency }) => currency),
  accountColumn(),
  textColumn('customer_id', ({ customer_details }) => customer_details?.id),
  textColumn('customer_name', ({ customer_details }) => customer_details?.name),
  textColumn('bank_account', ({ paykey_details }) => paykey_details?.label),
  textColumn('payment_date', ({ payment_date }) => payment_date),
  timeColumn('created_at', ({ created_at }) => created_at),
  timeColumn('effective_at', ({ effective_at }) => effective_at),
  textColumn('external_id', ({ external_id }) => external_id),
  textColumn('description', ({ description }) => description),
  yesNoColumn('is_refund', ({ is_refund }) => is_refund),
  yesNoColumn('is_resubmit', ({ is_resubmit }) => is_resubmit),
  textColumn('funding_events', ({ funding_ids }) => funding_ids.join(' ')),
  textColumn('related_payments', ({ related_payments }) =>
    related_payments.map(({ id, relationship }) => `${relationship}:${id}`).join(' '),
  ),
]

/** Returns the amount of a funding event as the list shows it, from the view of the linked bank account: outgoing money is negative. */
function toSignedAmount(event: FundingEventSummary): string {
  const { amount } = event
  if (flowSign(event, env().amountUnit) === 1) return amount
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`
}

export const fundingColumns: readonly ExportColumn<FundingEventSummary>[] = [
  textColumn('id', ({ id }) => id),
  textColumn('type', ({ event_type }) => event_type),
  textColumn('status', ({ status }) => status),
  textColumn('reason', ({ status_details }) => status_details?.reason),
  textColumn('code', ({ status_details }) => status_details?.code),
  textColumn('direction', ({ direction }) => direction),
  moneyColumn('amount', toSignedAmount),
  accountColumn(),
  textColumn('payments', ({ payment_count }) => payment_count),
  textColumn('transfer_date', ({ transfer_date }) => transfer_date),
  textColumn('trace_numbers', ({ trace_number, trace_numbers }) =>
    [...new Set([trace_number, ...trace_numbers])].filter(Boolean).join(' '),
  ),
  timeColumn('created_at', ({ created_at }) => created_at),
]

import 'server-only'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { CustomerSummary } from '@/lib/operations/customers.schema'
import type { FundingEventSummary } from '@/lib/operations/funding-events.schema'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'
import { type PaymentSummary, paymentSummary } from '@/lib/operations/payments.schema'
import { type Output, schemasByOperation } from '@/lib/operations/registry'
import { toServiceResource } from '@/lib/operations/service-operations'
import type { RecordResource } from '@/lib/routes'
import {
  mirrorAccountSettings,
  mirrorAccounts,
  mirrorCapabilityRequests,
  mirrorCustomers,
  mirrorLinkedBankAccounts,
  mirrorOrganizations,
  mirrorRepresentatives,
} from '@/lib/server/store/schema/mirror'
import {
  mirrorFundingEvents,
  mirrorPaykeys,
  mirrorPayments,
} from '@/lib/server/store/schema/mirror-payments'
import * as columns from './columns'

type Metadata = Pick<PaymentSummary, 'metadata'>
type PaymentRecord = Output<'payouts.get'> | Output<'charges.get'>

/** Objects in list form or from a single read, parsed by the output schema of the operation. */
export type MirroredObjects = {
  /** `metadata` is missing if the search did not request it: the mirror then keeps its own. */
  payments: Omit<PaymentSummary, 'metadata'> & Partial<Metadata>
  payouts: Output<'payouts.get'>
  charges: Output<'charges.get'>
  customers: CustomerSummary | Output<'customers.get'>
  paykeys: PaykeySummary | Output<'paykeys.get'>
  funding_events: FundingEventSummary | Output<'funding_events.get'>
  accounts: Output<'accounts.get'>
  /** `id` is the account's id. */
  account_settings: Output<'account_settings.get'> & { id: string }
  capability_requests: Output<'capability_requests.list'>[number]
  organizations: Output<'organizations.get'>
  representatives: Output<'representatives.get'>
  linked_bank_accounts: Output<'linked_bank_accounts.get'>
}

export type MirroredResource = keyof MirroredObjects

export const toMirrorTableResource = (resource: MirroredResource) =>
  resource === 'payouts' || resource === 'charges' ? 'payments' : resource

/**
 * `record` is the object from a single read, null if it comes from a list. `account` null means the
 * platform; undefined means that objects of this resource do not contain it.
 */
export type MirrorRowParts = {
  object: { id: string }
  record: object | null
  columns: columns.ColumnValues
  account?: string | null | undefined
}

type MirrorTable<K extends MirroredResource> = {
  table: PgTable
  row: (object: MirroredObjects[K]) => MirrorRowParts
}

type UnreadableEntry = { field: string }

function pickListFields<T extends object>(object: object, fields: ReadonlySet<string>): T {
  const { unreadable, ...parts } = object as { unreadable?: UnreadableEntry[] }
  const unreadableEntries =
    unreadable?.filter(({ field }) => fields.has(field.split('.')[0] ?? '')) ?? []
  const listedFields = Object.fromEntries(
    Object.entries(parts).filter(([field]) => fields.has(field)),
  )
  return (
    unreadableEntries.length > 0 ? { ...listedFields, unreadable: unreadableEntries } : listedFields
  ) as T
}

const toFieldNames = (shape: object): ReadonlySet<string> => new Set(Object.keys(shape))

const paymentFieldNames = toFieldNames(paymentSummary.in.shape)

/** `unlisted` are the fields that the list form lacks. */
export function getRecordFieldNames(id: `${RecordResource}.get`): {
  all: string[]
  unlisted: string[]
} {
  const { output } = schemasByOperation[id]
  const allFieldNames = Object.keys('shape' in output ? output.shape : output.in.shape)
  const resource = toServiceResource(id) as RecordResource
  const isPayment = resource === 'payouts' || resource === 'charges'
  const listFieldNames = isPayment
    ? paymentFieldNames
    : toFieldNames(schemasByOperation[`${resource}.list`].output.element.shape)
  return {
    all: allFieldNames,
    unlisted: allFieldNames.filter((field) => !listFieldNames.has(field)),
  }
}

/** A charge is never a refund, and a payout is never refunded. */
function toPaymentSummary(
  payment: PaymentRecord,
  payment_type: 'charge' | 'payout',
): PaymentSummary {
  const refundFlags = payment_type === 'charge' ? { is_refund: false } : { has_refund: false }
  return {
    ...refundFlags,
    ...pickListFields<PaymentSummary>(payment, paymentFieldNames),
    payment_type,
    created_at: payment.created_at ?? '',
  }
}

const toPaymentRow = (payment: PaymentRecord, type: 'charge' | 'payout'): MirrorRowParts => {
  const object = toPaymentSummary(payment, type)
  return { object, record: payment, columns: columns.toPaymentColumns(object) }
}

/** An object with a field that its list form lacks is from a single read. */
function createMirrorRowConverter<S extends { id: string }>(
  fields: ReadonlySet<string>,
  toColumns: (summary: S) => columns.ColumnValues,
) {
  return (object: S): MirrorRowParts => {
    const isSingleRead = Object.keys(object).some(
      (field) => field !== 'unreadable' && !fields.has(field),
    )
    const summary = isSingleRead ? pickListFields<S>(object, fields) : object
    return { object: summary, record: isSingleRead ? object : null, columns: toColumns(summary) }
  }
}

const toRowWithoutRecord = <T extends { id: string }>(
  object: T,
  toColumns: (object: T) => columns.ColumnValues,
) => ({
  object,
  record: null,
  columns: toColumns(object),
})

export const mirrorTables: { [K in MirroredResource]: MirrorTable<K> } = {
  payments: {
    table: mirrorPayments,
    row: (payment) => toRowWithoutRecord(payment, columns.toPaymentColumns),
  },
  payouts: { table: mirrorPayments, row: (payout) => toPaymentRow(payout, 'payout') },
  charges: { table: mirrorPayments, row: (charge) => toPaymentRow(charge, 'charge') },
  customers: {
    table: mirrorCustomers,
    row: createMirrorRowConverter(
      toFieldNames(schemasByOperation['customers.list'].output.element.shape),
      columns.toCustomerColumns,
    ),
  },
  paykeys: {
    table: mirrorPaykeys,
    row: createMirrorRowConverter(
      toFieldNames(schemasByOperation['paykeys.list'].output.element.shape),
      columns.toPaykeyColumns,
    ),
  },
  funding_events: {
    table: mirrorFundingEvents,
    row: createMirrorRowConverter(
      toFieldNames(schemasByOperation['funding_events.list'].output.element.shape),
      columns.toFundingEventColumns,
    ),
  },
  accounts: {
    table: mirrorAccounts,
    row: (account) => ({
      ...toRowWithoutRecord(account, columns.toAccountColumns),
      account: account.id,
    }),
  },
  account_settings: {
    table: mirrorAccountSettings,
    row: (settings) => ({ object: settings, record: null, columns: {}, account: settings.id }),
  },
  capability_requests: {
    table: mirrorCapabilityRequests,
    row: (request) => ({
      ...toRowWithoutRecord(request, columns.toCapabilityRequestColumns),
      account: request.account_id,
    }),
  },
  organizations: {
    table: mirrorOrganizations,
    row: (organization) => ({
      ...toRowWithoutRecord(organization, columns.toOrganizationColumns),
      account: null,
    }),
  },
  representatives: {
    table: mirrorRepresentatives,
    row: (representative) => ({
      ...toRowWithoutRecord(representative, columns.toRepresentativeColumns),
      account: representative.account_id,
    }),
  },
  linked_bank_accounts: {
    table: mirrorLinkedBankAccounts,
    row: (linked) => ({
      ...toRowWithoutRecord(linked, columns.toLinkedBankAccountColumns),
      account: linked.account_id ?? null,
    }),
  },
}

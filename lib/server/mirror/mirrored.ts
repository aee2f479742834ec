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
type PaymentShape = Output<'payouts.get'> | Output<'charges.get'>

/**
 * The objects of each mirrored resource, that is, each resource of which we store a copy. They are
 * in list form or from a single read, and were parsed by the output schema of the operation.
 */
export type MirroredObjects = {
  /**
   * Without `metadata` if the search did not request it. Then the mirror keeps the metadata that it
   * already has.
   */
  payments: Omit<PaymentSummary, 'metadata'> & Partial<Metadata>
  payouts: Output<'payouts.get'>
  charges: Output<'charges.get'>
  customers: CustomerSummary | Output<'customers.get'>
  paykeys: PaykeySummary | Output<'paykeys.get'>
  funding_events: FundingEventSummary | Output<'funding_events.get'>
  accounts: Output<'accounts.get'>
  /** The settings of an account, with the account's id as `id`. */
  account_settings: Output<'account_settings.get'> & { id: string }
  capability_requests: Output<'capability_requests.list'>[number]
  organizations: Output<'organizations.get'>
  representatives: Output<'representatives.get'>
  linked_bank_accounts: Output<'linked_bank_accounts.get'>
}

export type MirroredResource = keyof MirroredObjects

/** Returns the resource whose table contains the rows. Payouts and charges are payments. */
export const toTableResource = (resource: MirroredResource) =>
  resource === 'payouts' || resource === 'charges' ? 'payments' : resource

/**
 * The parts of a mirror row. `record` is the object from a single read, null if it comes from a
 * list. `account` is the account in the object: null means the platform, undefined means that
 * objects of this resource do not contain it.
 */
export type RowParts = {
  object: { id: string }
  record: object | null
  columns: columns.ColumnValues
  account?: string | null | undefined
}

type MirrorTable<K extends MirroredResource> = {
  table: PgTable
  row: (object: MirroredObjects[K]) => RowParts
}

type UnreadableEntry = { field: string }

/** Returns the fields of an object that its list form also has. */
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

const paymentFields = toFieldNames(paymentSummary.in.shape)

/**
 * Returns the fields of an object from a single read (`all`), and those that its list form lacks
 * (`unlisted`).
 */
export function readRecordFields(id: `${RecordResource}.get`): {
  all: string[]
  unlisted: string[]
} {
  const { output } = schemasByOperation[id]
  const allFields = Object.keys('shape' in output ? output.shape : output.in.shape)
  const resource = toServiceResource(id) as RecordResource
  const isPayment = resource === 'payouts' || resource === 'charges'
  const listedNames = isPayment
    ? paymentFields
    : toFieldNames(schemasByOperation[`${resource}.list`].output.element.shape)
  return { all: allFields, unlisted: allFields.filter((field) => !listedNames.has(field)) }
}

/**
 * Returns a payment in list form. Adds the refund flag that must be false: a charge is never a
 * refund, and a payout is never refunded.
 */
function toListForm(payment: PaymentShape, payment_type: 'charge' | 'payout'): PaymentSummary {
  const refundFlags = payment_type === 'charge' ? { is_refund: false } : { has_refund: false }
  return {
    ...refundFlags,
    ...pickListFields<PaymentSummary>(payment, paymentFields),
    payment_type,
    created_at: payment.created_at ?? '',
  }
}

const toPaymentRow = (payment: PaymentShape, type: 'charge' | 'payout'): RowParts => {
  const object = toListForm(payment, type)
  return { object, record: payment, columns: columns.toPaymentColumns(object) }
}

/**
 * Returns the function that splits an object into the parts of its mirror row. For a resource whose
 * lists have fewer fields than a single read: an object with any other field is from a single read.
 */
function createRowFunction<S extends { id: string }>(
  fields: ReadonlySet<string>,
  toColumns: (summary: S) => columns.ColumnValues,
) {
  return (object: S): RowParts => {
    const isSingleRead = Object.keys(object).some(
      (field) => field !== 'unreadable' && !fields.has(field),
    )
    const summary = isSingleRead ? pickListFields<S>(object, fields) : object
    return { object: summary, record: isSingleRead ? object : null, columns: toColumns(summary) }
  }
}

const toListRow = <T extends { id: string }>(
  object: T,
  toColumns: (object: T) => columns.ColumnValues,
) => ({
  object,
  record: null,
  columns: toColumns(object),
})

/** The table of each resource, and the function that splits an object into the parts of its row. */
export const mirrorTables: { [K in MirroredResource]: MirrorTable<K> } = {
  payments: {
    table: mirrorPayments,
    row: (payment) => toListRow(payment, columns.toPaymentColumns),
  },
  payouts: { table: mirrorPayments, row: (payout) => toPaymentRow(payout, 'payout') },
  charges: { table: mirrorPayments, row: (charge) => toPaymentRow(charge, 'charge') },
  customers: {
    table: mirrorCustomers,
    row: createRowFunction(
      toFieldNames(schemasByOperation['customers.list'].output.element.shape),
      columns.toCustomerColumns,
    ),
  },
  paykeys: {
    table: mirrorPaykeys,
    row: createRowFunction(
      toFieldNames(schemasByOperation['paykeys.list'].output.element.shape),
      columns.toPaykeyColumns,
    ),
  },
  funding_events: {
    table: mirrorFundingEvents,
    row: createRowFunction(
      toFieldNames(schemasByOperation['funding_events.list'].output.element.shape),
      columns.toFundingEventColumns,
    ),
  },
  accounts: {
    table: mirrorAccounts,
    row: (account) => ({ ...toListRow(account, columns.toAccountColumns), account: account.id }),
  },
  account_settings: {
    table: mirrorAccountSettings,
    row: (settings) => ({ object: settings, record: null, columns: {}, account: settings.id }),
  },
  capability_requests: {
    table: mirrorCapabilityRequests,
    row: (request) => ({
      ...toListRow(request, columns.toCapabilityRequestColumns),
      account: request.account_id,
    }),
  },
  organizations: {
    table: mirrorOrganizations,
    row: (organization) => ({
      ...toListRow(organization, columns.toOrganizationColumns),
      account: null,
    }),
  },
  representatives: {
    table: mirrorRepresentatives,
    row: (representative) => ({
      ...toListRow(representative, columns.toRepresentativeColumns),
      account: representative.account_id,
    }),
  },
  linked_bank_accounts: {
    table: mirrorLinkedBankAccounts,
    row: (linked) => ({
      ...toListRow(linked, columns.toLinkedBankAccountColumns),
      account: linked.account_id ?? null,
    }),
  },
}

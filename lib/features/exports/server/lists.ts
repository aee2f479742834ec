import 'server-only'
import type { Output } from '@/lib/operations/registry'
import type { MirrorListId } from '@/lib/operations/service-operations'
import type { RecordResource } from '@/lib/routes'
import type { ExportColumn } from './csv'
import {
  accountColumns,
  customerColumns,
  fundingColumns,
  linkedColumns,
  organizationColumns,
  paykeyColumns,
  paymentColumns,
  representativeColumns,
} from './record-columns'

type Item<K extends MirrorListId> = Output<K>[number]

/** A list of the service that can be exported, sorted by id. */
export type ServiceList = {
  operation: MirrorListId
  many: string
  fixed?: Readonly<Record<string, string>>
  columns: readonly ExportColumn<never>[]
}

type TypedServiceList<K extends MirrorListId> = Omit<ServiceList, 'columns'> & {
  operation: K
  columns: readonly ExportColumn<Item<K>>[]
}

const list = <K extends MirrorListId>(typed: TypedServiceList<K>): ServiceList => typed

const payments = { operation: 'payments.search', columns: paymentColumns } as const

/** The lists of the service, by the resource that names their page. */
export const serviceLists: Readonly<Record<RecordResource | 'payments', ServiceList>> = {
  payments: list({ ...payments, many: 'payments' }),
  payouts: list({ ...payments, many: 'payouts', fixed: { payment_type: 'payout' } }),
  charges: list({ ...payments, many: 'charges', fixed: { payment_type: 'charge' } }),
  paykeys: list({
    operation: 'paykeys.list',
    many: 'paykeys',
    columns: paykeyColumns,
  }),
  customers: list({
    operation: 'customers.list',
    many: 'customers',
    columns: customerColumns,
  }),
  accounts: list({ operation: 'accounts.list', many: 'accounts', columns: accountColumns }),
  organizations: list({ operation: 'organizations.list', many: 'organizations', columns: organizationColumns }),
  representatives: list({ operation: 'representatives.list', many: 'representatives', columns: representativeColumns }),
  linked_bank_accounts: list({
    operation: 'linked_bank_accounts.list',
    many: 'linked bank accounts',
    columns: linkedColumns,
  }),
  funding_events: list({
    operation: 'funding_events.list',
    many: 'funding events',
    columns: fundingColumns,
  }),
}

import 'server-only'
import type { Output } from '@/lib/operations/registry'
import type { MirrorListId } from '@/lib/operations/service-operations'
import type { RecordResource } from '@/lib/routes'
import type { ExportColumn } from './csv'
import {
  accountColumns,
  customerColumns,
  fundingColumns,
  linkedBankColumns,
  organizationColumns,
  paykeyColumns,
  paymentColumns,
  representativeColumns,
} from './record-columns'

type ListItem<K extends MirrorListId> = Output<K>[number]

/** `many` is the plural noun for its rows. `fixed` contains filters that always apply. */
export type ServiceList = {
  operation: MirrorListId
  many: string
  fixed?: Readonly<Record<string, string>>
  columns: readonly ExportColumn<never>[]
}

type TypedServiceList<K extends MirrorListId> = Omit<ServiceList, 'columns'> & {
  operation: K
  columns: readonly ExportColumn<ListItem<K>>[]
}

const defineList = <K extends MirrorListId>(list: TypedServiceList<K>): ServiceList => list

const paymentsList = { operation: 'payments.search', columns: paymentColumns } as const

export const serviceLists: Readonly<Record<RecordResource | 'payments', ServiceList>> = {
  payments: defineList({ ...paymentsList, many: 'payments' }),
  payouts: defineList({ ...paymentsList, many: 'payouts', fixed: { payment_type: 'payout' } }),
  charges: defineList({ ...paymentsList, many: 'charges', fixed: { payment_type: 'charge' } }),
  paykeys: defineList({
    operation: 'paykeys.list',
    many: 'paykeys',
    columns: paykeyColumns,
  }),
  customers: defineList({
    operation: 'customers.list',
    many: 'customers',
    columns: customerColumns,
  }),
  accounts: defineList({ operation: 'accounts.list', many: 'accounts', columns: accountColumns }),
  organizations: defineList({
    operation: 'organizations.list',
    many: 'organizations',
    columns: organizationColumns,
  }),
  representatives: defineList({
    operation: 'representatives.list',
    many: 'representatives',
    columns: representativeColumns,
  }),
  linked_bank_accounts: defineList({
    operation: 'linked_bank_accounts.list',
    many: 'linked bank accounts',
    columns: linkedBankColumns,
  }),
  funding_events: defineList({
    operation: 'funding_events.list',
    many: 'funding events',
    columns: fundingColumns,
  }),
}

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
export type ServiceListDefinition = {
  operation: MirrorListId
  many: string
  fixed?: Readonly<Record<string, string>>
  columns: readonly ExportColumn<never>[]
}

type TypedServiceListDefinition<K extends MirrorListId> = Omit<ServiceListDefinition, 'columns'> & {
  operation: K
  columns: readonly ExportColumn<ListItem<K>>[]
}

const defineServiceList = <K extends MirrorListId>(
  list: TypedServiceListDefinition<K>,
): ServiceListDefinition => list

const paymentsList = { operation: 'payments.search', columns: paymentColumns } as const

export const serviceLists: Readonly<Record<RecordResource | 'payments', ServiceListDefinition>> = {
  payments: defineServiceList({ ...paymentsList, many: 'payments' }),
  payouts: defineServiceList({
    ...paymentsList,
    many: 'payouts',
    fixed: { payment_type: 'payout' },
  }),
  charges: defineServiceList({
    ...paymentsList,
    many: 'charges',
    fixed: { payment_type: 'charge' },
  }),
  paykeys: defineServiceList({
    operation: 'paykeys.list',
    many: 'paykeys',
    columns: paykeyColumns,
  }),
  customers: defineServiceList({
    operation: 'customers.list',
    many: 'customers',
    columns: customerColumns,
  }),
  accounts: defineServiceList({
    operation: 'accounts.list',
    many: 'accounts',
    columns: accountColumns,
  }),
  organizations: defineServiceList({
    operation: 'organizations.list',
    many: 'organizations',
    columns: organizationColumns,
  }),
  representatives: defineServiceList({
    operation: 'representatives.list',
    many: 'representatives',
    columns: representativeColumns,
  }),
  linked_bank_accounts: defineServiceList({
    operation: 'linked_bank_accounts.list',
    many: 'linked bank accounts',
    columns: linkedBankColumns,
  }),
  funding_events: defineServiceList({
    operation: 'funding_events.list',
    many: 'funding events',
    columns: fundingColumns,
  }),
}

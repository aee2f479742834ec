import 'server-only'
import { kindOf, resourceOfKind } from '@/lib/domain/payment-kind'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import type { Output } from '@/lib/operations/registry'
import type { ReadId } from '@/lib/operations/service-operations'
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

type ListId = { [K in ReadId]: Output<K> extends readonly { id: string }[] ? K : never }[ReadId]
type Item<K extends ListId> = Output<K>[number]

/**
 * A list of the service as a file. `sort`: an order in which what is made meanwhile comes last, so that a page that was written does not shift under
 * the next. `accountTarget`: the target under which the account of a row is indexed, for kinds that do not name it themselves.
 */
export type ServiceList = {
  operation: ListId
  many: string
  fixed?: Readonly<Record<string, string>>
  sort: 'id' | 'created_at'
  columns: readonly ExportColumn<never>[]
  accountTarget?: (item: never) => string | null
}

type Typed<K extends ListId> = Omit<ServiceList, 'columns' | 'accountTarget'> & {
  operation: K
  columns: readonly ExportColumn<Item<K>>[]
  accountTarget?: (item: Item<K>) => string | null
}

const list = <K extends ListId>(typed: Typed<K>): ServiceList => typed

function paymentTarget({ id, payment_type }: PaymentSummary): string | null {
  const kind = kindOf(payment_type)
  return kind && `${resourceOfKind[kind]}/${id}`
}

const payments = { operation: 'payments.search', sort: 'id', columns: paymentColumns, accountTarget: paymentTarget } as const

/** The lists of the service, by the resource that names their page. */
export const serviceLists: Readonly<Record<RecordResource | 'payments', ServiceList>> = {
  payments: list({ ...payments, many: 'payments' }),
  payouts: list({ ...payments, many: 'payouts', fixed: { payment_type: 'payout' } }),
  charges: list({ ...payments, many: 'charges', fixed: { payment_type: 'charge' } }),
  paykeys: list({
    operation: 'paykeys.list',
    many: 'paykeys',
    sort: 'created_at',
    columns: paykeyColumns,
    accountTarget: ({ id }) => `paykeys/${id}`,
  }),
  customers: list({
    operation: 'customers.list',
    many: 'customers',
    sort: 'created_at',
    columns: customerColumns,
    accountTarget: ({ id }) => `customers/${id}`,
  }),
  accounts: list({ operation: 'accounts.list', many: 'accounts', sort: 'id', columns: accountColumns }),
  organizations: list({ operation: 'organizations.list', many: 'organizations', sort: 'id', columns: organizationColumns }),
  representatives: list({ operation: 'representatives.list', many: 'representatives', sort: 'id', columns: representativeColumns }),
  linked_bank_accounts: list({
    operation: 'linked_bank_accounts.list',
    many: 'linked bank accounts',
    sort: 'id',
    columns: linkedColumns,
  }),
  funding_events: list({
    operation: 'funding_events.list',
    many: 'funding events',
    sort: 'id',
    columns: fundingColumns,
    accountTarget: ({ id }) => `funding_events/${id}`,
  }),
}

'use client'

import { lazy } from 'react'
import { Amount } from '@/components/kits/layout/amount'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { CalendarDate } from '@/components/kits/layout/relative-time'
import { AccountCell, buildCreatedColumn, queueNameClasses } from '@/components/kits/list/columns'
import { CreateLink } from '@/components/kits/list/create-link'
import type { TableProps } from '@/components/kits/list/list'
import { ListSplitView, type SplitViewProps } from '@/components/kits/list/split'
import { type ListColumn, ListTable, RowLink, useRowHref } from '@/components/kits/list/table'
import { paymentOperations } from '@/components/payments/operations'
import { ShortId } from '@/components/ui/copy-button'
import { hasAccountColumn, type PageContext } from '@/lib/client/page-context'
import type { PaymentKind } from '@/lib/domain/payment-kind'
import { whyNotAllowed } from '@/lib/domain/permissions'
import { getStateStartTime } from '@/lib/domain/status'
import { paymentNouns } from '@/lib/features/payments/labels'
import { getServiceOperation } from '@/lib/operations/service-operations'
import { newRecordPath } from '@/lib/routes'
import { dateColumnClasses, PaymentBankCell, StateCell, stateColumnClasses } from './cells'
import { type PaymentRow, paymentLists } from './lists'

export function NewPaymentLink({ kind }: { kind: PaymentKind }) {
  const context = usePageContext()
  const { resource, one } = paymentNouns[kind]
  const notAllowedReason = whyNotAllowed(
    context.person.roles,
    getServiceOperation(paymentOperations[kind].create),
  )
  return (
    <CreateLink
      href={newRecordPath(context, resource, { account: context.account })}
      disabledReason={notAllowedReason}
    >
      New {one}
    </CreateLink>
  )
}

type ColumnOptions = {
  kind: PaymentKind
  context: PageContext
  queue: boolean
  hrefOf: (row: PaymentRow) => string
}

function buildPaymentColumns({
  kind,
  context,
  queue,
  hrefOf,
}: ColumnOptions): readonly (ListColumn<PaymentRow> | null)[] {
  const { one, title, way, on } = paymentNouns[kind]
  return [
    queue
      ? buildCreatedColumn({
          id: 'age',
          waits: { word: 'held', since: getStateStartTime },
          className: '@min-[44rem]:w-36',
        })
      : buildCreatedColumn({ id: 'age', className: '@min-[44rem]:w-36' }),
    {
      id: 'amount',
      sort: 'amount',
      narrow: 'figure',
      align: 'end',
      header: 'Amount',
      cell: createAmountCell(context),
      className: '@min-[44rem]:w-28',
    },
    {
      id: 'customer',
      header: way === 'to' ? 'To' : 'From',
      narrow: 'title',
      cell: createCustomerCell(one, hrefOf),
      // A claim can appear in this cell of a queue.
      className: queue ? queueNameClasses : undefined,
    },
    {
      id: 'bank',
      header: 'Bank account',
      cell: (row) => <PaymentBankCell bank={row.bank} />,
      className: '@max-[68rem]:hidden',
    },
    {
      id: 'why',
      header: queue ? 'Why held' : 'Status',
      narrow: 'line',
      cell: (row) => <StateCell payment={row} queue={queue} />,
      className: stateColumnClasses,
    },
    hasAccountColumn(context, 'payments')
      ? {
          id: 'account',
          header: 'Account',
          cell: (row) => <AccountCell known={row.account} />,
        }
      : null,
    {
      id: 'date',
      sort: 'payment_date',
      header: on,
      cell: renderDateCell,
      className: dateColumnClasses,
    },
    {
      id: 'id',
      header: title,
      cell: (row) => <ShortId id={row.id} className="text-ink-3" />,
      className: '@max-[90rem]:hidden w-36',
    },
  ]
}

const createAmountCell = (context: PageContext) => (row: PaymentRow) => (
  <Amount
    raw={row.amount}
    currency={row.currency}
    unit={context.amountUnit}
    className="font-medium"
  />
)

const createCustomerCell = (one: string, hrefOf: ColumnOptions['hrefOf']) => (row: PaymentRow) => (
  <RowLink id={row.id} href={hrefOf(row)} hidden={`${one} ${row.id.slice(-6)}`}>
    <ExternalText>{row.customer ?? 'Unknown customer'}</ExternalText>
  </RowLink>
)

const renderDateCell = (row: PaymentRow) => (
  <span className="text-ink-2">
    {row.payment_date ? <CalendarDate date={row.payment_date} /> : 'unknown'}
  </span>
)

const PayoutPanel = lazy(() =>
  import('@/components/payments/record/panels').then((module) => ({ default: module.PayoutPanel })),
)
const ChargePanel = lazy(() =>
  import('@/components/payments/record/panels').then((module) => ({ default: module.ChargePanel })),
)
const PayoutPrefetch = lazy(() =>
  import('@/components/payments/record/panels').then((module) => ({
    default: module.PayoutPrefetch,
  })),
)
const ChargePrefetch = lazy(() =>
  import('@/components/payments/record/panels').then((module) => ({
    default: module.ChargePrefetch,
  })),
)

function PaymentTable({
  kind,
  rows,
  view,
  caption,
}: TableProps<PaymentRow> & { kind: PaymentKind }) {
  const context = usePageContext()
  const listSpec = paymentLists[kind]
  const toRowHref = useRowHref<PaymentRow>(listSpec)
  const columns = buildPaymentColumns({
    kind,
    context,
    queue: view.tab.queue === true,
    hrefOf: toRowHref,
  })
  return <ListTable spec={listSpec} view={view} caption={caption} rows={rows} columns={columns} />
}

export const PayoutTable = (props: TableProps<PaymentRow>) => (
  <PaymentTable {...props} kind="payout" />
)

export const ChargeTable = (props: TableProps<PaymentRow>) => (
  <PaymentTable {...props} kind="charge" />
)

export const PayoutSplitView = (props: SplitViewProps) => (
  <ListSplitView {...props} noun="payout" Panel={PayoutPanel} Prefetch={PayoutPrefetch} />
)

export const ChargeSplitView = (props: SplitViewProps) => (
  <ListSplitView {...props} noun="charge" Panel={ChargePanel} Prefetch={ChargePrefetch} />
)

'use client'

import { lazy } from 'react'
import { Amount } from '@/components/kits/layout/amount'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RecordStatusBadge } from '@/components/kits/layout/panel'
import { CalendarDate } from '@/components/kits/layout/relative-time'
import { AccountCell } from '@/components/kits/list/columns'
import type { TableProps } from '@/components/kits/list/list'
import { ListSplitView, type SplitViewProps } from '@/components/kits/list/split'
import { type ListColumn, ListTable, RowLink, useRowHref } from '@/components/kits/list/table'
import { hasAccountColumn, type PageContext } from '@/lib/client/page-context'
import { getDirectionLabel, getFundingTypeLabel } from '@/lib/features/funding/labels'
import { getFlowSign } from '@/lib/features/funding/sum'
import { type FundingRow, fundingList } from './list'

type ColumnOptions = { context: PageContext; hrefOf: (row: FundingRow) => string }

const buildFundingColumns = ({
  context,
  hrefOf,
}: ColumnOptions): readonly (ListColumn<FundingRow> | null)[] => [
  {
    id: 'date',
    sort: 'transfer_date',
    header: 'Transfer date',
    narrow: 'note',
    cell: renderDateCell,
    className: '@min-[44rem]:w-34',
  },
  {
    id: 'amount',
    sort: 'amount',
    header: 'Amount',
    narrow: 'figure',
    align: 'end',
    cell: createAmountCell(context),
    className: '@min-[44rem]:w-36',
  },
  {
    id: 'what',
    header: 'Purpose',
    narrow: 'title',
    cell: createTransferCell(hrefOf),
  },
  {
    id: 'count',
    header: 'Payments',
    align: 'end',
    cell: renderPaymentCountCell,
    className: 'w-22',
  },
  { id: 'state', header: 'Status', narrow: 'line', cell: renderStateCell },
  hasAccountColumn(context, 'funding_events')
    ? { id: 'account', header: 'Account', cell: renderAccountCell }
    : null,
  {
    id: 'trace',
    header: 'Trace number',
    cell: renderTraceNumberCell,
    className: '@max-[72rem]:hidden w-40',
  },
]

const renderDateCell = (row: FundingRow) => (
  <span className="text-ink-2 @max-[44rem]:text-xs">
    {row.transfer_date ? <CalendarDate date={row.transfer_date} /> : 'unknown'}
  </span>
)

const createAmountCell = (context: PageContext) => (row: FundingRow) => (
  <Amount
    raw={row.amount}
    currency="USD"
    unit={context.amountUnit}
    sign={getFlowSign(row, context.amountUnit)}
    className="font-medium"
  />
)

const createTransferCell = (hrefOf: ColumnOptions['hrefOf']) => (row: FundingRow) => (
  <RowLink id={row.id} href={hrefOf(row)} hidden={`funding event ${row.id.slice(-6)}`}>
    {getDirectionLabel(row.direction)}
    <span className="font-normal text-ink-2">
      , {getFundingTypeLabel(row.event_type).replace(/^./, (first) => first.toLowerCase())}
    </span>
  </RowLink>
)

const renderPaymentCountCell = (row: FundingRow) => (
  <span className="text-ink-2 tabular-nums">
    {row.payment_count?.toLocaleString('en-US') ?? 'unknown'}
  </span>
)

function renderStateCell({ status, status_details: details }: FundingRow) {
  const reasonText =
    details?.reason === 'ok'
      ? ''
      : [details?.code, details?.message ?? details?.reason].filter(Boolean).join(' · ')
  return (
    <span className="flex items-center gap-2 @max-[44rem]:text-xs">
      <RecordStatusBadge kind="funding_event" status={status} />
      {reasonText && (
        <ExternalText className="truncate text-ink-2" title={reasonText}>
          {reasonText}
        </ExternalText>
      )}
    </span>
  )
}

const renderAccountCell = (row: FundingRow) => <AccountCell known={row.account} />

const renderTraceNumberCell = (row: FundingRow) => (
  <ExternalText className="font-mono text-ink-3 text-xs">
    {row.trace_number ?? row.trace_numbers[0] ?? 'not sent yet'}
  </ExternalText>
)

const FundingPanel = lazy(() =>
  import('@/components/funding/record/panel').then((module) => ({ default: module.FundingPanel })),
)

export function FundingTable({ rows, view, caption }: TableProps<FundingRow>) {
  const context = usePageContext()
  const toRowHref = useRowHref<FundingRow>(fundingList)
  return (
    <ListTable
      spec={fundingList}
      view={view}
      caption={caption}
      rows={rows}
      columns={buildFundingColumns({ context, hrefOf: toRowHref })}
    />
  )
}

export const FundingSplitView = (props: SplitViewProps) => (
  <ListSplitView {...props} noun="funding event" Panel={FundingPanel} />
)

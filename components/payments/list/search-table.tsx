'use client'

import { lazy } from 'react'
import { Amount } from '@/components/kits/layout/amount'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { CalendarDate, RelativeTime } from '@/components/kits/layout/relative-time'
import { AccountCell, renderTimeColumnHeader } from '@/components/kits/list/columns'
import type { TableProps } from '@/components/kits/list/list'
import { ListSplitView, type SplitViewProps } from '@/components/kits/list/split'
import { type ListColumn, ListTable, RowLink } from '@/components/kits/list/table'
import { ShortId } from '@/components/ui/copy-button'
import { hasAccountColumn, type PageContext } from '@/lib/client/page-context'
import { parsePaymentKind, resourceByKind } from '@/lib/domain/payment-kind'
import { describeStatusSource } from '@/lib/domain/source-text'
import { listPath, recordPath } from '@/lib/routes'
import { dateColumnClasses, PaymentBankCell, StateCell } from './cells'
import type { PaymentRow } from './lists'
import { paymentSearchList } from './search-list'

const SearchPanel = lazy(() =>
  import('./search-panel').then((module) => ({ default: module.FoundPaymentPanel })),
)

const toPaymentResource = ({ payment_type }: PaymentRow) => {
  const kind = parsePaymentKind(payment_type)
  return kind && resourceByKind[kind]
}

/**
 * Returns the path of a payment's page. A payment that is neither a charge nor a payout has none:
 * its path is a search for its id.
 */
function toPaymentPath(context: PageContext, row: PaymentRow): string {
  const resource = toPaymentResource(row)
  return resource
    ? recordPath(context, resource, row.id, { account: row.account })
    : listPath(context, 'payments', { payment_id: row.id })
}

/** The person chooses the optional columns; the URL stores the choice. */
export function PaymentSearchTable({ rows, view, caption }: TableProps<PaymentRow>) {
  const context = usePageContext()
  const toRowHref = (row: PaymentRow) => toPaymentPath(context, row)
  const columns = [
    ...buildLeadingColumns(context, toRowHref),
    ...buildOptionalColumns(context),
    idColumn,
  ]
  return (
    <ListTable
      spec={paymentSearchList}
      view={view}
      caption={caption}
      rows={rows}
      columns={columns}
      hrefOf={toRowHref}
    />
  )
}

export const PaymentSearchSplitView = (props: SplitViewProps) => (
  <ListSplitView {...props} noun="payment" Panel={SearchPanel} />
)

const renderTimeCell = (at: string | undefined) =>
  at ? <RelativeTime at={at} show="moment" zone={false} className="text-ink-2" /> : noneText
const noneText = <span className="text-ink-3">none</span>
const renderTextCell = (text: string | undefined) =>
  text ? <ExternalText className="text-ink-2">{text}</ExternalText> : noneText

const buildLeadingColumns = (
  context: PageContext,
  hrefOf: (row: PaymentRow) => string,
): readonly ListColumn<PaymentRow>[] => [
  {
    id: 'created',
    sort: 'created_at',
    narrow: 'note',
    header: renderTimeColumnHeader('Created'),
    cell: (row) => (
      <RelativeTime
        at={row.created_at}
        show="moment"
        zone={false}
        className="text-ink-2 @max-[44rem]:text-xs"
      />
    ),
    className: '@min-[44rem]:w-36',
  },
  {
    id: 'amount',
    sort: 'amount',
    narrow: 'figure',
    align: 'end',
    header: 'Amount',
    cell: (row) => (
      <span>
        {/* A card has no column for the type. */}
        <span className="hidden text-ink-3 text-xs @max-[44rem]:inline">{row.payment_type} </span>
        <Amount
          raw={row.amount}
          currency={row.currency}
          unit={context.amountUnit}
          className="font-medium"
        />
      </span>
    ),
    className: '@min-[44rem]:w-28',
  },
  {
    id: 'customer',
    header: 'Customer',
    narrow: 'title',
    cell: (row) => (
      <RowLink id={row.id} href={hrefOf(row)} hidden={`${row.payment_type} ${row.id.slice(-6)}`}>
        <ExternalText>{row.customer ?? 'Unknown customer'}</ExternalText>
      </RowLink>
    ),
  },
]

const buildOptionalColumns = (context: PageContext): readonly (ListColumn<PaymentRow> | null)[] => [
  {
    id: 'type',
    header: 'Type',
    cell: (row) => renderTextCell(row.payment_type),
    className: 'w-20',
  },
  {
    id: 'bank',
    header: 'Bank account',
    cell: (row) => <PaymentBankCell bank={row.bank} />,
    className: '@max-[68rem]:hidden',
  },
  {
    id: 'state',
    header: 'Status',
    narrow: 'line',
    cell: (row) => <StateCell payment={row} queue={false} />,
    className: '@min-[44rem]:w-44 @min-[68rem]:w-60',
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
    header: 'Payment date',
    cell: (row) => (
      <span className="text-ink-2">
        {row.payment_date ? <CalendarDate date={row.payment_date} /> : 'unknown'}
      </span>
    ),
    className: dateColumnClasses,
  },
  {
    id: 'effective',
    sort: 'effective_at',
    header: renderTimeColumnHeader('Settled'),
    cell: (row) => renderTimeCell(row.effective_at),
    className: 'w-36',
  },
  {
    id: 'updated',
    sort: 'updated_at',
    header: renderTimeColumnHeader('Changed'),
    cell: (row) => renderTimeCell(row.updated_at),
    className: 'w-36',
  },
  {
    id: 'external',
    header: 'External ID',
    cell: (row) => renderTextCell(row.external_id),
  },
  {
    id: 'description',
    header: 'Description',
    cell: (row) => renderTextCell(row.description),
  },
  {
    id: 'source',
    header: 'Source',
    cell: (row) =>
      renderTextCell(describeStatusSource(row.status_details?.source, row.status_details?.reason)),
  },
  {
    id: 'funding',
    header: 'Funding event',
    cell: (row) =>
      row.funding_ids[0] ? <ShortId id={row.funding_ids[0]} className="text-ink-3" /> : noneText,
    className: 'w-36',
  },
]

const idColumn: ListColumn<PaymentRow> = {
  id: 'id',
  sort: 'id',
  header: 'Payment',
  cell: (row) => <ShortId id={row.id} className="text-ink-3" />,
  className: '@max-[90rem]:hidden w-36',
}

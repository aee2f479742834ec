import type { ReactNode } from 'react'
import type { Column } from '@/components/kits/data-table/data-table'
import { Amount } from '@/components/kits/layout/amount'
import { RelativeTime, ZoneName } from '@/components/kits/layout/relative-time'
import { Badge } from '@/components/ui/badge'
import { ShortId } from '@/components/ui/short-id'
import { StatusBadge } from '@/components/ui/status-badge'
import type { Desk } from '@/lib/client/desk'
import { dayText } from '@/lib/dates'
import { AccountCell } from './account-cell'
import { detailHref } from './detail-href'
import { isPlainClick, ListLink } from './list-frame'
import type { PayoutRow } from './payout-row'
import { type PayoutView, type SortName, sortHref } from './payout-view'

type Context = { desk: Desk; view: PayoutView; onOpen: (id: string) => void }

/** The columns for a view: why it is held in the queue, the state elsewhere, and the account where the scope is the whole platform. */
export function payoutColumns(context: Context): readonly Column<PayoutRow>[] {
  const { desk, view } = context
  const columns: (Column<PayoutRow> | null)[] = [
    sortable(context, 'created_at', { id: 'age', narrow: 'note', header: createdHead, cell: ageCell, className: '@min-[44rem]:w-48' }),
    sortable(context, 'amount', {
      id: 'amount',
      narrow: 'figure',
      align: 'end',
      header: 'Amount',
      cell: amountCell(desk),
      className: '@min-[44rem]:w-28',
    }),
    { id: 'to', header: 'To', narrow: 'title', cell: toCell(context), className: '@min-[44rem]:w-[16%]' },
    {
      id: 'bank',
      header: 'Bank account',
      cell: bankCell,
      className: '@max-[56rem]:hidden w-[13%]',
    },
    { id: 'why', header: view.tab.id === 'hold' ? 'Why held' : 'State', narrow: 'line', cell: whyCell(view) },
    desk.account === null
      ? { id: 'account', header: 'Account', cell: (row) => <AccountCell id={row.id} known={row.account} />, className: 'w-29' }
      : null,
    sortable(context, 'payment_date', { id: 'date', header: 'Pay on', cell: dateCell, className: 'w-26' }),
    { id: 'id', header: 'Payout', cell: (row) => <ShortId id={row.id} className="text-ink-3" />, className: '@max-[76rem]:hidden w-36' },
  ]
  return columns.filter((column) => column !== null)
}

function sortable({ desk, view }: Context, sort: SortName, column: Column<PayoutRow>): Column<PayoutRow> {
  const sorted = view.sort === sort ? view.order : null
  const arrow = sorted === null ? '' : sorted === 'asc' ? '↑' : '↓'
  return {
    ...column,
    sorted,
    header: (
      <ListLink href={sortHref(desk.environment, desk.account, view, sort)} className="inline-flex items-center gap-1 hover:text-ink">
        {column.header}
        <span aria-hidden="true" className="w-2 text-ink">
          {arrow}
        </span>
      </ListLink>
    ),
  }
}

const createdHead: ReactNode = (
  <span>
    Created, <ZoneName />
  </span>
)

/** The last four digits tell accounts apart, so it is the bank's name that gives way. */
const bankCell = (row: PayoutRow) => {
  const [, bank, tail] = /^(.*) - (\S+)$/.exec(row.bank ?? '') ?? []
  return (
    <span className="flex gap-1 text-ink-2">
      <bdi className="truncate">{bank ?? row.bank ?? 'unknown'}</bdi>
      {tail && <bdi className="shrink-0">{tail}</bdi>}
    </span>
  )
}

const ageCell = (row: PayoutRow) => (
  <>
    <RelativeTime at={row.created_at} show="both" zone={false} className="text-ink-2 @max-[44rem]:hidden" />
    <RelativeTime at={row.created_at} show="ago" className="hidden text-ink-3 text-xs @max-[44rem]:inline" />
  </>
)

const amountCell = (desk: Desk) => (row: PayoutRow) => (
  <Amount raw={row.amount} currency={row.currency} unit={desk.amountUnit} className="font-medium" />
)

/** The link covers the row, so that a click anywhere opens it, while text selection and new tabs work as with any link. */
const toCell =
  ({ desk, onOpen }: Context) =>
  (row: PayoutRow) => (
    <a
      href={detailHref(desk.environment, desk.account, row.id)}
      className="block truncate font-medium text-ink after:absolute after:inset-0 group-hover:underline"
      onClick={(event) => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        onOpen(row.id)
      }}
    >
      <bdi>{row.to ?? 'Unknown customer'}</bdi>
      <span className="sr-only">, payout {row.id.slice(-6)}</span>
    </a>
  )

const whyCell = (view: PayoutView) => (row: PayoutRow) => {
  const why = (
    <bdi className="truncate text-ink-2" title={row.why}>
      {row.why}
    </bdi>
  )
  return (
    <span className="flex items-center gap-2 @max-[44rem]:text-xs">
      {view.tab.id !== 'hold' && <StatusBadge tone={row.tone}>{row.status}</StatusBadge>}
      {row.mark && <Badge>{row.mark}</Badge>}
      {row.why && why}
    </span>
  )
}

const dateCell = (row: PayoutRow) => <span className="text-ink-2">{row.payment_date ? dayText(row.payment_date) : 'unknown'}</span>

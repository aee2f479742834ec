import { Amount } from '@/components/kits/layout/amount'
import { AccountCell } from '@/components/kits/list/account-cell'
import { type ListColumn, RowLink } from '@/components/kits/list/list-table'
import { StatusBadge } from '@/components/ui/status-badge'
import type { Desk } from '@/lib/client/desk'
import { dayText } from '@/lib/dates'
import type { FundingRow } from './funding-row'

type Context = { desk: Desk; hrefOf: (row: FundingRow) => string }

/** The columns: when, how much, which way and what about, of how many payments, in which state, and whose. */
export const fundingColumns = ({ desk, hrefOf }: Context): readonly (ListColumn<FundingRow> | null)[] => [
  { id: 'date', sort: 'transfer_date', header: 'Transfer date', narrow: 'note', cell: dateCell, className: '@min-[44rem]:w-34' },
  {
    id: 'amount',
    sort: 'amount',
    header: 'Amount',
    narrow: 'figure',
    align: 'end',
    cell: amountCell(desk),
    className: '@min-[44rem]:w-36',
  },
  { id: 'what', header: 'What', narrow: 'title', cell: whatCell(hrefOf), className: '@min-[44rem]:w-[28%]' },
  { id: 'count', header: 'Payments', align: 'end', cell: countCell, className: 'w-22' },
  { id: 'state', header: 'State', narrow: 'line', cell: stateCell },
  desk.account === null ? { id: 'account', header: 'Account', cell: accountCell, className: 'w-[15%]' } : null,
  { id: 'trace', header: 'Trace number', cell: traceCell, className: '@max-[72rem]:hidden w-40' },
]

const dateCell = (row: FundingRow) => (
  <span className="text-ink-2 @max-[44rem]:text-xs">{row.transfer_date ? dayText(row.transfer_date) : 'unknown'}</span>
)

const amountCell = (desk: Desk) => (row: FundingRow) => (
  <Amount raw={row.amount} currency="USD" unit={desk.amountUnit} className="font-medium" />
)

const whatCell = (hrefOf: Context['hrefOf']) => (row: FundingRow) => (
  <RowLink id={row.id} href={hrefOf(row)} hidden={`funding event ${row.id.slice(-6)}`}>
    {row.direction}
    <span className="font-normal text-ink-2">, {row.type.replace(/^./, (first) => first.toLowerCase())}</span>
  </RowLink>
)

const countCell = (row: FundingRow) => <span className="text-ink-2 tabular-nums">{row.count?.toLocaleString('en-US') ?? 'unknown'}</span>

const stateCell = (row: FundingRow) => (
  <span className="flex items-center gap-2 @max-[44rem]:text-xs">
    <StatusBadge tone={row.tone}>{row.status}</StatusBadge>
    {row.why && (
      <bdi className="truncate text-ink-2" title={row.why}>
        {row.why}
      </bdi>
    )}
  </span>
)

const accountCell = (row: FundingRow) => <AccountCell resource="funding_events" id={row.id} known={row.account} />

const traceCell = (row: FundingRow) => <bdi className="font-mono text-ink-3 text-xs">{row.trace ?? 'not sent yet'}</bdi>

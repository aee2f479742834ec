import { RelativeTime, ZoneName } from '@/components/kits/layout/relative-time'
import { AccountCell } from '@/components/kits/list/account-cell'
import { type ListColumn, RowLink } from '@/components/kits/list/list-table'
import { StatusBadge } from '@/components/ui/status-badge'
import type { Desk } from '@/lib/client/desk'
import type { CustomerRow } from './customer-row'

type Context = { desk: Desk; queue: boolean; hrefOf: (row: CustomerRow) => string }

/** The columns: how long somebody waits, who it is, how to tell two of a name apart, the state outside the queue, the account. */
export function customerColumns({ desk, queue, hrefOf }: Context): readonly (ListColumn<CustomerRow> | null)[] {
  return [
    {
      id: 'age',
      sort: 'created_at',
      narrow: 'note',
      header: (
        <span>
          Created, <ZoneName />
        </span>
      ),
      cell: ageCell,
      className: '@min-[44rem]:w-48',
    },
    { id: 'name', sort: 'name', narrow: 'title', header: 'Name', cell: nameCell(hrefOf), className: '@min-[44rem]:w-[26%]' },
    { id: 'kind', narrow: 'figure', header: 'Kind', cell: (row) => <span className="text-ink-2">{row.kind}</span>, className: 'w-28' },
    { id: 'contact', narrow: 'line', header: 'Contact, masked', cell: contactCell },
    queue
      ? null
      : { id: 'state', header: 'State', cell: (row) => <StatusBadge tone={row.tone}>{row.status}</StatusBadge>, className: 'w-28' },
    desk.account === null
      ? {
          id: 'account',
          header: 'Account',
          cell: (row) => <AccountCell resource="customers" id={row.id} known={row.account} />,
          className: 'w-40',
        }
      : null,
    { id: 'external', header: 'External id', cell: externalCell, className: '@max-[76rem]:hidden w-36' },
  ]
}

const ageCell = (row: CustomerRow) => (
  <>
    <RelativeTime at={row.created_at} show="both" zone={false} className="text-ink-2 @max-[44rem]:hidden" />
    <RelativeTime at={row.created_at} show="ago" className="hidden text-ink-3 text-xs @max-[44rem]:inline" />
  </>
)

const nameCell = (hrefOf: Context['hrefOf']) => (row: CustomerRow) => (
  <RowLink id={row.id} href={hrefOf(row)} hidden={`customer ${row.id.slice(-6)}`}>
    <bdi>{row.name}</bdi>
  </RowLink>
)

const contactCell = (row: CustomerRow) => (
  <bdi className="truncate text-ink-2 @max-[44rem]:text-xs" title={row.contact}>
    {row.contact || 'none'}
  </bdi>
)

const externalCell = (row: CustomerRow) => <bdi className="font-mono text-ink-3 text-xs">{row.external_id ?? '—'}</bdi>

import { RelativeTime, ZoneName } from '@/components/kits/layout/relative-time'
import { AccountCell } from '@/components/kits/list/account-cell'
import { type ListColumn, RowLink } from '@/components/kits/list/list-table'
import { StatusBadge } from '@/components/ui/status-badge'
import type { Desk } from '@/lib/client/desk'
import type { PaykeyRow } from './paykey-row'
import { CustomerName, WaitingFigure } from './row-extras'

type Context = { desk: Desk; tab: string; hrefOf: (row: PaykeyRow) => string }

const stateShown = ['other', 'all']
const eligibilityShown = ['unblockable', 'blocked', 'all']

/** The columns: eligibility where paykeys can be blocked, the state where a tab mixes them, the account in the whole-platform scope. */
export function paykeyColumns({ desk, tab, hrefOf }: Context): readonly (ListColumn<PaykeyRow> | null)[] {
  const withState = stateShown.includes(tab)
  return [
    { id: 'age', sort: 'created_at', narrow: 'note', header: createdHead, cell: ageCell, className: '@min-[44rem]:w-50' },
    { id: 'customer', header: 'Customer', narrow: 'title', cell: customerCell(hrefOf), className: '@min-[44rem]:w-[17%]' },
    { id: 'bank', sort: 'institution_name', header: 'Bank account', cell: bankCell, className: 'w-[17%]' },
    { id: 'why', header: withState ? 'State' : 'Why', narrow: 'line', cell: whyCell(withState) },
    { id: 'waiting', align: 'end', header: 'Payments waiting', narrow: 'figure', cell: waitingCell, className: '@min-[44rem]:w-36' },
    eligibilityShown.includes(tab)
      ? { id: 'eligible', header: 'Unblock', cell: eligibleCell, className: '@max-[60rem]:hidden w-24' }
      : null,
    tab === 'active' ? { id: 'expires', sort: 'expires_at', header: 'Expires', cell: expiresCell, className: 'w-26' } : null,
    desk.account === null
      ? {
          id: 'account',
          header: 'Account',
          cell: (row) => <AccountCell resource="paykeys" id={row.id} known={row.account} />,
          className: '@max-[60rem]:hidden w-29',
        }
      : null,
    {
      id: 'source',
      header: 'Connected by',
      cell: (row) => <span className="text-ink-2">{row.source}</span>,
      className: '@max-[76rem]:hidden w-32',
    },
  ]
}

const createdHead = (
  <span>
    Created, <ZoneName />
  </span>
)

const ageCell = (row: PaykeyRow) => (
  <>
    <RelativeTime at={row.created_at} show="both" zone={false} className="text-ink-2 @max-[44rem]:hidden" />
    <RelativeTime at={row.created_at} show="ago" className="hidden text-ink-3 text-xs @max-[44rem]:inline" />
  </>
)

const customerCell = (hrefOf: Context['hrefOf']) => (row: PaykeyRow) => (
  <RowLink id={row.id} href={hrefOf(row)} hidden={row.label ?? `paykey ${row.id.slice(-6)}`}>
    <CustomerName name={row.customer} />
  </RowLink>
)

/** The last four digits tell accounts apart, so it is the bank's name that gives way. */
const bankCell = (row: PaykeyRow) => (
  <span className="flex gap-1 text-ink-2">
    <bdi className="truncate" title={row.bank}>
      {row.bank ?? row.label ?? 'Unknown bank'}
    </bdi>
    {row.digits && <bdi className="shrink-0 tabular-nums">{row.digits}</bdi>}
  </span>
)

const whyCell = (withState: boolean) => (row: PaykeyRow) => (
  <span className="flex items-center gap-2 @max-[44rem]:text-xs">
    {withState && <StatusBadge tone={row.tone}>{row.status}</StatusBadge>}
    <bdi className="truncate text-ink-2" title={row.why}>
      <span className="@min-[44rem]:hidden">{row.label} · </span>
      {row.why}
    </bdi>
  </span>
)

const waitingCell = (row: PaykeyRow) => <WaitingFigure waiting={row.waiting} />

const eligibleWords = { yes: 'once, still', no: 'no', unknown: 'not said' } as const

const eligibleCell = (row: PaykeyRow) =>
  row.eligible === null ? null : (
    <span className={row.eligible === 'yes' ? 'font-medium text-ink' : 'text-ink-3'}>{eligibleWords[row.eligible]}</span>
  )

const expiresCell = (row: PaykeyRow) => <RelativeTime at={row.expires_at} show="ago" className="text-ink-2" />

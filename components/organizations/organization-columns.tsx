import { RelativeTime, ZoneName } from '@/components/kits/layout/relative-time'
import { type ListColumn, RowLink } from '@/components/kits/list/list-table'
import type { OrganizationRow } from './organization-row'

/** The columns: who it is, our own reference, how many accounts stand under it, since when. */
export const organizationColumns = (hrefOf: (row: OrganizationRow) => string): readonly ListColumn<OrganizationRow>[] => [
  { id: 'name', sort: 'name', header: 'Name', narrow: 'title', cell: nameCell(hrefOf), className: '@min-[44rem]:w-[34%]' },
  { id: 'accounts', header: 'Accounts', narrow: 'figure', cell: accountsCell, className: '@min-[44rem]:w-44' },
  { id: 'external', header: 'External id', narrow: 'line', cell: externalCell },
  { id: 'metadata', header: 'Metadata', cell: metadataCell, className: '@max-[56rem]:hidden w-28' },
  { id: 'created', sort: 'created_at', header: createdHead(), narrow: 'note', cell: ageCell, className: '@min-[44rem]:w-52' },
]

function createdHead() {
  return (
    <span>
      Created, <ZoneName />
    </span>
  )
}

const nameCell = (hrefOf: (row: OrganizationRow) => string) => (row: OrganizationRow) => (
  <RowLink id={row.id} href={hrefOf(row)} hidden={`organization ${row.id.slice(-6)}`}>
    <bdi>{row.name}</bdi>
  </RowLink>
)

const accountsCell = ({ accounts }: OrganizationRow) => (
  <span className="text-ink-2 tabular-nums">{accounts === null ? 'not counted' : `${accounts.all}, ${accounts.active} active`}</span>
)

const externalCell = ({ external_id: id }: OrganizationRow) => <bdi className={id ? 'text-ink-2' : 'text-ink-3'}>{id ?? 'none'}</bdi>

const metadataCell = ({ metadata }: OrganizationRow) => (
  <span className="text-ink-3">{metadata === 0 ? 'none' : `${metadata} ${metadata === 1 ? 'key' : 'keys'}`}</span>
)

const ageCell = (row: OrganizationRow) => (
  <>
    <RelativeTime at={row.created_at} zone={false} className="text-ink-2 @max-[44rem]:hidden" />
    <RelativeTime at={row.created_at} show="ago" className="hidden text-ink-3 text-xs @max-[44rem]:inline" />
  </>
)

'use client'

import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { type Column, DataTable } from '@/components/kits/data-table/data-table'
import { useRowKeys } from '@/components/kits/data-table/use-row-keys'
import { useDesk } from '@/components/kits/layout/desk-context'
import { RelativeTime, ZoneName } from '@/components/kits/layout/relative-time'
import { StatusBadge } from '@/components/ui/status-badge'
import { accountName } from '@/lib/client/desk'
import { dayText } from '@/lib/dates'
import { deleteCustomerPath, deletionPath } from '@/lib/routes'
import { type DeletionRow, deletionStates } from './deletion-row'

/** The requests, one row each. An open one leads to where it is worked on, the others to their record. */
export function DeletionTable({ rows, caption }: { rows: readonly DeletionRow[]; caption: string }) {
  const desk = useDesk()
  const router = useRouter()
  const hrefOf = (row: DeletionRow) =>
    row.state === 'requested'
      ? deleteCustomerPath(desk.environment, row.customerId, { account: row.account })
      : deletionPath(desk.environment, row.id)
  const open = (id: string) => {
    const row = rows.find((each) => each.id === id)
    if (row) router.push(hrefOf(row))
  }
  const current = useRowKeys(
    rows.map(({ id }) => id),
    open,
    null,
  )
  const columns: (Column<DeletionRow> | null)[] = [
    { id: 'age', narrow: 'note', header: ageHead, cell: ageCell, className: '@min-[44rem]:w-44' },
    { id: 'who', narrow: 'title', header: 'Customer', cell: (row) => <NameCell row={row} href={hrefOf(row)} /> },
    { id: 'state', narrow: 'figure', header: 'State', cell: stateCell, className: '@min-[44rem]:w-28' },
    { id: 'ground', narrow: 'line', header: 'Who asks', cell: groundCell },
    { id: 'due', header: 'Due', cell: dueCell, className: 'w-32' },
    desk.account === null
      ? { id: 'account', header: 'Account', cell: (row) => <bdi>{accountName(desk, row.account)}</bdi>, className: 'w-40' }
      : null,
    { id: 'by', header: 'Asked by', cell: (row) => <span className="text-ink-2">{row.who}</span>, className: '@max-[60rem]:hidden w-36' },
  ]
  return (
    <DataTable
      caption={caption}
      columns={columns.filter((column) => column !== null)}
      rows={rows}
      rowId={(row) => row.id}
      current={current}
      open={null}
    />
  )
}

const ageHead = (
  <span>
    Asked for, <ZoneName />
  </span>
)

const ageCell = (row: DeletionRow) => (
  <>
    <RelativeTime at={row.created_at} show="both" zone={false} className="text-ink-2 @max-[44rem]:hidden" />
    <RelativeTime at={row.created_at} show="ago" className="hidden text-ink-3 text-xs @max-[44rem]:inline" />
  </>
)

/** A deleted customer has no name any more, here neither. */
const NameCell = ({ row, href }: { row: DeletionRow; href: string }) => (
  <Link href={href} prefetch={false} className="block truncate font-medium text-ink after:absolute after:inset-0 group-hover:underline">
    {row.name ? <bdi>{row.name}</bdi> : <span className="font-mono text-xs">customer …{row.customerId.slice(-6)}</span>}
    <span className="sr-only">, request {row.id.slice(-6)}</span>
  </Link>
)

function stateCell(row: DeletionRow) {
  const { tone, label } = deletionStates[row.state]
  return <StatusBadge tone={tone}>{label}</StatusBadge>
}

const groundCell = (row: DeletionRow) => (
  <span className="truncate text-ink-2 @max-[44rem]:text-xs" title={`${row.asker}; ${row.basis}`}>
    {row.asker}
    {row.ticket && <span className="text-ink-3"> · {row.ticket}</span>}
  </span>
)

function dueCell(row: DeletionRow) {
  if (!row.due_on) return <span className="text-ink-3">no day</span>
  return (
    <span className={row.late ? 'font-medium text-bad' : 'text-ink-2'}>
      {row.late ? `late: ${dayText(row.due_on)}` : dayText(row.due_on)}
    </span>
  )
}

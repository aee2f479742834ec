'use client'

import { type Column, DataTable } from '@/components/kits/data-table/data-table'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { renderTimeColumnHeader } from '@/components/kits/list/columns'
import { linkClasses, rowLinkClasses } from '@/components/ui/button-variants'
import { StatusBadge, type Tone } from '@/components/ui/tone'
import { getAccountName, type PageContext } from '@/lib/client/page-context'
import type { AuditOutcome, AuditRow } from '@/lib/operations/audit'
import { auditRowPath, targetPath } from '@/lib/routes'
import { outcomeLabels } from './filters'

export const outcomeTones: Readonly<Record<AuditOutcome, Tone>> = {
  done: 'good',
  started: 'moving',
  asked: 'held',
  refused: 'bad',
  denied: 'bad',
  unknown: 'unknown',
}

/** Shows plain text if the row's record has no page. */
export function AuditTargetLink({ row }: { row: Pick<AuditRow, 'target' | 'account'> }) {
  const context = usePageContext()
  if (!row.target) return <span className="text-ink-3">none</span>
  const [resource = '', id = ''] = row.target.split('/')
  const targetLabel = `${resource.replaceAll('_', ' ').replace(/s$/, '')} …${id.slice(-6)}`
  const href = targetPath(context, row.target, { account: row.account })
  if (href === null) return <span>{targetLabel}</span>
  return (
    <Link href={href} title={id} className={linkClasses}>
      {targetLabel}
    </Link>
  )
}

export const AuditActor = ({ actor }: Pick<AuditRow, 'actor'>) =>
  actor ? <ExternalText>{actor.name}</ExternalText> : <span className="text-ink-3">Signed out</span>

const formatRepeatCount = (count: number) =>
  count === 1 ? '1 more time' : `${count.toLocaleString('en-US')} more times`

const buildAuditColumns = (context: PageContext): readonly Column<AuditRow>[] => [
  {
    id: 'time',
    header: renderTimeColumnHeader('Time'),
    narrow: 'note',
    cell: (row) => (
      <RelativeTime at={row.at} show="both" zone={false} className="text-ink-2 text-xs" />
    ),
    className: '@min-[44rem]:w-48',
  },
  {
    id: 'what',
    header: 'What',
    narrow: 'title',
    cell: (row) => (
      <span>
        <Link href={auditRowPath(context, row.seq)} className={rowLinkClasses}>
          {row.what}
        </Link>
        {row.repeated !== null && (
          <span className="text-ink-3 text-xs"> and {formatRepeatCount(row.repeated)}</span>
        )}
      </span>
    ),
  },
  {
    id: 'outcome',
    header: 'Outcome',
    narrow: 'figure',
    cell: ({ outcome }) => (
      <StatusBadge tone={outcomeTones[outcome]}>{outcomeLabels[outcome]}</StatusBadge>
    ),
    className: '@min-[44rem]:w-40',
  },
  { id: 'user', header: 'User', narrow: 'line', cell: AuditActor },
  {
    id: 'target',
    header: 'Record',
    cell: (row) => (
      <span className="relative z-1">
        <AuditTargetLink row={row} />
      </span>
    ),
  },
  {
    id: 'account',
    header: 'Account',
    cell: ({ account }) =>
      account ? (
        <ExternalText>{getAccountName(context, account)}</ExternalText>
      ) : (
        <span className="text-ink-3">none</span>
      ),
    className: '@max-[56rem]:hidden',
  },
  {
    id: 'row',
    header: 'Row',
    align: 'end',
    cell: ({ seq }) => (
      <span className="text-ink-3 text-xs tabular-nums">{seq.toLocaleString('en-US')}</span>
    ),
    className: '@max-[56rem]:hidden',
  },
]

export const AuditTable = ({ rows }: { rows: readonly AuditRow[] }) => (
  <div className="@container overflow-hidden rounded border border-line bg-surface">
    <DataTable
      caption="Actions that were done, requested or refused, newest first"
      columns={buildAuditColumns(usePageContext())}
      rows={rows}
      rowId={({ seq }) => String(seq)}
    />
  </div>
)

'use client'

import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RelativeTime, ZoneName } from '@/components/kits/layout/relative-time'
import { Badge, type Tone } from '@/components/ui/tone'
import { getAccountName } from '@/lib/client/page-context'
import type { AuditOutcome, AuditRow } from '@/lib/operations/audit'
import { auditRowPath, targetPath } from '@/lib/routes'
import { outcomeLabels } from './filters'

const cellClasses = 'px-3 py-1.5 text-left align-baseline'
/** A column of names keeps room for a word, and breaks only a longer one. */
const nameCellClasses = `${cellClasses} min-w-28 wrap-anywhere`

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
    <Link href={href} title={id} className="text-accent hover:underline">
      {targetLabel}
    </Link>
  )
}

export const AuditActor = ({ actor }: Pick<AuditRow, 'actor'>) =>
  actor ? <ExternalText>{actor.name}</ExternalText> : <span className="text-ink-3">Signed out</span>

const formatRepeatCount = (count: number) =>
  count === 1 ? '1 more time' : `${count.toLocaleString('en-US')} more times`

function AuditTableRow({ row }: { row: AuditRow }) {
  const context = usePageContext()
  return (
    <tr className="border-line border-b last:border-b-0">
      <td className={`${cellClasses} min-w-28 text-ink-2 text-xs tabular-nums`}>
        <RelativeTime at={row.at} show="both" zone={false} />
      </td>
      <th scope="row" className={`${nameCellClasses} font-medium`}>
        <Link
          href={auditRowPath(context, row.seq)}
          className="inline-block min-h-6 underline-offset-2 hover:underline"
        >
          {row.what}
        </Link>
        {row.repeated !== null && (
          <span className="block font-normal text-ink-3 text-xs">
            and {formatRepeatCount(row.repeated)}
          </span>
        )}
      </th>
      <td className={`${cellClasses} whitespace-nowrap`}>
        <Badge tone={outcomeTones[row.outcome]}>{outcomeLabels[row.outcome]}</Badge>
      </td>
      <td className={nameCellClasses}>
        <AuditActor actor={row.actor} />
      </td>
      <td className={nameCellClasses}>
        <AuditTargetLink row={row} />
      </td>
      <td className={`${nameCellClasses} max-lg:hidden`}>
        {row.account ? (
          <ExternalText>{getAccountName(context, row.account)}</ExternalText>
        ) : (
          <span className="text-ink-3">none</span>
        )}
      </td>
      <td
        className={`${cellClasses} whitespace-nowrap text-right text-ink-3 text-xs tabular-nums max-lg:hidden`}
      >
        {row.seq.toLocaleString('en-US')}
      </td>
    </tr>
  )
}

const alwaysVisibleHeaders = ['Outcome', 'User', 'Record'] as const

export const AuditTable = ({ rows }: { rows: readonly AuditRow[] }) => (
  <div className="overflow-x-auto rounded border border-line bg-surface">
    <table className="w-full min-w-[40rem] text-sm">
      <caption className="sr-only">
        Actions that were done, requested or refused, newest first
      </caption>
      <thead>
        <tr className="border-line border-b text-ink-3 text-xs">
          <th scope="col" className={`${cellClasses} w-40 font-medium`}>
            Time, <ZoneName />
          </th>
          <th scope="col" className={`${cellClasses} font-medium`}>
            What
          </th>
          {alwaysVisibleHeaders.map((head) => (
            <th key={head} scope="col" className={`${cellClasses} font-medium`}>
              {head}
            </th>
          ))}
          <th scope="col" className={`${cellClasses} font-medium max-lg:hidden`}>
            Account
          </th>
          <th scope="col" className={`${cellClasses} text-right font-medium max-lg:hidden`}>
            Row
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <AuditTableRow key={row.seq} row={row} />
        ))}
      </tbody>
    </table>
  </div>
)

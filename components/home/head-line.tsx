import type { ReactNode } from 'react'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import type { CutOffTime } from '@/lib/domain/bank-time'
import { type Held, type WorkSummary, workWords } from '@/lib/domain/work'
import { formatMinor } from '@/lib/money'

type HeadLineProps = {
  summary: WorkSummary
  /** Null where held payments could not be read; undefined while they are. */
  held: Held | null | undefined
  cutOff: CutOffTime
  /** Queues that are still being read. */
  pending: number
}

/** What waits, since when, how much money stands still, and until when a decision helps. What is nothing is not drawn. */
export function HeadLine({ summary, held, cutOff, pending }: HeadLineProps) {
  const more = summary.atLeast || summary.missing.length > 0 || pending > 0 ? '+' : ''
  const note = missingText(summary, pending)
  return (
    <dl className="grid min-h-[3.75rem] grid-cols-2 gap-x-6 gap-y-2 border-line border-y py-2 sm:flex sm:flex-wrap sm:gap-x-10">
      {summary.mine > 0 && (
        <Figure name="Waits for you" note={note}>
          {summary.mine.toLocaleString('en-US')}
          {more}
        </Figure>
      )}
      {summary.others > 0 && (
        <Figure name="Waits for others" note={summary.mine > 0 ? null : note}>
          {summary.others.toLocaleString('en-US')}
          {more}
        </Figure>
      )}
      {summary.oldest && (
        <Figure name="Oldest">
          <RelativeTime at={summary.oldest} show="ago" />
        </Figure>
      )}
      {(held === undefined || held === null || held.count > 0) && (
        <Figure name="Money held" note={heldNote(held)}>
          {heldText(held)}
        </Figure>
      )}
      <Figure name="Next bank cut-off" note={cutOff.name} wide>
        <RelativeTime at={cutOff.at} />
      </Figure>
    </dl>
  )
}

const Figure = ({ name, note, wide, children }: { name: string; note?: ReactNode; wide?: boolean; children: ReactNode }) => (
  <div className={wide ? 'min-w-0 max-sm:col-span-2' : 'min-w-0'}>
    <dt className="text-2xs text-ink-3">{name}</dt>
    <dd className="font-semibold text-lg tabular-nums">{children}</dd>
    {note && <dd className="text-2xs text-ink-3">{note}</dd>}
  </div>
)

function missingText({ missing }: WorkSummary, pending: number): string | null {
  if (missing.length > 0) return `without ${missing.map((id) => workWords[id].title.toLowerCase()).join(', ')}`
  return pending > 0 ? `${pending} still being read` : null
}

function heldText(held: HeadLineProps['held']): ReactNode {
  if (held === undefined) return <span className="text-ink-3">…</span>
  if (held === null) return <span className="text-held">unknown</span>
  return (
    <>
      {formatMinor(held.sum)}
      {held.atLeast && '+'} <span className="font-normal text-[0.8em] text-ink-3">USD</span>
    </>
  )
}

function heldNote(held: HeadLineProps['held']): string | null {
  if (!held) return held === null ? 'held payments could not be read' : null
  const without = held.unreadable > 0 ? `, ${held.unreadable} of them in no readable amount` : ''
  return `in ${held.count.toLocaleString('en-US')} ${held.count === 1 ? 'payment' : 'payments'}${without}`
}

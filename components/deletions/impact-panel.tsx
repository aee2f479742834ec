'use client'

import type { ReactNode } from 'react'
import { AgeChip } from '@/components/kits/layout/age-chip'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Panel } from '@/components/kits/layout/panel'
import { Status } from '@/components/kits/record/status'
import { ToneShape } from '@/components/ui/tone-shape'
import { type DeletionLine, keptAfter, unknownAfter } from '@/lib/domain/deletion-words'
import { formatMinor } from '@/lib/money'
import type { DeletionImpact, Tally } from '@/lib/operations/deletion'
import { countWords } from './count-words'

/** Older than this, the impact should be read again before anybody decides on it (milliseconds). */
const staleAfter = 120_000

const totalOf = (tallies: readonly Tally[]) => tallies.reduce((total, { count }) => total + count, 0)

/** What a deletion would touch, in figures; what nobody can know from here; what stays and why. */
export function ImpactPanel({ impact }: { impact: Omit<DeletionImpact, 'blockers'> }) {
  const { own } = impact
  return (
    <Panel title="What it touches" aside={<AgeChip at={impact.at} limit={staleAfter} />}>
      <div className="grid gap-4">
        <div className="grid gap-4 sm:grid-cols-3">
          <Group title="Bank accounts" tallies={impact.paykeys} kind="paykey" says="All are switched off for good." />
          <Group title="Payouts" tallies={impact.payouts} kind="payment" says="They stay, without the person." />
          <Group title="Charges" tallies={impact.charges} kind="payment" says="They stay, without the person." />
        </div>
        {impact.partial && <p className="text-held">There are more payments than are counted here. What waits is counted in full.</p>}
        <section className="grid gap-1">
          <Head>Paydesk’s own records</Head>
          <p className="text-ink-2">
            {countWords(own.actions, 'action')} with what was sent and answered, {countWords(own.uploads, 'uploaded file')},{' '}
            {countWords(own.calls, 'call')} in the request log, {countWords(own.reveals, 'reveal')}, {countWords(own.views, 'saved view')}.
            What is personal in them goes; drafts live in browsers only and are not kept on the server.
          </p>
        </section>
        <div className="grid gap-4 sm:grid-cols-2">
          <Lines title="What stays, and why" lines={keptAfter} tone="neutral" />
          <Lines title="What cannot be known from here" lines={unknownAfter} tone="unknown" />
        </div>
      </div>
    </Panel>
  )
}

const Head = ({ children }: { children: ReactNode }) => <h3 className="font-semibold text-sm">{children}</h3>

type GroupProps = { title: string; tallies: readonly Tally[]; kind: 'paykey' | 'payment'; says: string }

function Group({ title, tallies, kind, says }: GroupProps) {
  return (
    <section className="grid content-start gap-1">
      <Head>
        {title} <span className="font-normal text-ink-3">{totalOf(tallies)}</span>
      </Head>
      {tallies.length === 0 && <p className="text-ink-3">None.</p>}
      <ul className="grid gap-1">
        {tallies.map((tally) => (
          <li key={tally.status} className="flex items-center justify-between gap-2">
            <Status kind={kind} status={tally.status} />
            <span className="text-right tabular-nums">
              {tally.count}
              {kind === 'payment' && <Sum sum={tally.sum} />}
            </span>
          </li>
        ))}
      </ul>
      {tallies.length > 0 && <p className="text-ink-3 text-xs">{says}</p>}
    </section>
  )
}

function Sum({ sum }: { sum: number | null }) {
  const { amountUnit } = useDesk()
  if (sum === null) return <span className="text-held text-xs"> · sum unclear ({amountUnit} units)</span>
  return (
    <span className="text-ink-2">
      {' '}
      · {formatMinor(sum)} <span className="text-ink-3 text-xs">USD</span>
    </span>
  )
}

/** Lines with a shape of their own: what is unknown never looks like what is known. */
export const Lines = ({ title, lines, tone }: { title: string; lines: readonly DeletionLine[]; tone: 'neutral' | 'unknown' }) => (
  <section className="grid content-start gap-1">
    <Head>{title}</Head>
    <ul className="grid gap-1">
      {lines.map(({ id, text }) => (
        <li key={id} className="flex items-start gap-1.5 text-ink-2">
          <ToneShape tone={tone} className="mt-0.5 size-4 text-ink-3" />
          {text}
        </li>
      ))}
    </ul>
  </section>
)

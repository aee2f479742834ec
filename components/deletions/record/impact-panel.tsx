'use client'

import type { ReactNode } from 'react'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Fact, FactList, Panel, RecordStatusBadge } from '@/components/kits/layout/panel'
import { AgeChip, CalendarDate, RelativeTime } from '@/components/kits/layout/relative-time'
import { Notice } from '@/components/ui/notice'
import { ToneIcon } from '@/components/ui/tone'
import {
  type DeletionEffectLine,
  formatCount,
  getCodeLabel,
  identityCheckLabels,
  legalBasisLabels,
  requesterLabels,
  retainedDataLines,
  uncheckableDataLines,
} from '@/lib/features/deletions/labels'
import { moneyText } from '@/lib/money'
import type {
  DeletionBlocker,
  DeletionImpact,
  DeletionView,
  StateTally,
} from '@/lib/operations/deletion'
import { recordPath } from '@/lib/routes'

export const DeletionRequestFacts = ({ request }: { request: DeletionView }) => (
  <FactList>
    <Fact name="Requester">{getCodeLabel(requesterLabels, request.asker)}</Fact>
    <Fact name="Legal ground">{getCodeLabel(legalBasisLabels, request.basis)}</Fact>
    <Fact name="Identity check">{getCodeLabel(identityCheckLabels, request.identity_check)}</Fact>
    <Fact name="Ticket">
      {request.ticket ? (
        <ExternalText className="font-mono text-xs">{request.ticket}</ExternalText>
      ) : (
        'none'
      )}
    </Fact>
    <Fact name="Due">
      {request.due_on ? <CalendarDate date={request.due_on} /> : 'no due date'}
    </Fact>
    {/* Always shows the name of the person, never "you", because this list is printed with the certificate. */}
    <Fact name="Recorded by">
      <ExternalText>{request.requested_by}</ExternalText>, <RelativeTime at={request.created_at} />
    </Fact>
  </FactList>
)

/** Milliseconds after which the affected records should be read again before a decision. */
const impactStaleAfterMs = 120_000

const sumTallyCounts = (tallies: readonly StateTally[]) =>
  tallies.reduce((total, { count }) => total + count, 0)

export function ImpactPanel({ impact }: { impact: Omit<DeletionImpact, 'blockers'> }) {
  const { own } = impact
  return (
    <Panel title="Affected records" aside={<AgeChip at={impact.at} limit={impactStaleAfterMs} />}>
      <div className="grid gap-4">
        <div className="grid gap-4 sm:grid-cols-3">
          <TallyGroup
            title="Bank accounts"
            tallies={impact.paykeys}
            kind="paykey"
            says="All will be permanently deactivated."
          />
          <TallyGroup
            title="Payouts"
            tallies={impact.payouts}
            kind="payment"
            says="Kept, without personal data."
          />
          <TallyGroup
            title="Charges"
            tallies={impact.charges}
            kind="payment"
            says="Kept, without personal data."
          />
        </div>
        {impact.partial && (
          <p className="text-held">
            Not all payments are counted: there are more, or some could not be read. Pending
            payments are counted completely.
          </p>
        )}
        <section className="grid gap-1">
          <ImpactHeading>Paydesk’s own records</ImpactHeading>
          <p className="text-ink-2">
            {formatCount(own.actions, 'action')} with request and response,{' '}
            {formatCount(own.uploads, 'uploaded file')}, {formatCount(own.calls, 'call')} in the
            request log, {formatCount(own.reveals, 'record')} of who revealed masked data,{' '}
            {formatCount(own.views, 'saved view')}. Personal data in these records will be erased.
            Drafts exist only in browsers and are not stored on the server.
          </p>
        </section>
        <div className="grid gap-4 sm:grid-cols-2">
          <DeletionEffectList
            title="What remains, and why"
            lines={retainedDataLines}
            tone="neutral"
          />
          <DeletionEffectList
            title="What Paydesk cannot know"
            lines={uncheckableDataLines}
            tone="unknown"
          />
        </div>
      </div>
    </Panel>
  )
}

const ImpactHeading = ({ children }: { children: ReactNode }) => (
  <h3 className="font-semibold text-sm">{children}</h3>
)

type TallyGroupProps = {
  title: string
  tallies: readonly StateTally[]
  kind: 'paykey' | 'payment'
  says: string
}

function TallyGroup({ title, tallies, kind, says }: TallyGroupProps) {
  return (
    <section className="grid content-start gap-1">
      <ImpactHeading>
        {title} <span className="font-normal text-ink-3">{sumTallyCounts(tallies)}</span>
      </ImpactHeading>
      {tallies.length === 0 && <p className="text-ink-3">None.</p>}
      <ul className="grid gap-1">
        {tallies.map((tally) => (
          <li key={tally.status} className="flex items-center justify-between gap-2">
            <RecordStatusBadge kind={kind} status={tally.status} />
            <span className="text-right tabular-nums">
              {tally.count}
              {kind === 'payment' && <TallySum sum={tally.sum} />}
            </span>
          </li>
        ))}
      </ul>
      {tallies.length > 0 && <p className="text-ink-3 text-xs">{says}</p>}
    </section>
  )
}

function TallySum({ sum }: { sum: number | null }) {
  const { amountUnit } = usePageContext()
  if (sum === null)
    return <span className="text-held text-xs"> · sum unclear ({amountUnit} units)</span>
  return <span className="text-ink-2"> · {moneyText(sum)}</span>
}

/** `tone` sets the icon: facts that are unknown must look different from known ones. */
export const DeletionEffectList = ({
  title,
  lines,
  tone,
}: {
  title: string
  lines: readonly DeletionEffectLine[]
  tone: 'neutral' | 'unknown'
}) => (
  <section className="grid content-start gap-1">
    <ImpactHeading>{title}</ImpactHeading>
    <ul className="grid gap-1">
      {lines.map(({ id, text }) => (
        <li key={id} className="flex items-start gap-1.5 text-ink-2">
          <ToneIcon tone={tone} className="mt-0.5 size-4 text-ink-3" />
          {text}
        </li>
      ))}
    </ul>
  </section>
)

export function BlockerList({ blockers }: { blockers: readonly DeletionBlocker[] }) {
  const context = usePageContext()
  const { account } = context
  if (blockers.length === 0) {
    return (
      <Notice tone="good" title="No blockers">
        <p>Paydesk checks for blockers again just before it sends the deletion.</p>
      </Notice>
    )
  }
  return (
    <Notice tone="held" title="The deletion is blocked">
      <ul aria-label="Blockers" className="grid gap-2">
        {blockers.map((blocker) => (
          <li key={blocker.id} className="grid gap-0.5">
            <span className="font-medium text-ink">{blocker.text}</span>
            {blocker.links.length > 0 && (
              <ul className="flex flex-wrap gap-x-4 gap-y-1">
                {blocker.links.map((link) => (
                  <li key={`${link.resource} ${link.id}`}>
                    <Link
                      href={recordPath(context, link.resource, link.id, { account })}
                      className="text-accent hover:underline"
                    >
                      <ExternalText className="capitalize">{link.label}</ExternalText>{' '}
                      <span className="font-mono text-xs">…{link.id.slice(-6)}</span>
                    </Link>
                  </li>
                ))}
                {blocker.count > blocker.links.length && (
                  <li className="text-ink-3">and {blocker.count - blocker.links.length} more</li>
                )}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

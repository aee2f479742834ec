'use client'

import type { ReactNode } from 'react'
import { AttemptsTable } from '@/components/kits/action/attempts-table'
import { ExternalText, PersonName } from '@/components/kits/layout/outside-text'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { ReadableRecordField } from '@/components/kits/unreadable/unreadable-fields'
import { cn } from '@/components/ui/cn'
import { type Tone, ToneIcon, toneTextClasses } from '@/components/ui/tone'
import { mergeTimeline } from '@/lib/domain/timeline'
import type { ActionView } from '@/lib/operations/answer'

/** An entry of the timeline. `mark` is the name of its source. */
type TimelineItem = {
  id: string
  at: string | null
  tone: Tone
  title: ReactNode
  by: ReactNode
  mark: string
  detail?: ReactNode
  more?: ReactNode
}

const Timeline = ({ items, label }: { items: readonly TimelineItem[]; label: string }) => (
  <ol aria-label={label} className="grid">
    {items.map((item, at) => (
      <li
        key={item.id}
        className="relative grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2.5 pb-3 last:pb-0"
      >
        {at < items.length - 1 && (
          <span
            aria-hidden="true"
            className="absolute top-5 bottom-0 left-[0.45rem] w-px bg-line"
          />
        )}
        <ToneIcon
          tone={item.tone}
          className={cn('mt-0.5 size-4 bg-surface', toneTextClasses[item.tone])}
        />
        <div className="grid min-w-0 gap-0.5">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-medium">{item.title}</span>
            <span className="text-ink-3 text-xs">
              {item.by} · {item.mark} ·{' '}
              {item.at === null ? 'time not given' : <RelativeTime at={item.at} />}
            </span>
          </p>
          {item.detail && <p className="break-words text-ink-2">{item.detail}</p>}
          {item.more}
        </div>
      </li>
    ))}
  </ol>
)

type RecordTimelineProps = {
  history: Parameters<typeof mergeTimeline>[0]
  actions: readonly ActionView[]
}

/** The service's history and Paydesk's actions on one timeline. `history` may be empty. */
export const RecordTimeline = ({ history, actions }: RecordTimelineProps) => (
  <Panel title="Timeline">
    <ReadableRecordField field="status_history">
      {history.length + actions.length === 0 && (
        <p className="text-ink-3">No activity in Paydesk yet. The service keeps no history here.</p>
      )}
    </ReadableRecordField>
    <Timeline
      label="Timeline, newest first"
      items={mergeTimeline(history, actions).map(({ action, source, confirmed, ...entry }) => ({
        ...entry,
        by: action ? <PersonName own={action.own} name={action.actor} /> : entry.by,
        mark: source === 'provider' ? 'provider’s record' : 'Paydesk',
        detail: (entry.detail || confirmed.length > 0) && (
          <TimelineEntryDetail text={entry.detail} confirmed={confirmed} />
        ),
        more: action && action.attempts.length > 0 ? <AttemptsTable action={action} /> : undefined,
      }))}
    />
  </Panel>
)

const TimelineEntryDetail = ({
  text,
  confirmed,
}: {
  text: string | null
  confirmed: readonly string[]
}) => (
  <>
    {text && <ExternalText>{text}</ExternalText>}
    {confirmed.length > 0 && (
      <span className="block">Warnings accepted: {confirmed.join(' ')}</span>
    )}
  </>
)

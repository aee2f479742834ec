'use client'

import { lazy, Suspense } from 'react'
import { Panel } from '@/components/kits/layout/panel'
import { Timeline } from '@/components/kits/timeline/timeline'
import { timelineOf } from '@/lib/domain/timeline'
import type { ActionView } from '@/lib/operations/answer'

// Below the fold: drawn on the server, and alive a moment after what a decision needs.
const AttemptsTable = lazy(() => import('@/components/kits/action/attempts-table').then((module) => ({ default: module.AttemptsTable })))

type RecordTimelineProps = { history: Parameters<typeof timelineOf>[0]; actions: readonly ActionView[] }

/** The provider's history and what Paydesk did, on one line of time, each with its source. A kind without a history passes an empty one. */
export const RecordTimeline = ({ history, actions }: RecordTimelineProps) => (
  <Panel title="Timeline">
    {history.length + actions.length === 0 && (
      <p className="text-ink-3">Paydesk did nothing with it yet, and the service keeps no history of it.</p>
    )}
    <Timeline
      label="Timeline, newest first"
      items={timelineOf(history, actions).map(({ action, source, ...entry }) => ({
        ...entry,
        mark: source === 'provider' ? 'provider’s record' : 'Paydesk',
        detail: entry.detail && <bdi>{entry.detail}</bdi>,
        more:
          action && action.attempts.length > 0 ? (
            <Suspense fallback={null}>
              <AttemptsTable action={action} />
            </Suspense>
          ) : undefined,
      }))}
    />
  </Panel>
)

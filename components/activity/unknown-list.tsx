'use client'

import { lazy, useState } from 'react'
import { TargetLink } from '@/components/activity/list/table'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { ExternalText, PersonName } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { useListNavigation } from '@/components/kits/list/frame'
import { useStableRows } from '@/components/kits/list/pending-changes'
import { Boundary } from '@/components/ui/boundary'
import { Skeleton } from '@/components/ui/skeleton'
import { getAccountName } from '@/lib/client/page-context'
import { parseTime } from '@/lib/dates'
import { type ActionView, resendWindowHours } from '@/lib/operations/answer'
import { getServiceOperation } from '@/lib/operations/service-operations'

// Loaded lazily, because the list is usually empty: few actions have an unknown outcome.
const LiveAction = lazy(() =>
  import('@/components/kits/action/live-action').then((module) => ({ default: module.LiveAction })),
)
const OutcomePanel = lazy(() =>
  import('@/components/kits/action/outcome-panel').then((module) => ({
    default: module.OutcomePanel,
  })),
)

/**
 * Lists the actions whose outcome is unknown. If an outcome is still unknown after `resendWindowHours`
 * hours, people decide it and state their evidence.
 */
export function UnknownOutcomeList({ actions }: { actions: readonly ActionView[] }) {
  // Actions, by id, that settled while the list was open: they stay in place until a refresh.
  const [settledActions, setSettledActions] = useState<Readonly<Record<string, ActionView>>>({})
  const { rows } = useStableRows(actions, 'unknown')
  if (rows.length === 0) {
    return (
      <EmptyState tone="good" className="px-4 lg:px-6" title="No unknown outcomes">
        <p>
          Actions are listed here while their outcome at the payments service is unknown. Paydesk
          checks each one in the background for {resendWindowHours} hours.
        </p>
      </EmptyState>
    )
  }
  return (
    <ul className="grid gap-3 px-4 py-3 lg:px-6" aria-label="Actions with an unknown outcome">
      {rows.map((action) => (
        <li key={action.id} className="grid gap-2 rounded border border-line bg-surface p-3">
          <UnknownOutcomeItem action={action} />
          <Boundary fallback={<Skeleton className="h-24" />}>
            {settledActions[action.id] ? (
              <SettledActionOutcome action={settledActions[action.id] ?? action} />
            ) : (
              <LiveAction
                action={action}
                onSettled={(now) => setSettledActions((old) => ({ ...old, [action.id]: now }))}
              />
            )}
          </Boundary>
        </li>
      ))}
    </ul>
  )
}

/**
 * Returns the time (ISO) after which the service may not recognize a repeated request and could
 * execute it twice. Null if the request was never sent.
 */
function getReplayDeadline({ attempts }: ActionView): string | null {
  const firstAttemptAt = parseTime(attempts[0]?.started_at)
  return firstAttemptAt === null
    ? null
    : new Date(firstAttemptAt + resendWindowHours * 60 * 60_000).toISOString()
}

function UnknownOutcomeItem({ action }: { action: ActionView }) {
  const context = usePageContext()
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
      <strong className="font-semibold">{getServiceOperation(action.operation).verbPhrase}</strong>
      <TargetLink place={context} {...action} />
      <span className="text-ink-2">
        by <PersonName own={action.own} name={action.actor} />
        {action.account && (
          <>
            {' '}
            for <ExternalText>{getAccountName(context, action.account)}</ExternalText>
          </>
        )}
      </span>
      <span className="text-ink-3 text-xs">
        since <RelativeTime at={action.created_at} />
        {action.next_check_at && (
          <>
            , checked again <RelativeTime at={action.next_check_at} show="moment" />
          </>
        )}
        {action.state !== 'needs_human' && getReplayDeadline(action) && (
          <>
            {`, needs a decision `}
            <RelativeTime at={getReplayDeadline(action)} show="ago" />
          </>
        )}
      </span>
      {action.warnings.length > 0 && (
        <span className="w-full text-ink-2 text-xs">
          Warnings accepted: {action.warnings.map(({ sentence }) => sentence).join(' ')}
        </span>
      )}
    </p>
  )
}

function SettledActionOutcome({ action }: { action: ActionView }) {
  const { refresh } = useListNavigation()
  return <OutcomePanel outcome={{ operation: action.operation, action }} onDismiss={refresh} />
}

'use client'

import { useState } from 'react'
import { LiveAction } from '@/components/kits/action/live-action'
import { OutcomePanel } from '@/components/kits/action/outcome-panel'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { useDesk } from '@/components/kits/layout/desk-context'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { useList } from '@/components/kits/list/list-frame'
import { accountName } from '@/lib/client/desk'
import { QueryProvider } from '@/lib/client/query-provider'
import { timeOf } from '@/lib/dates'
import { type ActionView, fuseHours } from '@/lib/operations/answer'
import { rowOf } from '@/lib/operations/rows'
import { TargetLink } from './target-link'

/** The actions whose outcome is open, oldest first: each can be checked again, and after the fuse decided with evidence. */
export const UnknownList = ({ actions }: { actions: readonly ActionView[] }) => (
  <QueryProvider>
    <Unknown actions={actions} />
  </QueryProvider>
)

function Unknown({ actions }: { actions: readonly ActionView[] }) {
  // What was settled here stays in its place, told, until the list is read anew.
  const [settled, setSettled] = useState<Readonly<Record<string, ActionView>>>({})
  if (actions.length === 0) {
    return (
      <EmptyState tone="good" className="lg:px-6" title="Every outcome is known">
        <p>
          An action stands here while nobody knows whether the payments service did it. Paydesk checks each by itself for {fuseHours} hours.
        </p>
      </EmptyState>
    )
  }
  return (
    <ul className="grid gap-3 px-4 py-3 lg:px-6" aria-label="Actions with an unknown outcome">
      {actions.map((action) => (
        <li key={action.id} className="grid gap-2 rounded border border-line bg-surface p-3">
          <ActionLine action={action} />
          {settled[action.id] ? (
            <Settled action={settled[action.id] ?? action} />
          ) : (
            <LiveAction action={action} onSettled={(now) => setSettled((old) => ({ ...old, [action.id]: now }))} />
          )}
        </li>
      ))}
    </ul>
  )
}

/** When the service no longer tells a replay from a second request, so that nobody asks it again. */
function burnsAt({ attempts }: ActionView): string | null {
  const first = timeOf(attempts[0]?.started_at)
  return first === null ? null : new Date(first + fuseHours * 60 * 60_000).toISOString()
}

function ActionLine({ action }: { action: ActionView }) {
  const desk = useDesk()
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
      <strong className="font-semibold">{rowOf(action.operation).does}</strong>
      <TargetLink environment={desk.environment} account={action.account} target={action.target} />
      <span className="text-ink-2">
        by <bdi>{action.own ? 'you' : action.actor}</bdi>
        {action.account && (
          <>
            {' '}
            for <bdi>{accountName(desk, action.account)}</bdi>
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
        {action.state !== 'needs_human' && burnsAt(action) && (
          <>
            {`, left to a person `}
            <RelativeTime at={burnsAt(action)} show="ago" />
          </>
        )}
      </span>
    </p>
  )
}

function Settled({ action }: { action: ActionView }) {
  const { refresh } = useList()
  return <OutcomePanel outcome={{ operation: action.operation, action }} onDismiss={refresh} />
}

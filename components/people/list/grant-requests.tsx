'use client'

import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Button } from '@/components/ui/button'
import { Badge } from '@/components/ui/tone'
import { formatGrant } from '@/lib/client/page-context'
import type { GrantRequestView } from '@/lib/operations/people'

export type GrantDecision = 'people.confirm_grant' | 'people.reject_grant'

type GrantRequestsProps = {
  requests: readonly GrantRequestView[]
  /** The reason the signed-in person cannot decide; null if they can. */
  reason: string | null
  running: { operation: GrantDecision; request: string } | null
  onDecide: (operation: GrantDecision, request: string) => void
}

/**
 * Roles that take effect when a second admin confirms them. Another admin can confirm or reject;
 * the first admin can withdraw.
 */
export function GrantRequests({ requests, reason, running, onDecide }: GrantRequestsProps) {
  const context = usePageContext()
  const isRunning = (operation: GrantDecision, id: string) =>
    running?.operation === operation && running.request === id
  return (
    <ul aria-label="Roles that wait for another admin" className="grid text-sm">
      {requests.map((request) => (
        <li
          key={request.id}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b py-1.5 last:border-b-0"
        >
          <span className="grid">
            <span className="font-medium">
              <ExternalText>{formatGrant(context, request)}</ExternalText>{' '}
              <Badge tone="held">Waits for another admin</Badge>
            </span>
            <span className="text-ink-3 text-xs">
              Granted by <ExternalText>{request.requested_by}</ExternalText>{' '}
              <RelativeTime at={request.created_at} show="ago" />
            </span>
          </span>
          <span className="flex gap-2">
            <Button
              size="small"
              disabledReason={
                reason ??
                (request.own ? 'You granted this role: another admin must confirm it.' : null)
              }
              loading={isRunning('people.confirm_grant', request.id)}
              onClick={() => onDecide('people.confirm_grant', request.id)}
            >
              Confirm<span className="sr-only"> {formatGrant(context, request)}</span>
            </Button>
            <Button
              size="small"
              disabledReason={reason}
              loading={isRunning('people.reject_grant', request.id)}
              onClick={() => onDecide('people.reject_grant', request.id)}
            >
              {request.own ? 'Withdraw' : 'Reject'}
              <span className="sr-only"> {formatGrant(context, request)}</span>
            </Button>
          </span>
        </li>
      ))}
    </ul>
  )
}

'use client'

import { useQuery } from '@tanstack/react-query'
import { LiveAction } from '@/components/kits/action/live-action'
import { usePageContext } from '@/components/kits/layout/page-context'
import { actionQuery } from '@/lib/client/query/reads'

/** Polls a sent request until its outcome is known. `id` is the id of its action. */
export function LimitRequestStatus({ id, onSettled }: { id: string; onSettled: () => void }) {
  const context = usePageContext()
  const actionRead = useQuery(actionQuery(context, id))
  const action = actionRead.data?.action ?? actionRead.error?.action
  if (!action)
    return (
      <p className="text-ink-3 text-xs">
        {actionRead.isPending ? 'Loading request status…' : 'The request status could not be read.'}
      </p>
    )
  return <LiveAction action={action} onSettled={onSettled} />
}

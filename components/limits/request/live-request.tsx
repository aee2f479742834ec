'use client'

import { useQuery } from '@tanstack/react-query'
import { LiveAction } from '@/components/kits/action/live-action'
import { usePageContext } from '@/components/kits/layout/page-context'
import { actionQuery } from '@/lib/client/query/reads'

/** A request whose outcome is unknown. It is polled, also after a reload, and can be checked again. */
export function LiveRequest({ id, onSettled }: { id: string; onSettled: () => void }) {
  const context = usePageContext()
  const actionResult = useQuery(actionQuery(context, id))
  const action = actionResult.data?.action ?? actionResult.error?.action
  if (!action)
    return (
      <p className="text-ink-3 text-xs">{actionResult.isPending ? 'Loading request status…' : 'The request status could not be read.'}</p>
    )
  return <LiveAction action={action} onSettled={onSettled} />
}

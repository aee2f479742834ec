'use client'

import { useQuery } from '@tanstack/react-query'
import { LiveAction } from '@/components/kits/action/live-action'
import { useDesk } from '@/components/kits/layout/desk-context'
import { readAction } from '@/lib/client/queries'

/** A request whose outcome is not known yet, also after the page was loaded anew: it is watched and can be checked again. */
export function LiveRequest({ id, onSettled }: { id: string; onSettled: () => void }) {
  const desk = useDesk()
  const found = useQuery(readAction(desk, id))
  const action = found.data?.action ?? found.error?.action
  if (!action)
    return (
      <p className="text-ink-3 text-xs">{found.isPending ? 'Reading what is known of it…' : 'What is known of it could not be read.'}</p>
    )
  return <LiveAction action={action} onSettled={onSettled} />
}

'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useTransition } from 'react'
import { onChanged } from '@/lib/client/live/changed'
import { usePageContext } from './page-context'
import { useFollowing } from './use-following'

/** A resource shown on a server-rendered page. `id` is set if only one object is shown. */
type Shown = { resource: string; id?: string }

/** Refreshes a server-rendered page when one of its resources changes, or on `refresh`. `reading` is true during a refresh. */
export function useRefresh(shown: readonly Shown[]): { refresh: () => void; reading: boolean } {
  const { environment } = usePageContext()
  const router = useRouter()
  const [reading, start] = useTransition()
  const refresh = () => start(() => router.refresh())
  useFollowing()
  const refreshIfChanged = useEffectEvent((isChanged: Parameters<Parameters<typeof onChanged>[0]>[0]) => {
    if (shown.some(({ resource, id }) => isChanged([environment, 'platform', resource, '', id ? { id } : undefined]))) refresh()
  })
  useEffect(() => onChanged(refreshIfChanged), [])
  return { refresh, reading }
}

/** Refreshes a server-rendered page after a change of one of the resources. */
export function FollowChanges({ resources }: { resources: readonly string[] }): null {
  useRefresh(resources.map((resource) => ({ resource })))
  return null
}

'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useTransition } from 'react'
import { subscribeToChanges } from '@/lib/client/live/change-listeners'
import { usePageContext } from './page-context'
import { useLiveUpdates } from './use-live-updates'

/** A resource shown on a server-rendered page. `id` is set if only one object is shown. */
type ShownResource = { resource: string; id?: string }

export function useRefresh(shownResources: readonly ShownResource[]): {
  refresh: () => void
  reading: boolean
} {
  const { environment } = usePageContext()
  const router = useRouter()
  const [reading, start] = useTransition()
  const refresh = () => start(() => router.refresh())
  useLiveUpdates()
  const refreshIfChanged = useEffectEvent(
    (isChanged: Parameters<Parameters<typeof subscribeToChanges>[0]>[0]) => {
      if (
        shownResources.some(({ resource, id }) =>
          isChanged([environment, 'platform', resource, '', id ? { id } : undefined]),
        )
      )
        refresh()
    },
  )
  useEffect(() => subscribeToChanges(refreshIfChanged), [])
  return { refresh, reading }
}

export function RefreshOnChanges({ resources }: { resources: readonly string[] }): null {
  useRefresh(resources.map((resource) => ({ resource })))
  return null
}

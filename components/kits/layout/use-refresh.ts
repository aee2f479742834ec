'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useTransition } from 'react'
import { onChanged } from '@/lib/client/live/changed'
import { usePageContext } from './page-context'
import { useFollowing } from './use-following'

/** What a page that the server draws shows: the resource, and the object where it is about one. */
type Shown = { resource: string; id?: string }

/** Has a page the server drew drawn again once something it shows changed, and when the person asks; `reading` while that is under way. */
export function useRefresh(shown: readonly Shown[]): { refresh: () => void; reading: boolean } {
  const { environment } = usePageContext()
  const router = useRouter()
  const [reading, start] = useTransition()
  const refresh = () => start(() => router.refresh())
  useFollowing()
  const told = useEffectEvent((isChanged: Parameters<Parameters<typeof onChanged>[0]>[0]) => {
    if (shown.some(({ resource, id }) => isChanged([environment, 'platform', resource, '', id ? { id } : undefined]))) refresh()
  })
  useEffect(() => onChanged(told), [])
  return { refresh, reading }
}

'use client'

import { useEffect } from 'react'
import { usePageContext } from './page-context'

/** Subscribes the page to changes of its environment for its lifetime. If the script fails to load, the page does not update. */
export function useFollowing(isWanted = true): void {
  const { environment } = usePageContext()
  useEffect(() => {
    if (isWanted) void import('@/lib/client/live/follow').then(({ followChanges }) => followChanges(environment)).catch(() => {})
  }, [environment, isWanted])
}

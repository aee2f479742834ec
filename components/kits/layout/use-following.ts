'use client'

import { useEffect } from 'react'
import { usePageContext } from './page-context'

/** Subscribes to the changes of the page's environment. If the script fails to load, the page is not updated. */
export function useFollowing(isWanted = true): void {
  const { environment } = usePageContext()
  useEffect(() => {
    if (isWanted) void import('@/lib/client/live/follow').then(({ followChanges }) => followChanges(environment)).catch(() => {})
  }, [environment, isWanted])
}

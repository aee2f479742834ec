'use client'

import { useEffect } from 'react'
import { usePageContext } from './page-context'

/** Has the page follow the changes of its environment, for as long as it lives. Without that script it stays as it was read. */
export function useFollowing(isWanted = true): void {
  const { environment } = usePageContext()
  useEffect(() => {
    if (isWanted) void import('@/lib/client/live/follow').then(({ followChanges }) => followChanges(environment)).catch(() => {})
  }, [environment, isWanted])
}

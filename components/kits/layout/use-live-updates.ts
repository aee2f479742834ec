'use client'

import { useEffect } from 'react'
import { usePageContext } from './page-context'

/** Subscribes to the changes of the page's environment. If the script fails to load, the page is not updated. */
export function useLiveUpdates(isEnabled = true): void {
  const { environment } = usePageContext()
  useEffect(() => {
    if (isEnabled) void import('@/lib/client/live/follow').then(({ followChanges }) => followChanges(environment)).catch(() => {})
  }, [environment, isEnabled])
}

'use client'

import { useEffect } from 'react'
import { usePageContext } from './page-context'

/**
 * Keeps the shown data current while it changes at the service. If the script that receives the
 * changes fails to load, the page works without updates.
 */
export function useLiveUpdates(isEnabled = true): void {
  const { environment } = usePageContext()
  useEffect(() => {
    if (isEnabled)
      void import('@/lib/client/live/follow')
        .then(({ followChanges }) => followChanges(environment))
        .catch(() => {})
  }, [environment, isEnabled])
}

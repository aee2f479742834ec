'use client'

import { useQueryClient } from '@tanstack/react-query'
import { lazy, useEffect, useState } from 'react'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Boundary } from '@/components/ui/boundary'
import { useOperation } from '@/lib/client/query/writes'
import { buildSessionQuery, useSessionEnd } from './session-end'

const IdleDialog = lazy(() =>
  import('./idle-dialog').then((module) => ({ default: module.IdleDialog })),
)

const channelName = 'paydesk.session'

/** Makes all open tabs, including this one, request the remaining time of the session again. */
function notifyTabsOfSessionChange() {
  const tabsChannel = new BroadcastChannel(channelName)
  tabsChannel.postMessage('changed')
  tabsChannel.close()
}

/**
 * Shows a dialog before the session ends. Requests for the remaining time do not extend the
 * session. When a tab extends or ends the session, it notifies the other tabs.
 */
export function IdleWarning() {
  const { environment } = usePageContext()
  const { ending, refetch } = useSessionEnd(environment)
  const [isClosed, setIsClosed] = useState(false)
  const client = useQueryClient()
  const stayMutation = useOperation<'profile.stay'>({ environment, account: null })

  useEffect(() => {
    const sessionChannel = new BroadcastChannel(channelName)
    sessionChannel.onmessage = () => void refetch()
    return () => sessionChannel.close()
  }, [refetch])

  const extendSession = async () => {
    const stayAnswer = await stayMutation.mutateAsync({ operation: 'profile.stay', input: {} })
    client.setQueryData(buildSessionQuery(environment).queryKey, stayAnswer)
    notifyTabsOfSessionChange()
  }
  if (!ending && isClosed) setIsClosed(false)
  if (!ending || isClosed) return null
  return (
    <Boundary fallback={null}>
      <IdleDialog
        ending={ending}
        onStay={extendSession}
        onClose={() => setIsClosed(true)}
        onOut={notifyTabsOfSessionChange}
      />
    </Boundary>
  )
}

'use client'

import { useQueryClient } from '@tanstack/react-query'
import { lazy, useEffect, useRef, useState } from 'react'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Boundary } from '@/components/ui/boundary'
import { read } from '@/lib/client/query/reads'
import { useOperation } from '@/lib/client/query/writes'
import { type Ending, watchSession } from './session-watch'

const IdleDialog = lazy(() => import('./idle-dialog').then((module) => ({ default: module.IdleDialog })))

/** Warns before a session ends. Its requests do not extend the session. Tabs notify each other when the user stays or signs out. */
export function IdleWarning() {
  const { environment } = usePageContext()
  const [ending, setEnding] = useState<Ending | null>(null)
  const [closed, setClosed] = useState(false)
  const notifyTabs = useRef((_what: 'stayed' | 'out') => {})
  const client = useQueryClient()
  const staying = useOperation<'profile.stay'>({ environment, account: null })

  useEffect(() => {
    const readSession = async () =>
      (await client.fetchQuery({ ...read({ environment, account: null }, 'profile.session', {}), staleTime: 0 })).data
    const { look, stop } = watchSession(readSession, (next) => {
      setEnding(next)
      if (!next) setClosed(false)
    })
    const tabs = new BroadcastChannel('paydesk.session')
    tabs.onmessage = look
    notifyTabs.current = (what) => {
      tabs.postMessage(what)
      look()
    }
    return () => {
      stop()
      tabs.close()
      setEnding(null)
    }
  }, [environment, client])

  const stay = async () => {
    await staying.mutateAsync({ operation: 'profile.stay', input: {} })
    setEnding(null)
    notifyTabs.current('stayed')
  }
  if (!ending || closed) return null
  return (
    <Boundary fallback={null}>
      <IdleDialog ending={ending} onStay={stay} onClose={() => setClosed(true)} onOut={() => notifyTabs.current('out')} />
    </Boundary>
  )
}

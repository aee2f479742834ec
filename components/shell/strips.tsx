'use client'

import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { Strip } from '@/components/kits/feedback/strip'
import { useDesk } from '@/components/kits/layout/desk-context'
import { offlineReason, useOnline } from '@/components/kits/layout/use-online'
import { buttonVariants } from '@/components/ui/button-variants'
import { readTrouble, readTroubleOnServer, subscribeTrouble } from '@/lib/client/trouble'

const SessionForm = lazy(() => import('./session-form').then((module) => ({ default: module.SessionForm })))

/** What touches every page: no connection, a refused key, an ended session. Nothing is drawn while all is well. */
export function Strips() {
  const { environment } = useDesk()
  const online = useOnline()
  const { keyRefused, signedOut } = useSyncExternalStore(subscribeTrouble, readTrouble, readTroubleOnServer)
  return (
    <>
      {!online && <Strip tone="held">{offlineReason} What is on the screen stays, and may be out of date.</Strip>}
      {keyRefused.includes(environment) && (
        <Strip tone="bad" urgent>
          <span>
            The payments service refuses our key for <strong className="font-semibold">{environment.toUpperCase()}</strong>. Nothing can be
            read or sent there until an admin mends it; you stay signed in.
          </span>
        </Strip>
      )}
      {signedOut && <SessionStrip />}
    </>
  )
}

function SessionStrip() {
  const [unfolded, setUnfolded] = useState(false)
  return (
    <>
      <Strip tone="held" urgent>
        Your session has ended. What you typed is still here, and nothing was sent.
        <button type="button" aria-expanded={unfolded} onClick={() => setUnfolded(true)} className={buttonVariants({ size: 'small' })}>
          Sign in again
        </button>
      </Strip>
      {unfolded && (
        <div className="max-w-sm px-4 py-3">
          <Suspense>
            <SessionForm />
          </Suspense>
        </div>
      )}
    </>
  )
}

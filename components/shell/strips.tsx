'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { Strip } from '@/components/kits/feedback/strip'
import { useDesk } from '@/components/kits/layout/desk-context'
import { offlineReason, useOnline } from '@/components/kits/layout/use-online'
import { Button } from '@/components/ui/button'
import { noteAnswer, readTrouble, readTroubleOnServer, subscribeTrouble } from '@/lib/client/trouble'

const CredentialsForm = lazy(() =>
  import('@/components/kits/form/credentials-form').then((module) => ({ default: module.CredentialsForm })),
)

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

/** Sign in again without leaving: the page, and what was typed on it, stays. Nothing that was pressed is sent by it. */
function SessionStrip() {
  const { person } = useDesk()
  const [unfolded, setUnfolded] = useState(false)
  const client = useQueryClient()
  const router = useRouter()
  const goOn = () => {
    noteAnswer(undefined, null)
    router.refresh()
    return client.invalidateQueries()
  }
  return (
    <>
      <Strip tone="held" urgent>
        Your session has ended. What you typed is still here, and nothing was sent.
        <Button size="small" aria-expanded={unfolded} onClick={() => setUnfolded(true)}>
          Sign in again
        </Button>
      </Strip>
      {unfolded && (
        <div className="max-w-sm px-4 py-3">
          <Suspense>
            <CredentialsForm email={person.email} submitLabel="Sign in and go on" onDone={goOn} />
          </Suspense>
        </div>
      )}
    </>
  )
}

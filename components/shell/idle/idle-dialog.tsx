'use client'

import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { usePreferences, useZone } from '@/components/kits/layout/preferences-context'
import { momentText } from '@/components/kits/layout/relative-time'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/overlay'
import { signOut } from '@/lib/client/session'
import { signInPath } from '@/lib/routes'
import type { Ending } from './session-end'

type IdleDialogProps = { ending: Ending; onStay: () => Promise<void>; onClose: () => void; onOut: () => void }

/** A dialog that warns that the session is about to end, with buttons to extend it and to sign out. */
export function IdleDialog({ ending: { at, canStay }, onStay, onClose, onOut }: IdleDialogProps) {
  const id = useId()
  const zone = useZone()
  const { preferences } = usePreferences()
  const staying = useMutation({ mutationFn: onStay })
  const leaving = useMutation({
    mutationFn: signOut,
    onSuccess: () => {
      onOut()
      location.assign(signInPath())
    },
  })
  const isBusy = staying.isPending || leaving.isPending
  const stay = () => isBusy || staying.mutate()
  return (
    <Dialog
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={canStay ? stay : onClose}
      className="m-auto w-[min(26rem,calc(100vw-2rem))]"
    >
      <div className="grid gap-3 p-4">
        <h2 id={`${id}-title`} className="font-semibold text-base">
          You will be signed out at {momentText(new Date(at).toISOString(), zone, Date.now(), preferences)}
        </h2>
        <p id={`${id}-text`} className="text-ink-2 text-sm">
          {canStay
            ? 'Nothing was done here for a while. What is typed on this page stays.'
            : 'A session ends eight hours after its sign-in. What is typed on this page stays; sign in again to go on.'}
        </p>
        <p role="alert" className="text-bad text-xs empty:hidden">
          {(staying.isError || leaving.isError) && 'Paydesk did not answer. Try again.'}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" autoFocus loading={staying.isPending} onClick={canStay ? stay : onClose}>
            {canStay ? 'Stay signed in' : 'Close'}
          </Button>
          <Button loading={leaving.isPending} onClick={() => isBusy || leaving.mutate()}>
            Sign out now
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

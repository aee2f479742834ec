'use client'

import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { usePreferences, useZone } from '@/components/kits/layout/preferences-context'
import { formatMoment } from '@/components/kits/layout/relative-time'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/overlay'
import { signOut } from '@/lib/client/session'
import { signInPath } from '@/lib/routes'
import type { SessionEndWarning } from './session-end'

type IdleDialogProps = {
  ending: SessionEndWarning
  onStay: () => Promise<void>
  onClose: () => void
  onOut: () => void
}

export function IdleDialog({ ending: { at, canStay }, onStay, onClose, onOut }: IdleDialogProps) {
  const id = useId()
  const zone = useZone()
  const { preferences } = usePreferences()
  const stayMutation = useMutation({ mutationFn: onStay })
  const signOutMutation = useMutation({
    mutationFn: signOut,
    onSuccess: () => {
      onOut()
      location.assign(signInPath())
    },
  })
  const isBusy = stayMutation.isPending || signOutMutation.isPending
  const extendSession = () => isBusy || stayMutation.mutate()
  return (
    <Dialog
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={canStay ? extendSession : onClose}
      className="m-auto w-[min(26rem,calc(100vw-2rem))]"
    >
      <div className="grid gap-3 p-4">
        <h2 id={`${id}-title`} className="font-semibold text-base">
          You will be signed out at{' '}
          {formatMoment(new Date(at).toISOString(), zone, Date.now(), preferences)}
        </h2>
        <p id={`${id}-text`} className="text-ink-2 text-sm">
          {canStay
            ? 'Nothing was done here for a while. What is typed on this page stays.'
            : 'A session ends eight hours after its sign-in. What is typed on this page stays; sign in again to go on.'}
        </p>
        <p role="alert" className="text-bad text-xs empty:hidden">
          {(stayMutation.isError || signOutMutation.isError) &&
            'Paydesk did not answer. Try again.'}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button
            variant="primary"
            autoFocus
            loading={stayMutation.isPending}
            onClick={canStay ? extendSession : onClose}
          >
            {canStay ? 'Stay signed in' : 'Close'}
          </Button>
          <Button
            loading={signOutMutation.isPending}
            onClick={() => isBusy || signOutMutation.mutate()}
          >
            Sign out now
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

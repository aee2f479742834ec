'use client'

import { useId, useState } from 'react'
import { useZone } from '@/components/kits/layout/preferences-context'
import { momentText } from '@/components/kits/layout/relative-time'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/overlay'
import { signOut } from '@/lib/client/session'
import { signInPath } from '@/lib/routes'
import type { Ending } from './session-watch'

type IdleDialogProps = { ending: Ending; onStay: () => Promise<void>; onClose: () => void; onOut: () => void }

/** Says when the person will be signed out, in time to stay. */
export function IdleDialog({ ending: { at, canStay }, onStay, onClose, onOut }: IdleDialogProps) {
  const id = useId()
  const zone = useZone()
  const [busy, setBusy] = useState<'stay' | 'out' | null>(null)
  const [failed, setFailed] = useState(false)
  const run = async (what: 'stay' | 'out', work: () => Promise<void>) => {
    if (busy) return
    setBusy(what)
    setFailed(false)
    await work().catch(() => setFailed(true))
    setBusy(null)
  }
  const stay = () => void run('stay', onStay)
  const leave = async () => {
    await signOut()
    onOut()
    location.assign(signInPath())
  }
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
          You will be signed out at {momentText(new Date(at).toISOString(), zone, Date.now())}
        </h2>
        <p id={`${id}-text`} className="text-ink-2 text-sm">
          {canStay
            ? 'Nothing was done here for a while. What is typed on this page stays.'
            : 'A session ends eight hours after its sign-in. What is typed on this page stays; sign in again to go on.'}
        </p>
        <p role="alert" className="text-bad text-xs empty:hidden">
          {failed && 'Paydesk did not answer. Try again.'}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" autoFocus loading={busy === 'stay'} onClick={canStay ? stay : onClose}>
            {canStay ? 'Stay signed in' : 'Close'}
          </Button>
          <Button loading={busy === 'out'} onClick={() => void run('out', leave)}>
            Sign out now
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent } from 'react'
import { CredentialsForm } from '@/components/kits/form/credentials-form'
import { OutsideText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { noteAnswer } from '@/lib/client/connection-status'
import { invalidate } from '@/lib/client/query/client'
import { read } from '@/lib/client/query/reads'
import { signInPath } from '@/lib/routes'

/** The way for who signs in at the identity provider, which has to be a page: another tab, so that what was typed in this one stays. */
function OtherTab({ sso, onReturn }: { sso: string; onReturn: () => void }) {
  const returned = useEffectEvent(onReturn)
  useEffect(() => {
    const look = () => returned()
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [])
  return (
    <p className="text-ink-2 text-sm">
      <a href={signInPath()} target="_blank" rel="noopener" className="underline underline-offset-2">
        Sign in with {sso} in another tab
      </a>
      , then come back here.
    </p>
  )
}

/** Sign in again without leaving: the page, and what was typed on it, stays. Nothing that was pressed before is sent by it. */
export function SessionForm() {
  const context = usePageContext()
  const { person, sso } = context
  const router = useRouter()
  const client = useQueryClient()
  const goOn = () => {
    noteAnswer(undefined, null)
    router.refresh()
    return invalidate(client)
  }
  // Whoever else signed in there does not take over what this person typed.
  const goOnAsSame = () =>
    client.fetchQuery({ ...read(context, 'profile.read', {}), staleTime: 0 }).then(
      ({ data }) => (data.email === person.email ? goOn() : undefined),
      () => undefined,
    )
  return (
    <div className="grid gap-4">
      <p className="text-sm">
        Sign in again as <OutsideText className="font-semibold">{person.name}</OutsideText> to continue on this page.
      </p>
      <CredentialsForm email={person.email} submitLabel="Sign in and continue" onDone={goOn} />
      {sso && <OtherTab sso={sso} onReturn={() => void goOnAsSame()} />}
    </div>
  )
}

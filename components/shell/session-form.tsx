'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { CredentialsForm } from '@/components/kits/form/credentials-form'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { useWindowEvent } from '@/components/kits/layout/use-window-event'
import { recordResponse } from '@/lib/client/connection-status'
import { invalidateReads } from '@/lib/client/query/client'
import { operationQuery } from '@/lib/client/query/reads'
import { signInPath } from '@/lib/routes'

/** Single sign-on leaves the page, so in this tab it would lose the typed entries. */
function OtherTabLink({ sso, onReturn }: { sso: string; onReturn: () => void }) {
  useWindowEvent('focus', onReturn)
  return (
    <p className="text-ink-2 text-sm">
      <a
        href={signInPath()}
        target="_blank"
        rel="noopener"
        className="underline underline-offset-2"
      >
        Sign in with {sso} in another tab
      </a>
      , then come back here.
    </p>
  )
}

/**
 * A form to sign in again without leaving the page, so that typed entries are kept. Reads are
 * repeated after that; writes that failed because the session had ended are not.
 */
export function SessionForm() {
  const context = usePageContext()
  const { person, sso } = context
  const router = useRouter()
  const client = useQueryClient()
  const continueAfterSignIn = () => {
    recordResponse(undefined, null)
    router.refresh()
    return invalidateReads(client)
  }
  // Continues only if the same person has signed in in the other tab. Another person must not send
  // the entries that this person typed.
  const continueIfSamePerson = () =>
    client.fetchQuery({ ...operationQuery(context, 'profile.read', {}), staleTime: 0 }).then(
      ({ data }) => (data.email === person.email ? continueAfterSignIn() : undefined),
      () => undefined,
    )
  return (
    <div className="grid gap-4">
      <p className="text-sm">
        Sign in again as <ExternalText className="font-semibold">{person.name}</ExternalText> to
        continue on this page.
      </p>
      <CredentialsForm
        email={person.email}
        submitLabel="Sign in and continue"
        onDone={continueAfterSignIn}
      />
      {sso && <OtherTabLink sso={sso} onReturn={() => void continueIfSamePerson()} />}
    </div>
  )
}

import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { SessionCheck } from '@/components/sign-in/session-check'
import { SignInForm } from '@/components/sign-in/sign-in-form'
import { parseNextPath, SignInFrame } from '@/components/sign-in/sign-in-frame'
import { ssoOutcomes } from '@/lib/routes'
import { listDemoPeople } from '@/lib/server/auth/people'
import { getSsoName } from '@/lib/server/config/env'
import { canMail } from '@/lib/server/mail/mailer'

export const metadata: Metadata = { title: 'Sign in' }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

/**
 * True if a link or redirect of another site led here. The browser then omits the session cookie
 * (`SameSite=Strict`), even if the person is signed in.
 */
const isRequestFromOtherSite = async () =>
  ['cross-site', 'same-site'].includes((await headers()).get('sec-fetch-site') ?? '')

export default async function SignInPage({ searchParams }: Props) {
  const { next, sso } = await searchParams
  const demoPeople = listDemoPeople()
  const ssoOutcome = ssoOutcomes.find((known) => known === sso) ?? null
  const signInForm = (
    <SignInForm
      next={parseNextPath(next)}
      people={demoPeople}
      canReset={canMail()}
      sso={getSsoName()}
      outcome={ssoOutcome}
    />
  )
  return (
    <SignInFrame demo={demoPeople.length > 0}>
      {ssoOutcome === 'entered' || (await isRequestFromOtherSite()) ? (
        <SessionCheck next={parseNextPath(next)}>{signInForm}</SessionCheck>
      ) : (
        signInForm
      )}
    </SignInFrame>
  )
}

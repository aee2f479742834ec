import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { SessionCheck } from '@/components/sign-in/session-check'
import { SignInForm } from '@/components/sign-in/sign-in-form'
import { nextPath, SignInFrame } from '@/components/sign-in/sign-in-frame'
import { demoPeople } from '@/lib/server/auth/people'
import { canMail } from '@/lib/server/mail/mailer'

export const metadata: Metadata = { title: 'Sign in' }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

/** Whether another site led here, as the browser says of the whole way, redirects included. */
const isFromOtherSite = async () => ['cross-site', 'same-site'].includes((await headers()).get('sec-fetch-site') ?? '')

export default async function SignInPage({ searchParams }: Props) {
  const { next } = await searchParams
  const people = demoPeople()
  const form = <SignInForm next={nextPath(next)} people={people} canReset={canMail()} />
  return (
    <SignInFrame demo={people.length > 0}>
      {(await isFromOtherSite()) ? <SessionCheck next={nextPath(next)}>{form}</SessionCheck> : form}
    </SignInFrame>
  )
}

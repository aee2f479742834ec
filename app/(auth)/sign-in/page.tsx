import type { Metadata } from 'next'
import { SignInForm } from '@/components/sign-in/sign-in-form'
import { nextPath, SignInFrame } from '@/components/sign-in/sign-in-frame'
import { demoPeople } from '@/lib/server/auth/people'

export const metadata: Metadata = { title: 'Sign in' }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function SignInPage({ searchParams }: Props) {
  const { next } = await searchParams
  const people = demoPeople()
  return (
    <SignInFrame demo={people.length > 0}>
      <SignInForm next={nextPath(next)} people={people} />
    </SignInFrame>
  )
}

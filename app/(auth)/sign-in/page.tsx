import type { Metadata } from 'next'
import { nextPath } from '@/components/sign-in/next-path'
import { SignInForm } from '@/components/sign-in/sign-in-form'
import { SignInFrame } from '@/components/sign-in/sign-in-frame'
import { demoPeople } from '@/lib/server/demo-people'

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

import type { Metadata } from 'next'
import { PasswordForm } from '@/components/sign-in/password-form'
import { PasswordPage } from '@/components/sign-in/password-page'

export const metadata: Metadata = { title: 'Set your password', referrer: 'no-referrer' }

export default function WelcomePage() {
  return (
    <PasswordPage title="Set your password">
      <p className="-mt-5 text-base text-ink-2">You need it each time you sign in to Paydesk.</p>
      <PasswordForm />
    </PasswordPage>
  )
}

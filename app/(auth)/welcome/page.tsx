import type { Metadata } from 'next'
import { BarePage } from '@/components/kits/layout/bare-page'
import { PasswordForm } from '@/components/sign-in/password-form'

export const metadata: Metadata = { title: 'Set your password', referrer: 'no-referrer' }

export default function WelcomePage() {
  return (
    <BarePage>
      <div className="max-w-md px-3">
        <h1 className="font-semibold text-2xl tracking-tight">Set your password</h1>
        <p className="mt-1 mb-8 text-base text-ink-2">
          You need it each time you sign in to Paydesk.
        </p>
        <PasswordForm />
      </div>
    </BarePage>
  )
}

import type { Metadata } from 'next'
import { ForgotForm } from '@/components/sign-in/forgot-form'
import { PasswordPage } from '@/components/sign-in/password-page'
import { Notice } from '@/components/ui/notice'
import { canMail } from '@/lib/server/mail/mailer'

export const metadata: Metadata = { title: 'Forgot your password' }

export default function ForgotPage() {
  return (
    <PasswordPage title="Forgot your password">
      {canMail() ? (
        <ForgotForm />
      ) : (
        <Notice tone="held" title="Paydesk sends no mail here">
          <p>Ask whoever runs Paydesk for your company.</p>
        </Notice>
      )}
    </PasswordPage>
  )
}

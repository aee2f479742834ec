import type { Metadata } from 'next'
import { BarePage } from '@/components/kits/layout/bare-page'
import { ForgotForm } from '@/components/sign-in/forgot-form'
import { Notice } from '@/components/ui/notice'
import { canMail } from '@/lib/server/mail/mailer'

export const metadata: Metadata = { title: 'Forgot your password' }

export default function ForgotPage() {
  return (
    <BarePage>
      <div className="max-w-md px-3">
        <h1 className="mb-8 font-semibold text-2xl tracking-tight">Forgot your password</h1>
        {canMail() ? (
          <ForgotForm />
        ) : (
          <Notice tone="held" title="Paydesk sends no mail here">
            <p>Ask whoever runs Paydesk for your company.</p>
          </Notice>
        )}
      </div>
    </BarePage>
  )
}

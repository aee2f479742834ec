import type { ReactNode } from 'react'
import { BarePage } from '@/components/kits/layout/bare-page'
import { signInPath } from '@/lib/routes'

/** A page of a person's own password, outside the desk. */
export const PasswordPage = ({ title, children }: { title: string; children: ReactNode }) => (
  <BarePage>
    <div className="grid max-w-md gap-6 px-3">
      <h1 className="font-semibold text-2xl tracking-tight">{title}</h1>
      {children}
      <a
        href={signInPath()}
        className="inline-flex min-h-6 items-center justify-self-start text-accent hover:underline"
      >
        Back to sign in
      </a>
    </div>
  </BarePage>
)

import type { ReactNode } from 'react'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { buttonVariants } from '@/components/ui/button-variants'

export const Logo = ({ className }: { className?: string }) => (
  <svg aria-hidden="true" viewBox="0 0 24 24" className={className}>
    <rect x="2" y="2" width="20" height="20" rx="5" fill="var(--text)" />
    <path d="M9 7v10M15 7v4.5" stroke="var(--bg)" strokeWidth="2.75" strokeLinecap="round" />
    <circle cx="15" cy="16.6" r="1.4" fill="var(--bg)" />
  </svg>
)

/** Used for errors and account pages, which have no environment to navigate in. */
export const BarePage = ({ children }: { children: ReactNode }) => (
  <div className="mx-auto grid min-h-dvh max-w-2xl content-start px-5 py-6 sm:px-10">
    <header className="flex items-center gap-2 font-semibold text-lg">
      <Logo className="size-6" /> Paydesk
    </header>
    <main className="mt-[8vh]">{children}</main>
  </div>
)

export const AccessDenied = ({ environment, detail }: { environment: string; detail: string }) => (
  <BarePage>
    <EmptyState
      tone="held"
      level={1}
      title={`You don’t have access to ${environment.toUpperCase()}`}
      actions={
        // A link with a full page load, so that the browser keeps no data of another environment.
        <a href="/" className={buttonVariants()}>
          Go to the start page
        </a>
      }
    >
      <p>{detail}</p>
      <p>An admin can grant you access. This attempt was recorded.</p>
    </EmptyState>
  </BarePage>
)

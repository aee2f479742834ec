import type { ReactNode } from 'react'
import { Mark } from '@/components/ui/mark'
import { ToneShape } from '@/components/ui/tone-shape'
import { Promises } from './promises'

/** The sign-in page: what one comes to do on the left, what the desk holds itself to on the right, below it on small screens. */
export const SignInFrame = ({ demo, children }: { demo: boolean; children: ReactNode }) => (
  <div className="flex min-h-dvh flex-col">
    {demo && <div aria-hidden="true" className="h-1 bg-sandbox-stripe" />}
    <div className="grid flex-1 lg:grid-cols-[minmax(28rem,5fr)_7fr]">
      <main className="flex flex-col bg-bg px-5 py-6 sm:px-10 lg:px-14">
        <div className="flex items-center gap-2">
          <Mark className="size-6" />
          <span className="font-semibold text-lg">Paydesk</span>
        </div>
        <div className="my-auto w-full max-w-md py-10">
          <h1 className="font-semibold text-2xl tracking-tight">Sign in</h1>
          <p className="mt-1 mb-8 text-base text-ink-2">
            {demo ? (
              <>
                <span className="font-medium text-sandbox">
                  <ToneShape tone="sandbox" className="-mt-0.5 inline align-middle" /> Embedded sandbox.
                </span>{' '}
                Nothing here moves real money.
              </>
            ) : (
              'To the desk where payouts are reviewed and released.'
            )}
          </p>
          {children}
        </div>
      </main>
      <Promises />
    </div>
  </div>
)

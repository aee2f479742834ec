import type { ReactNode } from 'react'
import { Logo } from '@/components/kits/layout/bare-page'
import { ShortId } from '@/components/ui/copy-button'
import { StatusBadge, type Tone, ToneIcon } from '@/components/ui/tone'

/**
 * Returns the path to open after sign-in. Only a path on this site is accepted: one leading slash,
 * and no backslash or control character. For anything else it returns the start page.
 */
export function parseNextPath(value: string | string[] | undefined): string {
  const path = typeof value === 'string' ? value : '/'
  const isLocalPath =
    path.startsWith('/') &&
    !path.startsWith('//') &&
    !path.includes('\\') &&
    !hasControlCharacter(path)
  return isLocalPath && path.length <= 2000 ? path : '/'
}

/** Browsers drop tabs and line breaks, so `/` + tab + `/host` would open another site. */
const hasControlCharacter = (path: string) =>
  [...path].some((character) => character.charCodeAt(0) < 32)

type ReleaseExampleStep = { tone: Tone; word: string; text: string; by: string }

const releaseExampleSteps: readonly ReleaseExampleStep[] = [
  {
    tone: 'held',
    word: 'on hold',
    text: 'Why the payment is on hold, who can resolve the hold and what is missing.',
    by: 'evidence first',
  },
  {
    tone: 'moving',
    word: 'sending',
    text: 'The action and its record are stored before anything is sent.',
    by: 'no record, no call',
  },
  {
    tone: 'unknown',
    word: 'outcome unknown',
    text: 'The connection broke. Paydesk repeats the same request under the same key.',
    by: 'never a second key',
  },
  {
    tone: 'good',
    word: 'released',
    text: 'The action is confirmed in the provider’s history.',
    by: 'one effect, proven',
  },
]

const ReleaseExample = () => (
  <aside
    aria-label="How Paydesk works"
    className="flex items-center border-line bg-surface px-5 py-12 max-lg:border-t sm:px-10 lg:border-l lg:px-16"
  >
    <div className="w-full max-w-xl">
      <p className="font-semibold text-xl tracking-tight">No click moves money twice.</p>
      <p className="mt-1 max-w-md text-base text-ink-2">
        No outcome is guessed, and nobody acts without a record. How Paydesk keeps this promise for
        a release:
      </p>
      <ol className="mt-8">
        {releaseExampleSteps.map((step, at) => (
          <li
            key={step.word}
            className="grid grid-cols-[9.5rem_1fr] gap-x-4 max-sm:grid-cols-1 max-sm:gap-y-1 max-sm:border-line max-sm:border-l max-sm:pb-6 max-sm:pl-4"
          >
            <span className="flex sm:justify-end">
              <StatusBadge tone={step.tone}>{step.word}</StatusBadge>
            </span>
            <span className="grid gap-0.5 sm:border-line sm:border-l sm:pb-7 sm:pl-4">
              <span className="text-base text-ink">{step.text}</span>
              <span className="text-ink-3 text-xs">
                {step.by}
                {at === 2 && (
                  <>
                    {' · '}
                    <ShortId id="pdk_4f1c9a7e2b6d4083a51e7c9d0b8f6a23" />
                  </>
                )}
              </span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  </aside>
)

export const SignInFrame = ({ demo, children }: { demo: boolean; children: ReactNode }) => (
  <div className="flex min-h-dvh flex-col">
    {demo && <div aria-hidden="true" className="h-1 bg-sandbox-stripe" />}
    <div className="grid flex-1 lg:grid-cols-[minmax(28rem,5fr)_7fr]">
      <main className="flex flex-col bg-bg px-5 py-6 sm:px-10 lg:px-14">
        <div className="flex items-center gap-2">
          <Logo className="size-6" />
          <span className="font-semibold text-lg">Paydesk</span>
        </div>
        <div className="my-auto w-full max-w-md py-10">
          <h1 className="font-semibold text-2xl tracking-tight">Sign in</h1>
          <p className="mt-1 mb-8 text-base text-ink-2">
            {demo ? (
              <>
                <span className="font-medium text-sandbox">
                  <ToneIcon tone="sandbox" className="-mt-0.5 inline align-middle" /> Embedded
                  sandbox.
                </span>{' '}
                Nothing here moves real money.
              </>
            ) : (
              'Open Paydesk where payouts are reviewed and released.'
            )}
          </p>
          {children}
        </div>
      </main>
      <ReleaseExample />
    </div>
  </div>
)

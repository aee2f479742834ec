import { ShortId } from '@/components/ui/short-id'
import { StatusBadge } from '@/components/ui/status-badge'
import type { Tone } from '@/components/ui/tone'

type Step = { tone: Tone; word: string; text: string; by: string }

const steps: readonly Step[] = [
  { tone: 'held', word: 'on hold', text: 'Why it is held, who can clear it and what is missing, in plain words.', by: 'evidence first' },
  { tone: 'moving', word: 'sending', text: 'The action and its record are stored before anything is sent.', by: 'no record, no call' },
  {
    tone: 'unknown',
    word: 'outcome unknown',
    text: 'The line was cut. The same bytes go out again under the same key.',
    by: 'never a second key',
  },
  { tone: 'good', word: 'released', text: 'The answer was read and the newest history entry is ours.', by: 'one effect, proven' },
]

/** The life of one release as the desk draws it: the product's promises, told with its own parts. */
export const Promises = () => (
  <aside
    aria-label="How this desk works"
    className="flex items-center border-line bg-surface px-5 py-12 max-lg:border-t sm:px-10 lg:border-l lg:px-16"
  >
    <div className="w-full max-w-xl">
      <p className="font-semibold text-xl tracking-tight">No click moves money twice.</p>
      <p className="mt-1 max-w-md text-base text-ink-2">
        No outcome is guessed, and nobody acts without a record. This is how one release is kept:
      </p>
      <ol className="mt-8">
        {steps.map((step, at) => (
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

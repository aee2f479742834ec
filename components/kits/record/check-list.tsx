'use client'

import { RelativeTime } from '@/components/kits/layout/relative-time'
import { cn } from '@/components/ui/cn'
import { type Tone, toneText } from '@/components/ui/tone'
import { ToneShape } from '@/components/ui/tone-shape'
import type { Check } from '@/lib/domain/fact'

const looks: Record<Check['result'], { tone: Tone; word: string }> = {
  pass: { tone: 'good', word: 'Pass' },
  warn: { tone: 'held', word: 'Look' },
  fail: { tone: 'bad', word: 'Fail' },
  unknown: { tone: 'unknown', word: 'Unknown' },
  loading: { tone: 'moving', word: 'Reading' },
}

/** Each check in a line: result, what it looks at, what it found, how old that is. */
export const CheckList = ({ checks }: { checks: readonly Check[] }) => (
  <ul aria-label="Checks" className="grid">
    {checks.map((check) => (
      <li
        key={check.id}
        className="grid min-h-6 grid-cols-[1rem_6.5rem_minmax(0,1fr)_auto] items-baseline gap-x-2 border-line border-b py-0.5 text-sm last:border-b-0 max-sm:grid-cols-[1rem_minmax(0,1fr)_auto]"
      >
        <ToneShape tone={looks[check.result].tone} className={cn('size-4 self-center', toneText[looks[check.result].tone])} />
        <span className="text-ink-3 max-sm:hidden">{check.label}</span>
        <span className={cn('min-w-0', check.result === 'pass' ? 'text-ink-2' : 'text-ink', check.result === 'fail' && 'font-medium')}>
          <span className="sr-only">{looks[check.result].word}: </span>
          <span className="text-ink-3 sm:hidden">{check.label}: </span>
          {check.sentence}
        </span>
        <span className="whitespace-nowrap text-2xs text-ink-3">{check.at && <RelativeTime at={check.at} show="ago" />}</span>
      </li>
    ))}
  </ul>
)

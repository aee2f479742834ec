'use client'

import { use } from 'react'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { cn } from '@/components/ui/cn'
import { type Tone, ToneIcon, toneTextClasses } from '@/components/ui/tone'
import type { CheckResult } from '@/lib/domain/check'
import { RecordDecisionContext } from './decision-context'

type CheckResultLabel = { tone: Tone; word: string }

const checkResultLabels: Record<CheckResult['result'], CheckResultLabel> = {
  pass: { tone: 'good', word: 'Pass' },
  warn: { tone: 'held', word: 'Review' },
  fail: { tone: 'bad', word: 'Fail' },
  unknown: { tone: 'unknown', word: 'Unknown' },
  loading: { tone: 'moving', word: 'Loading' },
}

const getCheckResultLabel = ({ result, ordinary }: CheckResult): CheckResultLabel =>
  ordinary ? { tone: 'neutral', word: 'Not needed' } : checkResultLabels[result]

export const CheckResultList = ({ checks }: { checks: readonly CheckResult[] }) => (
  <ul aria-label="Checks" className="@container grid">
    {checks.map((check) => (
      <li
        key={check.id}
        className="grid min-h-6 grid-cols-[1rem_8.5rem_minmax(0,1fr)_auto] items-baseline gap-x-2 border-line border-b py-0.5 text-sm last:border-b-0 @max-sm:grid-cols-[1rem_minmax(0,1fr)_auto]"
      >
        <ToneIcon
          tone={getCheckResultLabel(check).tone}
          className={cn(
            'mt-0.5 size-4 self-start',
            toneTextClasses[getCheckResultLabel(check).tone],
          )}
        />
        <span className="text-ink-3 @max-sm:hidden">{check.label}</span>
        <span
          className={cn(
            'min-w-0',
            check.result === 'pass' ? 'text-ink-2' : 'text-ink',
            check.result === 'fail' && 'font-medium',
          )}
        >
          <span className="sr-only">{getCheckResultLabel(check).word}: </span>
          <span className="@sm:hidden text-ink-3">{check.label}: </span>
          <ExternalText>{check.sentence}</ExternalText>
          <RequestedCheckText check={check} />
        </span>
        <span className="whitespace-nowrap text-2xs text-ink-3">
          {check.at && <RelativeTime at={check.at} show="ago" />}
        </span>
      </li>
    ))}
  </ul>
)

/** On the page of an approval: the result for the requester, unless the check passed both times. */
function RequestedCheckText({ check }: { check: CheckResult }) {
  const decision = use(RecordDecisionContext)
  const warnedSentence = decision?.warned.get(check.id)
  const hasPassed = check.result === 'pass' || check.result === 'loading'
  if (!decision || (warnedSentence === undefined && hasPassed)) return null
  return (
    <span className="block text-ink-3 text-xs">
      At the request: {warnedSentence ?? 'the requester accepted no warning.'}
    </span>
  )
}

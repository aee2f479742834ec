'use client'

import Link from 'next/link'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Panel } from '@/components/kits/layout/panel'
import { cn } from '@/components/ui/cn'
import { type Tone, toneText } from '@/components/ui/tone'
import { ToneShape } from '@/components/ui/tone-shape'
import type { OnboardingCheck } from '@/lib/domain/onboarding-checks'
import { fixLink } from './account-paths'

const looks: Record<OnboardingCheck['result'], { tone: Tone; word: string }> = {
  pass: { tone: 'good', word: 'Done' },
  warn: { tone: 'held', word: 'Look' },
  fail: { tone: 'bad', word: 'Missing' },
  unknown: { tone: 'unknown', word: 'Unknown' },
  loading: { tone: 'moving', word: 'Reading' },
}

/** What an account needs before it can be handed over, a line each, with the way to put it right. */
export function OnboardingList({ id, checks }: { id: string; checks: readonly OnboardingCheck[] }) {
  const { environment } = useDesk()
  const missing = checks.filter((check) => check.result === 'fail').length
  return (
    <Panel
      title="Before verification"
      aside={<span className="text-ink-3 text-xs">{missing === 0 ? 'complete' : `${missing} missing`}</span>}
    >
      <ul aria-label="Checklist" className="grid">
        {checks.map((check) => {
          const { tone, word } = looks[check.result]
          const link = check.fix && fixLink(environment, id, check.fix)
          return (
            <li
              key={check.id}
              className="grid min-h-8 grid-cols-[1rem_6rem_minmax(0,1fr)_auto] items-center gap-x-2 border-line border-b py-1 last:border-b-0 max-sm:grid-cols-[1rem_minmax(0,1fr)]"
            >
              <ToneShape tone={tone} className={cn('size-4', toneText[tone])} />
              <span className="text-ink-3 max-sm:hidden">{check.label}</span>
              <span className={cn('min-w-0', check.result === 'fail' && 'font-medium')}>
                <span className="sr-only">{word}: </span>
                <span className="text-ink-3 sm:hidden">{check.label}: </span>
                {check.sentence}
              </span>
              {link && (
                <Link
                  href={link.href}
                  className="inline-flex min-h-6 items-center whitespace-nowrap text-accent hover:underline max-sm:col-start-2 print:hidden"
                >
                  {link.label}
                </Link>
              )}
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}

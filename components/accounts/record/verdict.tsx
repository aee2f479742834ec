'use client'

import { toOnboardingFixLink } from '@/components/accounts/paths'
import { Link } from '@/components/kits/layout/link'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel } from '@/components/kits/layout/panel'
import { ProviderReason } from '@/components/kits/record/provider-reason'
import { cn } from '@/components/ui/cn'
import { Notice } from '@/components/ui/notice'
import { type Tone, ToneIcon, toneTextClasses } from '@/components/ui/tone'
import { describeAccountStatus } from '@/lib/domain/account-labels'
import { findOwnValue } from '@/lib/domain/service-words'
import {
  type OnboardingCheck,
  summarizeOnboardingChecks,
} from '@/lib/features/accounts/onboarding-checks'
import type { Account } from '@/lib/operations/accounts.schema'

const nextStepByStatus: Readonly<Record<string, string>> = {
  created: 'Complete the checklist, then submit the account for verification.',
  onboarding:
    'No action needed: the service is reviewing the account. Any further requirements appear here.',
  rejected: 'The account cannot be resubmitted. Ask the provider’s compliance team what is needed.',
  inactive: 'The account accepts no new customers or payments.',
}

export function AccountVerdict({ account }: { account: Account }) {
  const { label, tone, meaning, why } = describeAccountStatus(account)
  const statusDetail = account.status_detail
  const isStuck = account.status === 'onboarding' && statusDetail?.reason === 'stuck'
  return (
    <Notice
      tone={tone}
      title={<span className="text-base">{why ? `${label}: ${why}` : `${label}: ${meaning}`}</span>}
    >
      {isStuck ? (
        <p>Provide the information requested below. Linked bank accounts can be corrected now.</p>
      ) : (
        <p>{findOwnValue(nextStepByStatus, account.status) ?? meaning}</p>
      )}
      <ProviderReason details={statusDetail} />
    </Notice>
  )
}

const checkResultLabels: Record<OnboardingCheck['result'], { tone: Tone; word: string }> = {
  pass: { tone: 'good', word: 'Done' },
  warn: { tone: 'held', word: 'Review' },
  fail: { tone: 'bad', word: 'Missing' },
  unknown: { tone: 'unknown', word: 'Unknown' },
  loading: { tone: 'moving', word: 'Loading' },
}

export function OnboardingChecklist({
  id,
  checks,
}: {
  id: string
  checks: readonly OnboardingCheck[]
}) {
  const context = usePageContext()
  return (
    <Panel
      title="Before verification"
      aside={<span className="text-ink-3 text-xs">{summarizeOnboardingChecks(checks)}</span>}
    >
      <ul aria-label="Checklist" className="grid">
        {checks.map((check) => {
          const { tone, word } = checkResultLabels[check.result]
          const fixLinkProps = check.fix && toOnboardingFixLink(context, id, check.fix)
          return (
            <li
              key={check.id}
              className="grid min-h-8 grid-cols-[1rem_6rem_minmax(0,1fr)_auto] items-center gap-x-2 border-line border-b py-1 last:border-b-0 max-sm:grid-cols-[1rem_minmax(0,1fr)]"
            >
              <ToneIcon tone={tone} className={cn('size-4', toneTextClasses[tone])} />
              <span className="text-ink-3 max-sm:hidden">{check.label}</span>
              <span className={cn('min-w-0', check.result === 'fail' && 'font-medium')}>
                <span className="sr-only">{word}: </span>
                <span className="text-ink-3 sm:hidden">{check.label}: </span>
                {check.sentence}
              </span>
              {fixLinkProps && (
                <Link
                  href={fixLinkProps.href}
                  className="inline-flex min-h-6 items-center whitespace-nowrap text-accent hover:underline max-sm:col-start-2 print:hidden"
                >
                  {fixLinkProps.label}
                </Link>
              )}
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}

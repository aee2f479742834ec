'use client'

import { Amount } from '@/components/kits/layout/amount'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel } from '@/components/kits/layout/panel'
import { VerificationCodeList } from '@/components/kits/record/code-list'
import { cn } from '@/components/ui/cn'
import { StatusBadge, type Tone, toneTextClasses } from '@/components/ui/tone'
import { formatDay } from '@/lib/dates'
import { getVerdictWords } from '@/lib/domain/verification'
import {
  hasNegativeCounter,
  type ReputationCounter,
  toReputationGroups,
  toRiskWords,
} from '@/lib/features/customers/reputation'
import type { IdentityDetails } from '@/lib/operations/customers.schema'

type ScoreBarProps = {
  what: string
  score: { label: string; tone: Tone; position: number; text: string } | null
}

/** A missing score is shown as "no score", not as an empty bar. */
export function ScoreBar({ what, score }: ScoreBarProps) {
  if (!score) {
    return (
      <span className="text-ink-3 text-xs">
        <span className="sr-only">{what}: </span>no score
      </span>
    )
  }
  return (
    <span className="grid min-w-0 gap-0.5">
      <span className="flex min-w-0 items-baseline gap-1.5 text-xs">
        <span className="sr-only">{what}: </span>
        <span className="font-medium tabular-nums">{score.text}</span>
        <span className={cn('truncate', toneTextClasses[score.tone])}>{score.label}</span>
      </span>
      <svg
        aria-hidden="true"
        viewBox="0 0 100 4"
        preserveAspectRatio="none"
        className={cn('h-1 w-full max-w-32', toneTextClasses[score.tone])}
      >
        <rect width="100" height="4" rx="2" className="fill-sunken" />
        <rect width={Math.max(2, score.position * 100)} height="4" rx="2" fill="currentColor" />
      </svg>
    </span>
  )
}

/** Reports of other members of the provider's network. Omits counters that were not reported. */
export function NetworkPanel({ details }: { details: IdentityDetails }) {
  const { network_alerts: network, reputation, messages } = details
  if (!network && !reputation) return null
  const groups = toReputationGroups(reputation?.insights ?? {})
  return (
    <Panel
      title="Network and reputation"
      aside={
        reputation && <ScoreBar what="Reputation risk" score={toRiskWords(reputation.risk_score)} />
      }
    >
      <div className="grid gap-3">
        {network && (
          <NetworkAlerts
            alerts={network.alerts}
            decision={network.decision}
            codes={network.codes}
            messages={messages}
          />
        )}
        {reputation && (
          <NetworkSection title="Reputation" decision={reputation.decision}>
            <VerificationCodeList codes={reputation.codes} messages={messages} />
            {groups.length === 0 && <p className="text-ink-3">No reports.</p>}
            <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
              {groups.map((group) => (
                <div key={group.id} className="min-w-0">
                  <h4
                    className={cn(
                      'font-medium text-xs',
                      hasNegativeCounter(group) ? 'text-bad' : 'text-ink-3',
                    )}
                  >
                    {group.label}
                    {hasNegativeCounter(group) && (
                      <span className="sr-only">, reports against the customer</span>
                    )}
                  </h4>
                  <dl className="grid gap-0.5 text-sm">
                    {group.counters.map((counter) => (
                      <div key={counter.name} className="flex justify-between gap-3">
                        <dt className="text-ink-2">{counter.label}</dt>
                        <dd className="min-w-0 text-right tabular-nums">
                          <CounterValue counter={counter} />
                        </dd>
                      </div>
                    ))}
                  </dl>
                </div>
              ))}
            </div>
          </NetworkSection>
        )}
      </div>
    </Panel>
  )
}

type AlertsProps = {
  alerts: readonly string[]
  decision: string | undefined
  codes: readonly string[]
  messages: Readonly<Record<string, string>>
}

const NetworkAlerts = ({ alerts, decision, codes, messages }: AlertsProps) => (
  <NetworkSection title="Alerts" decision={decision}>
    {alerts.length === 0 && codes.length === 0 && <p className="text-ink-3">No alerts.</p>}
    <ul className="list-disc pl-4">
      {alerts.map((alert) => (
        <li key={alert}>
          <ExternalText>{alert}</ExternalText>
        </li>
      ))}
    </ul>
    <VerificationCodeList codes={codes} messages={messages} />
  </NetworkSection>
)

function NetworkSection({
  title,
  decision,
  children,
}: {
  title: string
  decision: string | undefined
  children: React.ReactNode
}) {
  const verdict = getVerdictWords(decision)
  return (
    <section className="grid gap-1.5">
      <h3 className="flex items-center justify-between gap-2 font-medium text-sm">
        {title}
        <StatusBadge tone={verdict.tone}>{verdict.label}</StatusBadge>
      </h3>
      {children}
    </section>
  )
}

function CounterValue({ counter }: { counter: ReputationCounter }) {
  const { amountUnit } = usePageContext()
  if (counter.kind === 'money')
    return <Amount raw={String(counter.value)} currency="USD" unit={amountUnit} />
  if (counter.kind === 'dates')
    return (
      <span className="text-ink-2 text-xs">
        {counter.value.map((date) => formatDay(date)).join(', ')}
      </span>
    )
  return <ExternalText>{counter.value}</ExternalText>
}

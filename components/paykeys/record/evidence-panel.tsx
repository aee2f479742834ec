'use client'

import type { ReactNode } from 'react'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { VerificationCodeList } from '@/components/kits/record/code-list'
import { ReadResultBlock } from '@/components/kits/record/read-value'
import { cn } from '@/components/ui/cn'
import { Badge, StatusBadge, ToneIcon, toneTextClasses } from '@/components/ui/tone'
import { getVerdictWords, scoreBounds, toScoreWords } from '@/lib/domain/verification'
import type { PaykeyReview } from '@/lib/operations/paykeys.schema'
import type { PaykeyRelatedReads } from './use-facts'

const scoreZones = [
  { from: 0, to: scoreBounds.medium, name: 'low', fill: 'fill-bad-fill' },
  { from: scoreBounds.medium, to: scoreBounds.high, name: 'medium', fill: 'fill-held-fill' },
  { from: scoreBounds.high, to: 1, name: 'high', fill: 'fill-good-fill' },
] as const

const formatPercent = (share: number) => `${share * 100}%`

/** The similarity of the customer's name and the name on the bank account. */
function NameScore({ score }: { score: number | undefined }) {
  const scoreTexts = toScoreWords(score)
  if (!scoreTexts)
    return (
      <p className="text-ink-2 text-sm">The names have no score. Compare the names yourself.</p>
    )
  return (
    <div className="grid gap-1">
      <p className="flex items-center gap-2">
        <ToneIcon
          tone={scoreTexts.tone}
          className={cn('size-4', toneTextClasses[scoreTexts.tone])}
        />
        <span className={cn('font-semibold', toneTextClasses[scoreTexts.tone])}>
          {scoreTexts.label}
        </span>
        <span className="text-ink-2 tabular-nums">{scoreTexts.text} of 1</span>
      </p>
      <svg aria-hidden="true" className="h-9 w-full overflow-visible">
        {scoreZones.map((zone) => (
          <g key={zone.name}>
            <rect
              x={formatPercent(zone.from)}
              width={formatPercent(zone.to - zone.from)}
              y="6"
              height="8"
              className={zone.fill}
            />
            <text
              x={formatPercent((zone.from + zone.to) / 2)}
              y="30"
              textAnchor="middle"
              className="fill-ink-3 text-2xs"
            >
              {zone.name}
            </text>
          </g>
        ))}
        <rect x="0" y="6" width="100%" height="8" fill="none" className="stroke-line" />
        <line
          x1={formatPercent(scoreTexts.position)}
          x2={formatPercent(scoreTexts.position)}
          y1="2"
          y2="18"
          className="stroke-ink"
          strokeWidth="3"
          strokeLinecap="round"
        />
      </svg>
    </div>
  )
}

type VerificationDetails = NonNullable<PaykeyReview['verification_details']>
type EvidenceModule = VerificationDetails['breakdown'][string]

type EvidencePanelProps = {
  review: PaykeyRelatedReads['review']
  /** The customer's current name. It may differ from the name that the verification compared. */
  customerName: string | undefined
  aside: ReactNode
  children: ReactNode
}

export const EvidencePanel = ({ review, customerName, aside, children }: EvidencePanelProps) => (
  <Panel title="Evidence" aside={aside}>
    <div className="grid gap-3">
      {children}
      <ReadResultBlock read={review} onAgain={review.again} height="h-72">
        {({ verification_details }) =>
          verification_details ? (
            <VerificationEvidence details={verification_details} customerName={customerName} />
          ) : (
            <p className="text-ink-2">This bank account has not been verified yet.</p>
          )
        }
      </ReadResultBlock>
    </div>
  </Panel>
)

function VerificationEvidence({
  details,
  customerName,
}: {
  details: VerificationDetails
  customerName: string | undefined
}) {
  const verdict = getVerdictWords(details.decision)
  const { name_match, ...others } = details.breakdown
  const evidenceModules = Object.entries(name_match ? { name_match, ...others } : others)
  return (
    <div className="grid gap-3">
      <p className="flex flex-wrap items-center gap-2">
        <StatusBadge tone={verdict.tone}>{verdict.label}</StatusBadge>
        <span className="text-ink-2">{verdict.meaning}</span>
        <RelativeTime at={details.updated_at} show="ago" className="ml-auto text-ink-3 text-xs" />
      </p>
      {name_match && <NameComparison match={name_match} customerName={customerName} />}
      {evidenceModules.length === 0 && (
        <p className="text-ink-2">The verification was skipped: no check ran.</p>
      )}
      <ul aria-label="Evidence" className="grid gap-2">
        {evidenceModules.map(([name, module]) => (
          <EvidenceModuleRow key={name} name={name} module={module} messages={details.messages} />
        ))}
      </ul>
    </div>
  )
}

/** The customer's name above the names on the bank account, to compare them letter by letter. */
function NameComparison({
  match,
  customerName,
}: {
  match: EvidenceModule
  customerName: string | undefined
}) {
  const comparedName = match.customer_name
  return (
    <div className="grid gap-2 rounded-sm border border-line bg-bg p-3">
      <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 gap-y-1">
        <dt className="text-ink-3">Customer</dt>
        <dd className="break-words font-semibold text-base">
          <ExternalText>{comparedName ?? customerName ?? 'unknown'}</ExternalText>
          {comparedName && customerName && comparedName !== customerName && (
            <span className="block font-normal text-held text-sm">
              now <ExternalText>{customerName}</ExternalText>: re-verify the customer
            </span>
          )}
        </dd>
        <dt className="text-ink-3">On the account</dt>
        <dd className="grid gap-0.5">
          {match.names_on_account.length === 0 && (
            <span className="text-ink-2">The bank returned no names.</span>
          )}
          {match.names_on_account.map((name) => (
            <span
              key={name}
              className="flex flex-wrap items-center gap-2 break-words font-semibold text-base"
            >
              <ExternalText>{name}</ExternalText>
              {name === match.matched_name && <Badge>closest</Badge>}
            </span>
          ))}
        </dd>
      </dl>
      <NameScore score={match.correlation_score} />
    </div>
  )
}

const moduleLabels: Readonly<Record<string, string>> = {
  name_match: 'Name match',
  account_validation: 'Account validation',
}

function EvidenceModuleRow({
  name,
  module,
  messages,
}: {
  name: string
  module: EvidenceModule
  messages: VerificationDetails['messages']
}) {
  const verdict = getVerdictWords(module.decision)
  const moduleTitle = Object.hasOwn(moduleLabels, name)
    ? moduleLabels[name]
    : name.replaceAll('_', ' ')
  // The reason is hidden if it only repeats the text of a code that is listed below.
  const distinctModuleReason =
    Object.values(messages).includes(module.reason ?? '') && module.codes.length > 0
      ? undefined
      : module.reason
  return (
    <li className="grid gap-1 border-line border-t pt-2">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{moduleTitle}</span>
        <StatusBadge tone={verdict.tone}>{verdict.label}</StatusBadge>
        {distinctModuleReason && (
          <ExternalText className="text-ink-2">{distinctModuleReason}</ExternalText>
        )}
      </p>
      <VerificationCodeList codes={module.codes} messages={messages} />
    </li>
  )
}

'use client'

import { lazy } from 'react'
import { ExternalText, PersonName } from '@/components/kits/layout/outside-text'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Boundary } from '@/components/ui/boundary'
import { cn } from '@/components/ui/cn'
import { ShortId } from '@/components/ui/copy-button'
import { StatusBadge, ToneIcon, toneTextClasses } from '@/components/ui/tone'
import { formatLimitValue, limitWords, paymentTypeNouns } from '@/lib/domain/limit-labels'
import { formatReason } from '@/lib/domain/reasons'
import {
  type LimitComparison,
  type LimitRequestView,
  limitRequestLabels,
  staleAfterBankingDays,
} from '@/lib/features/limits/tracking'

const LiveRequest = lazy(() =>
  import('./live-request').then((module) => ({ default: module.LimitRequestStatus })),
)

type LimitRequestListProps = { requests: readonly LimitRequestView[]; onSettled: () => void }

export const LimitRequestList = ({ requests, onSettled }: LimitRequestListProps) => (
  <ul className="grid">
    {requests.map((request) => (
      <li
        key={request.id}
        className="border-line border-b py-3 first:pt-0 last:border-b-0 last:pb-0"
      >
        <LimitRequestItem request={request} onSettled={onSettled} />
      </li>
    ))}
  </ul>
)

function LimitRequestItem({
  request,
  onSettled,
}: {
  request: LimitRequestView
  onSettled: () => void
}) {
  const { tracking, action } = request
  const requestStateLabel = limitRequestLabels[tracking.state]
  return (
    <article
      aria-label={`Request for ${paymentTypeNouns[request.type].many}`}
      className="grid gap-2"
    >
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium">{paymentTypeNouns[request.type].title}</span>
        <StatusBadge tone={requestStateLabel.tone}>{requestStateLabel.label}</StatusBadge>
        <span className="text-ink-3 text-xs">
          <PersonName own={request.own} name={request.asked_by} />,{' '}
          <RelativeTime at={request.created_at} />
          {tracking.isOpen &&
            `, day ${tracking.bankingDays} of ${staleAfterBankingDays} (business days)`}
        </span>
      </p>
      <p className="text-ink-2">{requestStateLabel.meaning}</p>
      <ul aria-label="Requested limits" className="grid gap-0.5">
        {tracking.limits.map((limit) => (
          <LimitComparisonRow key={limit.name} limit={limit} />
        ))}
      </ul>
      <p className="break-words text-ink-2 text-xs">
        <ExternalText>{formatReason(request.justification)}</ExternalText>
      </p>
      {request.capability && (
        <p className="text-ink-3 text-xs">
          Request at the service <ShortId id={request.capability.id} what="capability request ID" />
          , {request.capability.status.replaceAll('_', ' ')}
        </p>
      )}
      {request.note && <p className="font-medium text-held text-xs">{request.note}</p>}
      {tracking.state === 'unconfirmed' && action && (
        <Boundary fallback={null}>
          <LiveRequest id={action.id} onSettled={onSettled} />
        </Boundary>
      )}
    </article>
  )
}

const comparisonLabels: Record<
  LimitComparison['state'],
  { tone: 'good' | 'neutral' | 'held'; word: string }
> = {
  met: { tone: 'good', word: 'in force' },
  waiting: { tone: 'neutral', word: 'not yet' },
  moved: { tone: 'held', word: 'changed to another value' },
}

const LimitComparisonRow = ({
  limit: { name, before, now, asked, state },
}: {
  limit: LimitComparison
}) => (
  <li className="flex flex-wrap items-center gap-x-2">
    <ToneIcon
      tone={comparisonLabels[state].tone}
      className={cn('size-3.5', toneTextClasses[comparisonLabels[state].tone])}
    />
    <span className="w-32 text-ink-3">{limitWords[name].label}</span>
    <span className="tabular-nums">
      was {formatLimitValue(name, before)},{' '}
      {now === undefined ? 'now unknown' : `is ${formatLimitValue(name, now)}`},{' '}
      <span className="font-medium">requested {formatLimitValue(name, asked)}</span>
    </span>
    <span className="text-ink-3 text-xs">{comparisonLabels[state].word}</span>
  </li>
)

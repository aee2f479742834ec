'use client'

import { use } from 'react'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { useNewerCachedHoldReason } from '@/components/payments/hold-reason'
import { Boundary } from '@/components/ui/boundary'
import { cn } from '@/components/ui/cn'
import { Skeleton } from '@/components/ui/skeleton'
import { Badge, StatusBadge } from '@/components/ui/tone'
import { getStatusWords } from '@/lib/domain/status'
import type { PaymentRow } from './lists'

/** Only the bank name is truncated: the last four digits identify the account. */
export function BankCell({ bank }: { bank: string | undefined }) {
  const [, name, tail] = /^(.*) - (\S+)$/.exec(bank ?? '') ?? []
  return (
    <span className="flex gap-1 text-ink-2">
      <ExternalText className="truncate">{name ?? bank ?? 'unknown'}</ExternalText>
      {tail && <ExternalText className="shrink-0">{tail}</ExternalText>}
    </span>
  )
}

function getRelationLabel(payment: PaymentRow): string | undefined {
  if (payment.is_refund) return 'Refund'
  if (payment.has_refund) return 'Refunded'
  if (payment.has_resubmit) return 'Resubmitted'
  return payment.is_resubmit ? 'Resubmission' : undefined
}

function formatStatusDetails(details: PaymentRow['status_details']): string | undefined {
  if (details?.reason === 'ok') return undefined
  return (
    [details?.code, details?.message ?? details?.reason]
      .filter((part) => part !== undefined)
      .join(' · ') || undefined
  )
}

/**
 * The status of a payment, its relation to another payment, and the reason for the status. The
 * reason of a hold resolves after the row is rendered. In a queue all rows have the same status, so
 * it is omitted, and the reason is shown in full.
 */
export function StateCell({ payment, queue }: { payment: PaymentRow; queue: boolean }) {
  const { label, tone } = getStatusWords('payment', payment.status)
  const relationLabel = getRelationLabel(payment)
  return (
    <span className="flex items-center gap-2 @max-[44rem]:text-xs">
      {!queue && <StatusBadge tone={tone}>{label}</StatusBadge>}
      {relationLabel && <Badge>{relationLabel}</Badge>}
      {payment.whyHeld ? (
        <Boundary fallback={<Skeleton className="inline-block h-3 w-40 align-middle" />}>
          <HoldReasonText id={payment.id} why={payment.whyHeld} whole={queue} />
        </Boundary>
      ) : (
        <ReasonText text={formatStatusDetails(payment.status_details)} />
      )}
    </span>
  )
}

const ReasonText = ({ text }: { text: string | undefined }) =>
  text && (
    <ExternalText className="truncate text-ink-2" title={text}>
      {text}
    </ExternalText>
  )

/** The reason of a hold: in full if `whole`, otherwise on two lines at most. */
function HoldReasonText({ id, why, whole }: { id: string; why: Promise<string>; whole: boolean }) {
  const loadedHoldReason = use(why)
  const newestReason = useNewerCachedHoldReason(id, why) ?? loadedHoldReason
  return (
    <ExternalText
      className={cn(
        'my-1 min-w-0 whitespace-normal break-words text-ink-2 text-xs leading-4 [overflow-wrap:anywhere]',
        !whole && 'line-clamp-2',
      )}
      title={whole ? undefined : newestReason}
    >
      {newestReason}
    </ExternalText>
  )
}

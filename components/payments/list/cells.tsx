'use client'

import { use } from 'react'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { BankCell } from '@/components/kits/list/columns'
import { useNewerCachedHoldReason } from '@/components/payments/hold-reason'
import { Boundary } from '@/components/ui/boundary'
import { cn } from '@/components/ui/cn'
import { Skeleton } from '@/components/ui/skeleton'
import { Badge, StatusBadge } from '@/components/ui/tone'
import { getStatusWords } from '@/lib/domain/status'
import type { PaymentRow } from './lists'

/** Splits a label such as `CITIBANK NA - *9676`. */
export function PaymentBankCell({ bank }: { bank: string | undefined }) {
  const [, name, account] = /^(.*) - (\S+)$/.exec(bank ?? '') ?? []
  return <BankCell name={name ?? bank} account={account} />
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
      {!queue && (
        <StatusBadge tone={tone} className="shrink-0">
          {label}
        </StatusBadge>
      )}
      {relationLabel && (
        <Badge className="min-w-0">
          <span className="truncate">{relationLabel}</span>
        </Badge>
      )}
      {payment.whyHeld ? (
        <Boundary fallback={<Skeleton className="h-3 min-w-0 grow" />}>
          <HoldReasonText id={payment.id} why={payment.whyHeld} queue={queue} />
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

/** Fixed, because the reason of a hold arrives after the row. */
export const stateColumnClasses = '@min-[44rem]:w-44 @min-[90rem]:w-80'

/** It is the last column of most lists: the ID after it has no room. */
export const dateColumnClasses = '@max-[56rem]:hidden @max-[90rem]:pr-6 w-30'

/** The reason of a hold, on two lines at most in a queue, otherwise on one. Cards show all of it in a queue. */
type HoldReasonProps = { id: string; why: Promise<string>; queue: boolean }

function HoldReasonText({ id, why, queue }: HoldReasonProps) {
  const loadedHoldReason = use(why)
  const newestReason = useNewerCachedHoldReason(id, why) ?? loadedHoldReason
  return (
    <ExternalText
      className={cn(
        'min-w-0 whitespace-normal text-ink-2 text-xs leading-4 [overflow-wrap:anywhere]',
        queue ? 'line-clamp-2 @max-[44rem]:line-clamp-none' : 'line-clamp-1',
      )}
      title={newestReason}
    >
      {newestReason}
    </ExternalText>
  )
}

'use client'

import { use } from 'react'
import { OutsideText } from '@/components/kits/layout/outside-text'
import { useSaidSince } from '@/components/payments/why-said'
import { Boundary } from '@/components/ui/boundary'
import { cn } from '@/components/ui/cn'
import { Skeleton } from '@/components/ui/skeleton'
import type { PaymentRow } from './lists'

/** A bank account in a table. The bank's name truncates first, because the last four digits identify the account. */
export function BankCell({ bank }: { bank: string | undefined }) {
  const [, name, tail] = /^(.*) - (\S+)$/.exec(bank ?? '') ?? []
  return (
    <span className="flex gap-1 text-ink-2">
      <OutsideText className="truncate">{name ?? bank ?? 'unknown'}</OutsideText>
      {tail && <OutsideText className="shrink-0">{tail}</OutsideText>}
    </span>
  )
}

type WhyTextProps = Pick<PaymentRow, 'id' | 'why'> & { whole: boolean }

/**
 * Reason of a payment's state. The reason of a hold resolves after the row; it is shown in full if `whole`, else on two lines. Any other
 * reason is truncated to one line.
 */
export function WhyText({ id, why, whole }: WhyTextProps) {
  if (why === undefined) return null
  if (typeof why === 'string') {
    return (
      <OutsideText className="truncate text-ink-2" title={why}>
        {why}
      </OutsideText>
    )
  }
  return (
    <Boundary fallback={<Skeleton className="inline-block h-3 w-40 align-middle" />}>
      <HeldText id={id} why={why} whole={whole} />
    </Boundary>
  )
}

function HeldText({ id, why, whole }: { id: string; why: Promise<string>; whole: boolean }) {
  const read = use(why)
  const since = useSaidSince(id, why)
  const text = since ?? read
  return (
    <OutsideText
      className={cn(
        'my-1 min-w-0 whitespace-normal break-words text-ink-2 text-xs leading-4 [overflow-wrap:anywhere]',
        !whole && 'line-clamp-2',
      )}
      title={whole ? undefined : text}
    >
      {text}
    </OutsideText>
  )
}

'use client'

import { Suspense, use } from 'react'
import { Skeleton } from '@/components/ui/skeleton'
import { formatMinor } from '@/lib/money'
import type { PaykeyRow, RowWaiting } from './paykey-row'

/** Whose bank account it is. The list of paykeys does not name people, so the name comes a moment after the row. */
export const CustomerName = ({ name }: { name: PaykeyRow['customer'] }) => (
  <Suspense fallback={<Skeleton className="inline-block h-3 w-28 align-middle" />}>
    <Name name={name} />
  </Suspense>
)

function Name({ name }: { name: PaykeyRow['customer'] }) {
  const known = use(name)
  return known === null ? <span className="text-ink-3">Name not read</span> : <bdi>{known}</bdi>
}

/** How many payments wait on it and what they come to; they too come after the row. */
export const WaitingFigure = ({ waiting }: { waiting: PaykeyRow['waiting'] }) => (
  <Suspense fallback={<Skeleton className="inline-block h-3 w-20 align-middle" />}>
    <Waiting waiting={waiting} />
  </Suspense>
)

function Waiting({ waiting }: { waiting: PaykeyRow['waiting'] }) {
  const known = use(waiting)
  if (known === null) return <span className="text-ink-3">not read</span>
  if (known.count === 0) return <span className="text-ink-3">{known.atLeast ? 'none seen' : 'none'}</span>
  return (
    <span className="tabular-nums">
      <span className="font-medium">
        {known.count}
        {known.atLeast && '+'}
      </span>
      <span className="text-ink-2"> · {sums(known)}</span>
    </span>
  )
}

/** Money in and money out are never added up; which is which is said only where there is a doubt. */
function sums({ charges, payouts, unreadable }: RowWaiting): string {
  const parts = [charges > 0 && `${formatMinor(charges)} in`, payouts > 0 && `${formatMinor(payouts)} out`].filter(Boolean)
  return [...parts, unreadable > 0 && 'unit unclear'].filter(Boolean).join(', ')
}

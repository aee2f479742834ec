'use client'

import { useState } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Panel } from '@/components/kits/layout/panel'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Skeleton } from '@/components/ui/skeleton'
import type { FundingSum } from '@/lib/domain/funding-sum'
import { fundingReasonText } from '@/lib/domain/funding-words'
import { formatMinor } from '@/lib/money'
import type { FundingEventPayment } from '@/lib/operations/funding-events.schema'
import { LineTable } from './line-table'

/** Lines drawn at once; more come by a button, so that an event of thousands opens at once. */
const step = 100

type FundingPaymentsProps = { lines: readonly FundingEventPayment[]; sum: FundingSum; ended: boolean; account: string | null }

/** A line with the sum up to and including it, over all lines and not only those that are shown. */
export type NumberedLine = { line: FundingEventPayment; number: number; after: number | null }

/** The payments of the event: what each reason adds, and line by line with the running sum. */
export function FundingPayments({ lines, sum, ended, account }: FundingPaymentsProps) {
  const [reason, setReason] = useState<string | null>(null)
  const [shown, setShown] = useState(step)
  const numbered = lines.map((line, at): NumberedLine => ({ line, number: at + 1, after: sum.running[at] ?? null }))
  const wanted = reason === null ? numbered : numbered.filter(({ line }) => (line.reason ?? 'none') === reason)
  return (
    <Panel title="Payments" aside={<span className="text-ink-3 text-xs">{countText(sum, ended)}</span>}>
      <Reasons
        sum={sum}
        chosen={reason}
        onChoose={(next) => {
          setReason(next)
          setShown(step)
        }}
      />
      {lines.length === 0 && !ended && <Skeleton className="mt-3 h-46" />}
      {lines.length === 0 && ended && sum.total === 0 && <p className="mt-3 text-ink-2">The service lists no payment for this event.</p>}
      {wanted.length > 0 && <LineTable lines={wanted.slice(0, shown)} account={account} />}
      {wanted.length > shown && (
        <p className="mt-3 flex flex-wrap items-center gap-3 text-ink-3 text-xs print:hidden">
          <Button size="small" onClick={() => setShown(shown + step)}>
            Show {Math.min(step, wanted.length - shown)} more
          </Button>
          {shown.toLocaleString('en-US')} of {wanted.length.toLocaleString('en-US')} lines drawn; the sums are of all of them.
        </p>
      )}
    </Panel>
  )
}

const countText = ({ read, total }: FundingSum, ended: boolean) =>
  !ended && total !== null && read < total
    ? `${read.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} read`
    : read.toLocaleString('en-US')

type ReasonsProps = { sum: FundingSum; chosen: string | null; onChoose: (reason: string | null) => void }

/** What each reason adds; choosing one shows its lines only. */
function Reasons({ sum, chosen, onChoose }: ReasonsProps) {
  const { amountUnit } = useDesk()
  if (sum.read === 0) return null
  const all = { reason: null, label: 'All together', count: sum.read, sum: sum.sum }
  const parts = sum.reasons.map((part) => ({ ...part, label: fundingReasonText(part.reason) }))
  return (
    <fieldset className="grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] gap-2">
      <legend className="sr-only">Lines by reason, amounts read in {amountUnit} units</legend>
      {[...parts, all].map((part) => (
        <button
          key={part.reason ?? 'all'}
          type="button"
          aria-pressed={chosen === part.reason}
          onClick={() => onChoose(part.reason)}
          className={cn(
            'grid gap-0.5 rounded border px-3 py-2 text-left hover:bg-sunken',
            chosen === part.reason ? 'border-accent bg-selected' : 'border-line',
          )}
        >
          <span className="text-ink-3 text-xs">
            {part.label}, {part.count.toLocaleString('en-US')} {part.count === 1 ? 'line' : 'lines'}
          </span>
          <span className="font-medium tabular-nums">{formatMinor(part.sum)}</span>
        </button>
      ))}
    </fieldset>
  )
}

'use client'

import { useState } from 'react'
import { type Column, DataTable } from '@/components/kits/data-table/data-table'
import { Amount } from '@/components/kits/layout/amount'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel, RecordStatusBadge } from '@/components/kits/layout/panel'
import { CalendarDate } from '@/components/kits/layout/relative-time'
import { UnreadableRows } from '@/components/kits/unreadable/unreadable-rows'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { ShortId } from '@/components/ui/copy-button'
import { Skeleton } from '@/components/ui/skeleton'
import { getScopeForListLink, type PageContext } from '@/lib/client/page-context'
import { parsePaymentKind, resourceByKind } from '@/lib/domain/payment-kind'
import { getFundingReasonLabel } from '@/lib/features/funding/labels'
import type { FundingSum } from '@/lib/features/funding/sum'
import { moneyText } from '@/lib/money'
import type { UnreadableRow } from '@/lib/operations/answer'
import type { FundingEventPayment } from '@/lib/operations/funding-events.schema'
import { listPath, recordPath } from '@/lib/routes'

/**
 * `number` counts from 1. `after` is the running total, including payments that the filter hides;
 * null if the amount cannot be parsed.
 */
type NumberedLine = { line: FundingEventPayment; number: number; after: number | null }

type FundingLineTableProps = {
  lines: readonly NumberedLine[]
  sign: 1 | -1
  account: string | null
}

function FundingLineTable({ lines, sign, account }: FundingLineTableProps) {
  const context = usePageContext()
  return (
    <div className="@container -mx-3 mt-3 -mb-3 border-line border-t">
      <DataTable
        caption="Payments of the funding event"
        columns={buildFundingLineColumns(context, sign, account)}
        rows={lines}
        rowId={({ line, number }) => `${number} ${line.id}`}
      />
    </div>
  )
}

const buildFundingLineColumns = (
  context: PageContext,
  sign: 1 | -1,
  account: string | null,
): readonly Column<NumberedLine>[] => [
  { id: 'number', header: 'Line', align: 'end', cell: renderNumberCell, className: 'w-18' },
  {
    id: 'payment',
    header: 'Payment',
    narrow: 'title',
    cell: createPaymentCell(context, account),
    className: '@min-[44rem]:w-[26%]',
  },
  {
    id: 'reason',
    header: 'Reason',
    narrow: 'line',
    cell: renderReasonCell,
    className: '@min-[44rem]:w-24',
  },
  { id: 'state', header: 'Status', cell: renderStateCell, className: 'w-32' },
  {
    id: 'date',
    header: 'Payment date',
    cell: renderDateCell,
    className: '@max-[60rem]:hidden w-28',
  },
  {
    id: 'id',
    header: 'ID',
    cell: ({ line }) => <ShortId id={line.id} className="text-ink-3" />,
    className: '@max-[68rem]:hidden w-36',
  },
  {
    id: 'amount',
    header: 'Effect',
    narrow: 'figure',
    align: 'end',
    cell: createAmountCell(context, sign),
    className: '@min-[44rem]:w-32',
  },
  {
    id: 'after',
    header: 'Running total',
    narrow: 'note',
    align: 'end',
    cell: renderRunningSumCell,
    className: '@min-[44rem]:w-32',
  },
]

const renderNumberCell = ({ number }: NumberedLine) => (
  <span className="text-ink-3 tabular-nums">{number.toLocaleString('en-US')}</span>
)

const createPaymentCell =
  (context: PageContext, account: string | null) =>
  ({ line }: NumberedLine) => {
    const kind = parsePaymentKind(line.payment_type ?? '')
    return (
      <Link
        href={
          kind
            ? recordPath(context, resourceByKind[kind], line.id, {
                account: context.account ?? account,
              })
            : listPath(getScopeForListLink(context, context.account ?? account), 'payments', {
                payment_id: line.id,
              })
        }
        className="block truncate font-medium text-ink after:absolute after:inset-0 group-hover:underline"
      >
        <ExternalText>{line.customer_details?.name ?? 'Unknown customer'}</ExternalText>
        {/* `left-0` keeps this hidden text in the panel. Otherwise a long name would push it out, and the panel does not clip it. */}
        <span className="left-0 sr-only">
          , {line.payment_type} {line.id.slice(-6)}
        </span>
      </Link>
    )
  }

const renderReasonCell = ({ line }: NumberedLine) => (
  <span className="text-ink-2 @max-[44rem]:text-xs">
    {getFundingReasonLabel(line.reason ?? 'none')}
  </span>
)

const renderStateCell = ({ line }: NumberedLine) => (
  <RecordStatusBadge kind="payment" status={line.status} />
)

const renderDateCell = ({ line }: NumberedLine) => (
  <span className="text-ink-2">
    {line.payment_date ? <CalendarDate date={line.payment_date} /> : 'unknown'}
  </span>
)

const createAmountCell =
  (context: PageContext, sign: 1 | -1) =>
  ({ line }: NumberedLine) => (
    <Amount
      raw={line.funding_amount}
      currency={line.currency ?? 'USD'}
      unit={context.amountUnit}
      sign={sign}
    />
  )

const renderRunningSumCell = ({ after }: NumberedLine) =>
  after === null ? (
    <span className="text-held">not counted</span>
  ) : (
    <span className="text-ink-2 tabular-nums">{moneyText(after)}</span>
  )

/**
 * The number of lines that are rendered at first, and added by each press of "Show more", so that a
 * long event opens quickly.
 */
const linesPerShowMore = 100

type FundingPaymentsProps = {
  lines: readonly FundingEventPayment[]
  /** Makes money into the linked bank account positive and money out of it negative. */
  sign: 1 | -1
  unreadable: readonly UnreadableRow[]
  sum: FundingSum
  ended: boolean
  account: string | null
}

export function FundingPayments({
  lines,
  sign,
  unreadable,
  sum,
  ended,
  account,
}: FundingPaymentsProps) {
  const [reason, setReason] = useState<string | null>(null)
  const [shownCount, setShownCount] = useState(linesPerShowMore)
  const numberedLines = lines.map(
    (line, at): NumberedLine => ({ line, number: at + 1, after: sum.running[at] ?? null }),
  )
  const linesWithChosenReason =
    reason === null
      ? numberedLines
      : numberedLines.filter(({ line }) => (line.reason ?? 'none') === reason)
  return (
    <Panel
      title="Payments"
      aside={<span className="text-ink-3 text-xs">{formatReadCount(sum, ended)}</span>}
    >
      <ReasonFilter
        sum={sum}
        chosen={reason}
        onChoose={(next) => {
          setReason(next)
          setShownCount(linesPerShowMore)
        }}
      />
      {lines.length === 0 && !ended && <Skeleton className="mt-3 h-46" />}
      {lines.length === 0 && ended && sum.total === 0 && (
        <p className="mt-3 text-ink-2">The service lists no payments for this event.</p>
      )}
      {linesWithChosenReason.length > 0 && (
        <FundingLineTable
          lines={linesWithChosenReason.slice(0, shownCount)}
          sign={sign}
          account={account}
        />
      )}
      <UnreadableRows rows={unreadable} one="payment" />
      {linesWithChosenReason.length > shownCount && (
        <p className="mt-3 flex flex-wrap items-center gap-3 text-ink-3 text-xs print:hidden">
          <Button size="small" onClick={() => setShownCount(shownCount + linesPerShowMore)}>
            Show {Math.min(linesPerShowMore, linesWithChosenReason.length - shownCount)} more
          </Button>
          {shownCount.toLocaleString('en-US')} of{' '}
          {linesWithChosenReason.length.toLocaleString('en-US')} lines shown; the totals include all
          lines.
        </p>
      )}
    </Panel>
  )
}

const formatReadCount = ({ read, total }: FundingSum, isFinished: boolean) =>
  !isFinished && total !== null && read < total
    ? `${read.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} read`
    : read.toLocaleString('en-US')

type ReasonFilterProps = {
  sum: FundingSum
  chosen: string | null
  onChoose: (reason: string | null) => void
}

function ReasonFilter({ sum, chosen, onChoose }: ReasonFilterProps) {
  const { amountUnit } = usePageContext()
  if (sum.read === 0) return null
  const totalOption = { reason: null, label: 'Total', count: sum.read, sum: sum.sum }
  const reasonSums = sum.reasons.map((part) => ({
    ...part,
    label: getFundingReasonLabel(part.reason),
  }))
  return (
    <fieldset className="grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] gap-2">
      <legend className="sr-only">Lines by reason, amounts read in {amountUnit} units</legend>
      {[...reasonSums, totalOption].map((part) => (
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
          <span className="font-medium tabular-nums">{moneyText(part.sum)}</span>
        </button>
      ))}
    </fieldset>
  )
}

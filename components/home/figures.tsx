import type { ReactNode } from 'react'
import { DayBars, RateBars } from '@/components/kits/chart/bars'
import { ChartFrame } from '@/components/kits/chart/chart-frame'
import { listScaleValues } from '@/components/kits/chart/scale'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { AgeChip } from '@/components/kits/layout/relative-time'
import type { Tone } from '@/components/ui/tone'
import { formatDay } from '@/lib/dates'
import { isBankingDay } from '@/lib/domain/bank-time'
import { findReturnCode } from '@/lib/domain/return-codes'
import type { WireError } from '@/lib/errors'
import {
  type CashFlow,
  type CashFlowDay,
  limitWarningShare,
  type ReturnRate,
  type ReturnRates,
  type ReturnState,
  returnPeriodDays,
} from '@/lib/features/home/figures'
import { getNumberFormat } from '@/lib/formats'
import { moneyText } from '@/lib/money'
import { RetryButton } from './queue-rows'

type CalculationNoteProps = {
  /** Number of payments that could not be read. */
  unread: number
  children: ReactNode
}

/** The number of unreadable payments is visible even if the note is collapsed. */
const CalculationNote = ({ unread, children }: CalculationNoteProps) => (
  <div className="grid gap-1">
    {unread > 0 && (
      <p className="font-medium text-held">
        {unread.toLocaleString('en-US')} {unread === 1 ? 'payment' : 'payments'} could not be read
        and {unread === 1 ? 'is' : 'are'} not included in the figures.
      </p>
    )}
    <details>
      <summary className="w-fit rounded-sm hover:text-ink">How this is calculated</summary>
      <div className="grid gap-1 pt-1">{children}</div>
    </details>
  </div>
)

type FailedFiguresRead = { ok: false; error: WireError; requestId: string }

/** `counted` payments are in the figures; `unread` payments could not be read. */
type FiguresReadInfo = { counted: number; unread: number; readAt: string | undefined }

const FailedFigures = ({ title, read }: { title: string; read: FailedFiguresRead }) => (
  <section aria-label={title} className="rounded border border-line bg-surface">
    <div className="flex min-h-9 items-center border-line border-b px-3">
      <h2 className="font-semibold text-sm">{title}</h2>
    </div>
    <ErrorNotice
      className="m-3"
      what="The figures could not be read"
      error={read.error}
      requestId={read.requestId}
      actions={<RetryButton what={title} />}
    />
  </section>
)

const cashFlowTitle = 'Money in and out, last 30 days'

type CashFlowPanelProps = {
  read: ({ ok: true; flow: CashFlow } & FiguresReadInfo) | FailedFiguresRead
}

/** Charges are above the zero line and payouts below it; a line shows the net amount. */
export function CashFlowPanel({ read }: CashFlowPanelProps) {
  if (!read.ok) return <FailedFigures title={cashFlowTitle} read={read} />
  const { flow, counted, unread, readAt } = read
  return (
    <ChartFrame
      title={cashFlowTitle}
      aside={readAt && <AgeChip at={readAt} limit={180_000} />}
      figures={<FlowLegend flow={flow} />}
      chart={
        <DayBars
          days={flow.days.map(toFlowBar)}
          marks={buildScaleMarks(flow.days)}
          summary={formatFlowSummary(flow)}
        />
      }
      table={buildFlowTable(flow)}
      note={
        <CalculationNote unread={unread}>
          <p>
            {counted.toLocaleString('en-US')} paid payments, by settlement date in New York. In:
            charges. Out: payouts, including refunds. Reversed payments are excluded.
          </p>
          <p>Bank holidays and weekends are shaded.</p>
          {flow.unreadable > 0 && (
            <p>
              {flow.unreadable} payments are excluded because their type, amount or currency could
              not be read.
            </p>
          )}
        </CalculationNote>
      }
    />
  )
}

const compactFormat = getNumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** Labels are short, such as `1.2M` and `60K`. */
function buildScaleMarks(days: readonly CashFlowDay[]) {
  const upwardDayValues = days.map((day) => Math.max(day.in, day.net))
  const downwardDayValues = days.map((day) => Math.max(day.out, -day.net))
  return listScaleValues(upwardDayValues, downwardDayValues).map((value) => ({
    value,
    text: compactFormat.format(value / 100).replace('-', '−'),
  }))
}

/** Every seventh day, counted back from today, has a date label. */
const toFlowBar = (day: CashFlowDay, dayIndex: number, { length }: readonly CashFlowDay[]) => ({
  date: day.date,
  up: day.in,
  down: day.out,
  net: day.net,
  quiet: !isBankingDay(day.date),
  title: formatFlowBarTitle(day),
  ...((length - 1 - dayIndex) % 7 === 0
    ? { label: formatDay(day.date).replace(/, \d{4}$/, '') }
    : {}),
})

const formatFlowBarTitle = ({ date, ...day }: CashFlowDay) =>
  `${formatDay(date)}: in ${moneyText(day.in)}, out ${moneyText(day.out)}, net ${moneyText(day.net)}`

function formatFlowSummary({ days, ...sums }: CashFlow): string {
  const bestDay = days.toSorted((a, b) => b.in - a.in)[0]
  const bestDaySentence = bestDay?.in
    ? ` The highest inflow was on ${formatDay(bestDay.date)}: ${moneyText(bestDay.in)}.`
    : ''
  return `Money in and out per day over ${days.length} days. In ${moneyText(sums.in)}, out ${moneyText(sums.out)}, net ${moneyText(sums.net)}.${bestDaySentence}`
}

const FlowLegend = ({ flow }: { flow: CashFlow }) => (
  <dl className="flex flex-wrap gap-x-6 gap-y-1">
    <LegendEntry name="In" mark="h-2 bg-accent" minor={flow.in} />
    <LegendEntry name="Out" mark="h-2 bg-control" minor={flow.out} />
    <LegendEntry name="Net" mark="h-0.5 bg-ink" minor={flow.net} />
  </dl>
)

const LegendEntry = ({ name, mark, minor }: { name: string; mark: string; minor: number }) => (
  <div className="flex items-center gap-1.5">
    <dt className="flex items-center gap-1.5 text-ink-3 text-xs">
      <span aria-hidden="true" className={`inline-block w-2.5 forced-colors:border ${mark}`} />
      {name}
    </dt>
    <dd className="font-semibold tabular-nums">{moneyText(minor)}</dd>
  </div>
)

const buildFlowTable = ({ days }: CashFlow) => ({
  head: ['Day, New York', 'In', 'Out', 'Net', 'Charges', 'Payouts', 'Refunds'],
  rows: days.toReversed().map((day) => ({
    key: day.date,
    cells: [
      formatDay(day.date),
      moneyText(day.in),
      moneyText(day.out),
      moneyText(day.net),
      day.charges,
      day.payouts,
      day.refunds,
    ],
  })),
})

const ratesTitle = `Return rates, last ${returnPeriodDays} days`

type ReturnRatesPanelProps = {
  /** True if the figures cover several accounts; Nacha's limits apply to each one separately. */
  mixed: boolean
  read:
    | ({ ok: true; rates: ReturnRates; from: string; to: string } & FiguresReadInfo)
    | FailedFiguresRead
}

export function ReturnRatesPanel({ mixed, read }: ReturnRatesPanelProps) {
  if (!read.ok) return <FailedFigures title={ratesTitle} read={read} />
  const { rates, from, to, unread, readAt } = read
  const { debits } = rates
  return (
    <ChartFrame
      title={ratesTitle}
      aside={readAt && <AgeChip at={readAt} limit={180_000} />}
      figures={
        <p className="text-ink-2">
          <span className="font-semibold tabular-nums">
            {rates.returned.toLocaleString('en-US')}
          </span>{' '}
          of <span className="font-semibold tabular-nums">{debits.toLocaleString('en-US')}</span>{' '}
          debits were returned
        </p>
      }
      chart={
        <RateBars
          rates={rates.rates.map((rate) => toRateBar(rate, debits))}
          summary={formatRatesSummary(rates)}
        />
      }
      table={buildRatesTable(rates)}
      note={
        <CalculationNote unread={unread}>
          <p>
            Debits are charges with a payment date from {formatDay(from)} to {formatDay(to)} that
            were sent to the bank: pending, paid or returned. A rate is the share of these debits
            returned with one of the codes. Payouts, and charges stopped by the provider’s checks
            before sending, do not count.
          </p>
          <p>The warning starts at half of a limit, because the provider contacts us from there.</p>
          {mixed && (
            <p>Nacha applies the limits per account. Choose an account to see its rates.</p>
          )}
        </CalculationNote>
      }
    />
  )
}

const returnStateLabels: Record<ReturnState, { tone: Tone; word: string }> = {
  none: { tone: 'neutral', word: 'No debits' },
  fine: { tone: 'good', word: 'Within limit' },
  warn: { tone: 'held', word: 'Near the limit' },
  over: { tone: 'bad', word: 'Over the limit' },
}

/** Formats a share with two decimals, because the lowest limit is 0.5%. */
const formatPercent = (share: number) => `${(share * 100).toFixed(2)}%`

const formatLimit = (share: number) => `${share * 100}%`

const toRateBar = (rate: ReturnRate, debits: number) => ({
  id: rate.id,
  name: rate.name,
  detail: rate.codes?.join(' ') ?? 'every code',
  value: rate.rate === null ? 'none' : formatPercent(rate.rate),
  counts: `${rate.returned.toLocaleString('en-US')} of ${debits.toLocaleString('en-US')}`,
  limit: `warns from ${formatLimit(rate.limit * limitWarningShare)}, limit ${formatLimit(rate.limit)}`,
  share: rate.rate === null ? null : rate.rate / rate.limit,
  warn: limitWarningShare,
  tone: returnStateLabels[rate.state].tone,
  state: returnStateLabels[rate.state].word,
})

function formatRatesSummary({ rates, debits }: ReturnRates): string {
  if (debits === 0) return 'Return rates: no debits in this period.'
  const rateTexts = rates.map(
    ({ name, rate, limit, state }) =>
      `${name} ${formatPercent(rate ?? 0)}, ${returnStateLabels[state].word.toLowerCase()} of ${formatLimit(limit)}`,
  )
  return `Return rates. ${rateTexts.join('. ')}.`
}

function buildRatesTable({ rates, codes, debits, uncoded }: ReturnRates) {
  const formatDebitShare = (count: number) =>
    debits === 0 ? 'none' : formatPercent(count / debits)
  const returnRateRows = rates.map(({ id, name, limit, returned, state }) => ({
    key: id,
    cells: [
      `${name}, limit ${formatLimit(limit)}`,
      returned,
      formatDebitShare(returned),
      returnStateLabels[state].word,
    ],
  }))
  const returnCodeRows = codes.map(({ code, count }) => ({
    key: code,
    cells: [`${code} ${findReturnCode(code)?.meaning ?? ''}`, count, formatDebitShare(count), ''],
  }))
  const uncodedRows =
    uncoded > 0
      ? [{ key: 'uncoded', cells: ['Without a code', uncoded, formatDebitShare(uncoded), ''] }]
      : []
  return {
    head: ['Returns', 'Count', 'Share of debits', 'Status'],
    rows: [...returnRateRows, ...returnCodeRows, ...uncodedRows],
  }
}

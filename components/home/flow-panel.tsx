import { ChartFrame } from '@/components/kits/chart/chart-frame'
import { DayBars } from '@/components/kits/chart/day-bars'
import { AgeChip } from '@/components/kits/layout/age-chip'
import { dayText } from '@/lib/dates'
import { isBankingDay } from '@/lib/domain/bank-time'
import type { CashDay, CashFlow } from '@/lib/domain/cash-flow'
import type { WireError } from '@/lib/errors'
import { formatMinor } from '@/lib/money'
import { Counted } from './counted'
import { FigureTable } from './figure-table'
import { FiguresFailed } from './figures-failed'

/** The heading of the chart, also while it is read. */
export const flowTitle = 'Money in and out, last 30 days'

type FlowPanelProps = {
  reading: Promise<
    { ok: true; flow: CashFlow; counted: number; cut: boolean; readAt: string } | { ok: false; error: WireError; requestId: string }
  >
}

/** Money in and out per day: up what charges brought, down what payouts took, and a mark for the difference. */
export async function FlowPanel({ reading }: FlowPanelProps) {
  const read = await reading
  if (!read.ok) return <FiguresFailed title={flowTitle} read={read} />
  const { flow, counted, cut, readAt } = read
  return (
    <ChartFrame
      title={flowTitle}
      aside={<AgeChip at={readAt} limit={180_000} what="as of" />}
      figures={<Legend flow={flow} />}
      chart={<DayBars days={flow.days.map(barOf)} summary={summaryOf(flow)} scaleText={scaleText} dayText={shortDay} />}
      table={<FlowTable flow={flow} />}
      note={
        <Counted cut={cut} counted={counted}>
          <p>
            {counted.toLocaleString('en-US')} paid payments from the payments search, by the day in New York on which they settled. In:
            charges. Out: payouts, refunds among them. Payments that were reversed are left out: their money went back.
          </p>
          <p>Days on which banks rest are shaded.</p>
          {flow.unreadable > 0 && <p>{flow.unreadable} payments are left out: their amount or currency could not be read.</p>}
        </Counted>
      }
    />
  )
}

const shortDay = (date: string) => dayText(date).replace(/ \d{4}$/, '')

const orUnknown = (minor: number | null) => (minor === null ? 'not read' : formatMinor(minor))

/** Minor units in few characters, for the scale: `1.2M`, `350k`, `80`. */
function scaleText(minor: number): string {
  return new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }).format(minor / 100).replace('-', '−')
}

const barOf = (day: CashDay) => ({
  date: day.date,
  up: day.in,
  down: day.out,
  net: day.net,
  quiet: !isBankingDay(day.date),
  title: day.read
    ? `${dayText(day.date)}: in ${formatMinor(day.in ?? 0)}, out ${formatMinor(day.out ?? 0)}, net ${formatMinor(day.net ?? 0)} USD`
    : `${dayText(day.date)}: not read`,
})

function summaryOf({ days, ...sums }: CashFlow): string {
  const read = days.filter((day) => day.read)
  const best = read.toSorted((a, b) => (b.in ?? 0) - (a.in ?? 0))[0]
  const busiest = best?.in ? ` The most came in on ${dayText(best.date)}: ${formatMinor(best.in)}.` : ''
  const missing = read.length < days.length ? ` ${days.length - read.length} days were not read.` : ''
  return `Money in and out per day over ${days.length} days. In ${formatMinor(sums.in)}, out ${formatMinor(sums.out)}, net ${formatMinor(sums.net)} USD.${busiest}${missing}`
}

const Legend = ({ flow }: { flow: CashFlow }) => (
  <dl className="flex flex-wrap gap-x-6 gap-y-1">
    <Entry name="In" mark={<rect y="3" width="10" height="7" className="fill-accent" />} minor={flow.in} />
    <Entry name="Out" mark={<rect y="3" width="10" height="7" className="fill-control" />} minor={flow.out} />
    <Entry name="Net" mark={<rect y="6" width="10" height="2" className="fill-ink" />} minor={flow.net} />
  </dl>
)

const Entry = ({ name, mark, minor }: { name: string; mark: React.ReactNode; minor: number }) => (
  <div className="flex items-baseline gap-1.5">
    <dt className="flex items-center gap-1.5 text-ink-3 text-xs">
      <svg aria-hidden="true" viewBox="0 0 10 13" className="h-3 w-2.5">
        {mark}
      </svg>
      {name}
    </dt>
    <dd className="font-semibold tabular-nums">
      {formatMinor(minor)} <span className="font-normal text-[0.8em] text-ink-3">USD</span>
    </dd>
  </div>
)

const FlowTable = ({ flow }: { flow: CashFlow }) => (
  <FigureTable
    caption={flowTitle}
    head={['Day, New York', 'In', 'Out', 'Net', 'Charges', 'Payouts', 'Refunds']}
    rows={flow.days.toReversed().map((day) => ({
      key: day.date,
      cells: [dayText(day.date), orUnknown(day.in), orUnknown(day.out), orUnknown(day.net), day.charges, day.payouts, day.refunds],
    }))}
  />
)

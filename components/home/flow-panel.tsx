import { ChartFrame } from '@/components/kits/chart/chart-frame'
import { DayBars } from '@/components/kits/chart/day-bars'
import { marksOf } from '@/components/kits/chart/scale'
import { AgeChip } from '@/components/kits/layout/age-chip'
import { dayText } from '@/lib/dates'
import { isBankingDay } from '@/lib/domain/bank-time'
import type { CashDay, CashFlow } from '@/lib/domain/cash-flow'
import type { WireError } from '@/lib/errors'
import { formatMinor } from '@/lib/money'
import { Counted } from './counted'
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
      chart={<DayBars days={flow.days.map(barOf)} marks={scaleMarks(flow.days)} summary={summaryOf(flow)} />}
      table={tableOf(flow)}
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

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** Every mark of the scale in few characters: `1.2M`, `60K`. */
function scaleMarks(days: readonly CashDay[]) {
  const up = days.map((day) => Math.max(day.in ?? 0, day.net ?? 0))
  const down = days.map((day) => Math.max(day.out ?? 0, -(day.net ?? 0)))
  return marksOf(up, down).map((value) => ({ value, text: compact.format(value / 100).replace('-', '−') }))
}

/** Every seventh day counted back from the last, which is today, has its date below. */
const barOf = (day: CashDay, at: number, { length }: readonly CashDay[]) => ({
  date: day.date,
  up: day.in,
  down: day.out,
  net: day.net,
  quiet: !isBankingDay(day.date),
  title: titleOf(day),
  ...((length - 1 - at) % 7 === 0 ? { label: dayText(day.date).replace(/ \d{4}$/, '') } : {}),
})

const titleOf = ({ date, read, ...day }: CashDay) =>
  read
    ? `${dayText(date)}: in ${formatMinor(day.in ?? 0)}, out ${formatMinor(day.out ?? 0)}, net ${formatMinor(day.net ?? 0)} USD`
    : `${dayText(date)}: not read`

function summaryOf({ days, ...sums }: CashFlow): string {
  const read = days.filter((day) => day.read)
  const best = read.toSorted((a, b) => (b.in ?? 0) - (a.in ?? 0))[0]
  const busiest = best?.in ? ` The most came in on ${dayText(best.date)}: ${formatMinor(best.in)}.` : ''
  const missing = read.length < days.length ? ` ${days.length - read.length} days were not read.` : ''
  return `Money in and out per day over ${days.length} days. In ${formatMinor(sums.in)}, out ${formatMinor(sums.out)}, net ${formatMinor(sums.net)} USD.${busiest}${missing}`
}

const Legend = ({ flow }: { flow: CashFlow }) => (
  <dl className="flex flex-wrap gap-x-6 gap-y-1">
    <Entry name="In" mark="h-2 bg-accent" minor={flow.in} />
    <Entry name="Out" mark="h-2 bg-control" minor={flow.out} />
    <Entry name="Net" mark="h-0.5 bg-ink" minor={flow.net} />
  </dl>
)

const Entry = ({ name, mark, minor }: { name: string; mark: string; minor: number }) => (
  <div className="flex items-center gap-1.5">
    <dt className="flex items-center gap-1.5 text-ink-3 text-xs">
      <span aria-hidden="true" className={`inline-block w-2.5 forced-colors:border ${mark}`} />
      {name}
    </dt>
    <dd className="font-semibold tabular-nums">
      {formatMinor(minor)} <span className="font-normal text-[0.8em] text-ink-3">USD</span>
    </dd>
  </div>
)

const orUnread = (minor: number | null) => (minor === null ? 'not read' : formatMinor(minor))

const tableOf = ({ days }: CashFlow) => ({
  head: ['Day, New York', 'In', 'Out', 'Net', 'Charges', 'Payouts', 'Refunds'],
  rows: days.toReversed().map((day) => ({
    key: day.date,
    cells: [dayText(day.date), orUnread(day.in), orUnread(day.out), orUnread(day.net), day.charges, day.payouts, day.refunds],
  })),
})

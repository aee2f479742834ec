import { ChartFrame } from '@/components/kits/chart/chart-frame'
import { RateBars } from '@/components/kits/chart/rate-bars'
import { AgeChip } from '@/components/kits/layout/age-chip'
import type { Tone } from '@/components/ui/tone'
import { dayText } from '@/lib/dates'
import { returnCode } from '@/lib/domain/return-codes'
import { type ReturnRate, type ReturnRates, type ReturnState, returnDays, warnShare } from '@/lib/domain/returns'
import type { WireError } from '@/lib/errors'
import { Counted } from './counted'
import { FiguresFailed } from './figures-failed'

/** The heading of the chart, also while it is read. */
export const ratesTitle = `Return rates, last ${returnDays} days`

type RatesPanelProps = {
  /** The figures are over several accounts, while Nacha counts each for itself. */
  mixed: boolean
  reading: Promise<
    | { ok: true; rates: ReturnRates; from: string; to: string; counted: number; cut: boolean; readAt: string }
    | { ok: false; error: WireError; requestId: string }
  >
}

/** The rates of returned debits against Nacha's limits. */
export async function RatesPanel({ mixed, reading }: RatesPanelProps) {
  const read = await reading
  if (!read.ok) return <FiguresFailed title={ratesTitle} read={read} />
  const { rates, from, to, counted, cut, readAt } = read
  const { debits } = rates
  return (
    <ChartFrame
      title={ratesTitle}
      aside={<AgeChip at={readAt} limit={180_000} what="as of" />}
      figures={
        <p className="text-ink-2">
          <span className="font-semibold tabular-nums">{rates.returned.toLocaleString('en-US')}</span> of{' '}
          <span className="font-semibold tabular-nums">{debits.toLocaleString('en-US')}</span> debits came back
        </p>
      }
      chart={<RateBars rates={rates.rates.map((rate) => barOf(rate, debits))} summary={summaryOf(rates)} />}
      table={tableOf(rates)}
      note={
        <Counted cut={cut} counted={counted}>
          <p>
            Debits are charges with a payment date from {dayText(from)} to {dayText(to)} that were sent to the bank: pending, paid, or come
            back. A rate is those of them that came back with one of the codes, divided by all of them. Charges that our provider’s checks
            stopped before they were sent count on neither side; neither do payouts.
          </p>
          <p>Below half of a limit all is well; from half on the provider gets in touch, so that is where the warning begins.</p>
          {mixed && <p>Nacha counts every account for itself: choose one for its own rates.</p>}
        </Counted>
      }
    />
  )
}

const states: Record<ReturnState, { tone: Tone; word: string }> = {
  none: { tone: 'neutral', word: 'No debits' },
  fine: { tone: 'good', word: 'Fine' },
  warn: { tone: 'held', word: 'Near the limit' },
  over: { tone: 'bad', word: 'Over the limit' },
}

/** A share as per cent: two decimals, because the lowest limit is half of one per cent. */
const percentText = (share: number) => `${(share * 100).toFixed(2)} %`

const limitText = (share: number) => `${share * 100} %`

const barOf = (rate: ReturnRate, debits: number) => ({
  id: rate.id,
  name: rate.name,
  detail: rate.codes?.join(' ') ?? 'every code',
  value: rate.rate === null ? 'none' : percentText(rate.rate),
  counts: `${rate.returned.toLocaleString('en-US')} of ${debits.toLocaleString('en-US')}`,
  limit: `warns from ${limitText(rate.limit * warnShare)}, limit ${limitText(rate.limit)}`,
  share: rate.rate === null ? null : rate.rate / rate.limit,
  warn: warnShare,
  tone: states[rate.state].tone,
  state: states[rate.state].word,
})

function summaryOf({ rates, debits }: ReturnRates): string {
  if (debits === 0) return 'Return rates: no debit was sent in this time.'
  const parts = rates.map(
    ({ name, rate, limit, state }) => `${name} ${percentText(rate ?? 0)}, ${states[state].word.toLowerCase()} of ${limitText(limit)}`,
  )
  return `Return rates. ${parts.join('. ')}.`
}

/** The limits first, then every code that came, so that the share of each can be seen. */
function tableOf({ rates, codes, debits, uncoded }: ReturnRates) {
  const share = (count: number) => (debits === 0 ? 'none' : percentText(count / debits))
  const limits = rates.map(({ id, name, limit, returned, state }) => ({
    key: id,
    cells: [`${name}, limit ${limitText(limit)}`, returned, share(returned), states[state].word],
  }))
  const byCode = codes.map(({ code, count }) => ({
    key: code,
    cells: [`${code} ${returnCode(code)?.meaning ?? ''}`, count, share(count), ''],
  }))
  const others = uncoded > 0 ? [{ key: 'uncoded', cells: ['Without a code', uncoded, share(uncoded), ''] }] : []
  return { head: ['Returns', 'Count', 'Share of debits', 'State'], rows: [...limits, ...byCode, ...others] }
}

import { findOwnValue } from '@/lib/domain/service-words'
import { type AmountUnit, moneyText, toMinorUnits } from '@/lib/money'
import type { FundingEvent, FundingEventPayment } from '@/lib/operations/funding-events.schema'

export type FundingLine = Pick<FundingEventPayment, 'id' | 'funding_amount' | 'reason' | 'status'>

/** `sum` adds up the readable amounts, in minor units. */
export type ReasonSum = { reason: string; count: number; sum: number }

/**
 * The sums over the lines that were read so far; a line is one payment of the event. Sums are in
 * minor units, positive for money that comes into the linked bank account.
 */
export type FundingSum = {
  sum: number
  read: number
  /** Number of lines according to the service; null before the first page was read. */
  total: number | null
  /** Number of lines whose amount cannot be parsed in the configured unit. No sum includes them. */
  unreadable: number
  /**
   * Number of lines with the same payment and reason as another line. The sums include them,
   * because it is unknown which line is wrong.
   */
  repeated: number
  reasons: readonly ReasonSum[]
  /** The sum after each line, in the given order; null for a line whose amount cannot be parsed. */
  running: readonly (number | null)[]
  /**
   * Credits of pending payments. The service may list them before the event's amount includes them
   * (provider facts 2.12).
   */
  pending: ReasonSum
  /** Failed payouts have an amount; failed charges do not (provider facts 2.12). */
  failed: ReasonSum
}

const directionSigns: Readonly<Record<string, 1 | -1>> = { deposit: 1, withdrawal: -1 }

/**
 * The factor that makes money into the linked bank account positive. The service sends money for
 * payouts as positive and returned payouts as negative. 1 if direction or amount is unknown.
 */
export function getFlowSign(
  event: Pick<FundingEvent, 'amount' | 'direction'>,
  unit: AmountUnit,
): 1 | -1 {
  const eventAmount = toMinorUnits(event.amount, unit)
  const expectedSign = findOwnValue(directionSigns, event.direction)
  return expectedSign !== undefined &&
    eventAmount !== null &&
    eventAmount !== 0 &&
    Math.sign(eventAmount) !== expectedSign
    ? -1
    : 1
}

const createEmptySum = (reason: string): ReasonSum => ({ reason, count: 0, sum: 0 })

const toReasonSum = (reason: string, amounts: readonly number[]): ReasonSum => ({
  reason,
  count: amounts.length,
  sum: amounts.reduce((sum, amount) => sum + amount, 0),
})

/** `sign` is the factor from `getFlowSign`. */
export type AmountFormat = { unit: AmountUnit; sign: 1 | -1 }

const parseSignedAmount = (raw: string, { unit, sign }: AmountFormat): number | null => {
  const minorUnits = toMinorUnits(raw, unit)
  return minorUnits === null || minorUnits === 0 ? minorUnits : minorUnits * sign
}

/** `total` is the number of lines according to the service, null if unknown. */
export function sumFundingLines(
  lines: readonly FundingLine[],
  total: number | null,
  reading: AmountFormat,
): FundingSum {
  const sumByReason = new Map<string, ReasonSum>()
  const lineKeys = new Set<string>()
  let runningSum = 0
  const runningSums = lines.map((line) => {
    const amount = parseSignedAmount(line.funding_amount, reading)
    const reason = line.reason ?? 'none'
    const reasonSum = sumByReason.get(reason) ?? createEmptySum(reason)
    sumByReason.set(reason, {
      reason,
      count: reasonSum.count + 1,
      sum: reasonSum.sum + (amount ?? 0),
    })
    lineKeys.add(`${line.id} ${reason}`)
    if (amount === null) return null
    runningSum += amount
    return runningSum
  })
  const listAmounts = (isIncluded: (line: FundingLine) => boolean) =>
    lines
      .flatMap((line) =>
        isIncluded(line) ? (parseSignedAmount(line.funding_amount, reading) ?? []) : [],
      )
      .filter((amount) => amount !== 0)
  return {
    sum: runningSum,
    read: lines.length,
    total,
    unreadable: runningSums.filter((after) => after === null).length,
    repeated: lines.length - lineKeys.size,
    reasons: [...sumByReason.values()],
    running: runningSums,
    pending: toReasonSum(
      'pending',
      listAmounts((line) => line.status === 'pending' && line.reason === 'credit'),
    ),
    failed: toReasonSum(
      'failed',
      listAmounts((line) => line.reason === 'failed'),
    ),
  }
}

/**
 * `fits`: true if the lines add up to the event's amount; null if unknown. `line`: the result as a
 * sentence. `why`: possible causes.
 */
export type FundingVerdict = {
  tone: 'good' | 'moving' | 'held' | 'bad'
  fits: boolean | null
  line: string
  why: readonly string[]
}

const formatLineCount = (lineCount: number) =>
  `${lineCount.toLocaleString('en-US')} ${lineCount === 1 ? 'line' : 'lines'}`
const getAddVerb = (lineCount: number) => (lineCount === 1 ? 'adds' : 'add')

const formatMoney = (minor: number) => moneyText(minor)

type FundingComparison = {
  sum: FundingSum
  amount: number
  difference: number
  event: Pick<FundingEvent, 'payment_count' | 'status'>
}

/** In display order. Each function returns a sentence, or null if it does not apply. */
const differenceExplainers: readonly ((compared: FundingComparison) => string | null)[] = [
  ({ sum }) =>
    countUnreadLines(sum) > 0
      ? `${formatLineCount(countUnreadLines(sum))} of ${sum.total?.toLocaleString('en-US')} could not be read and are not in the sum.`
      : null,
  ({ sum }) =>
    sum.unreadable > 0
      ? `The amount of ${formatLineCount(sum.unreadable)} cannot be read, so ${sum.unreadable === 1 ? 'it is' : 'they are'} not in the sum.`
      : null,
  ({ sum }) =>
    sum.repeated > 0
      ? `${formatLineCount(sum.repeated)} listed twice: same payment, same reason.`
      : null,
  ({ sum, amount }) =>
    sum.sum === -amount
      ? 'The amounts match with opposite signs: the service uses the opposite sign for these lines.'
      : null,
  ({ sum: { pending }, difference }) =>
    explainDifferenceByLines(
      pending,
      difference,
      'of payments that are still pending and may be listed before they count',
    ),
  // Failed payouts return their money, so failed lines are normal. They explain a difference only
  // if their sum equals it.
  ({ sum: { failed }, difference }) =>
    failed.sum === difference
      ? explainDifferenceByLines(failed, difference, 'of payments that failed')
      : null,
  ({ sum: { total }, event: { payment_count: told } }) =>
    total !== null && told !== undefined && told !== total
      ? `The event speaks of ${told.toLocaleString('en-US')} payments, the service lists ${formatLineCount(total)}.`
      : null,
  ({ event: { status } }) =>
    status === 'created' ? 'The event is not sent yet: lines may still be added.' : null,
]

const countUnreadLines = ({ read, total }: FundingSum) => Math.max(0, (total ?? read) - read)

function explainDifferenceByLines(
  { count: lines, sum }: ReasonSum,
  difference: number,
  linesDescription: string,
): string | null {
  if (lines === 0) return null
  const exactMatchText = sum === difference ? ', which is exactly the difference' : ''
  return `${formatLineCount(lines)}, ${formatMoney(sum)} together, ${lines === 1 ? 'is' : 'are'} ${linesDescription}${exactMatchText}.`
}

const createLoadingVerdict = ({ read, total }: FundingSum): FundingVerdict => ({
  tone: 'moving',
  fits: null,
  line:
    total === null
      ? 'Loading lines…'
      : `Loading: ${read.toLocaleString('en-US')} of ${formatLineCount(total)}.`,
  why: [],
})

/**
 * Before all lines are read (`complete`), there is no result. The lines fit only if every line and
 * every amount could be read, and both sums are equal to the cent.
 */
export function assessFunding(
  sum: FundingSum,
  event: Pick<FundingEvent, 'amount' | 'payment_count' | 'status'>,
  { complete, ...reading }: AmountFormat & { complete: boolean },
): FundingVerdict {
  if (!complete) return createLoadingVerdict(sum)
  const signedEventAmount = parseSignedAmount(event.amount, reading)
  if (signedEventAmount === null) {
    const verdictText = `${formatLineCount(sum.read)} ${getAddVerb(sum.read)} up to ${formatMoney(sum.sum)}; the event’s own amount, “${event.amount}”, cannot be read.`
    return { tone: 'held', fits: null, line: verdictText, why: [] }
  }
  const isPartial = countUnreadLines(sum) > 0 || sum.unreadable > 0
  const difference = sum.sum - signedEventAmount
  const differenceCauses = differenceExplainers.flatMap(
    (explain) => explain({ sum, amount: signedEventAmount, difference, event }) ?? [],
  )
  if (difference === 0 && !isPartial) {
    const equalSumText = `${formatLineCount(sum.read)} ${getAddVerb(sum.read)} up to exactly ${formatMoney(sum.sum)}, the amount of this event.`
    return {
      tone: 'good',
      fits: true,
      line: equalSumText,
      why: sum.repeated > 0 ? differenceCauses : [],
    }
  }
  const comparisonText = `${formatLineCount(sum.read)} ${getAddVerb(sum.read)} up to ${formatMoney(sum.sum)}; the event says ${formatMoney(signedEventAmount)}.`
  if (isPartial)
    return {
      tone: 'held',
      fits: null,
      line: `Not known yet whether the lines match the event. ${comparisonText}`,
      why: differenceCauses,
    }
  return {
    tone: 'bad',
    fits: false,
    line: `They differ by ${formatMoney(difference)}. ${comparisonText}`,
    why: differenceCauses,
  }
}

import { addDays, parseNewYorkTime } from '@/lib/domain/bank-time'
import { parsePaymentKind } from '@/lib/domain/payment-kind'

/**
 * Paid payments of one kind that settled on one day in New York. `minor`: the sum of the readable
 * amounts in cents. `unreadable`: number of payments whose amount cannot be parsed.
 */
export type SettledSum = {
  day: string | null
  type: string
  refund: boolean | null
  currency: string | null
  count: number
  minor: number
  unreadable: number
}

/** The money of one day in New York, in minor units. `out` includes refunds. */
export type CashFlowDay = {
  date: string
  in: number
  out: number
  net: number
  charges: number
  payouts: number
  refunds: number
}

/** `unreadable`: payments in no sum, because their kind, day, amount or currency is unknown. */
export type CashFlow = {
  days: CashFlowDay[]
  in: number
  out: number
  net: number
  unreadable: number
}

/** The period ends with `today`, a date in New York. */
type CashFlowPeriod = { today: string; days: number }

export const listDates = ({ today, days }: CashFlowPeriod): string[] =>
  Array.from({ length: days }, (_, at) => addDays(today, at - days + 1))

export const toPeriodStart = (period: CashFlowPeriod): string =>
  new Date(parseNewYorkTime(addDays(period.today, 1 - period.days), '00:00')).toISOString()

const createEmptyDay = (date: string): CashFlowDay => ({
  date,
  in: 0,
  out: 0,
  net: 0,
  charges: 0,
  payouts: 0,
  refunds: 0,
})

function addToDay(day: CashFlowDay, { type, refund, minor, count, unreadable }: SettledSum): void {
  const readableCount = count - unreadable
  if (type === 'charge') {
    day.in += minor
    day.charges += readableCount
  } else {
    day.out += minor
    day.payouts += readableCount
    if (refund) day.refunds += readableCount
  }
  day.net = day.in - day.out
}

/**
 * Sums per day of settlement (`effective_at`) in New York. Only `paid` payments count, because a
 * reversed one moved no money in the end. Other currencies than USD count as unreadable.
 */
export function computeCashFlow(
  settledSums: readonly SettledSum[],
  period: CashFlowPeriod,
): CashFlow {
  const dayByDate = new Map(listDates(period).map((date) => [date, createEmptyDay(date)]))
  let unreadableCount = 0
  for (const group of settledSums) {
    const day = dayByDate.get(group.day ?? '')
    if (group.day !== null && !day) continue
    if (!day || parsePaymentKind(group.type) === null || group.currency !== 'USD') {
      unreadableCount += group.count
      continue
    }
    unreadableCount += group.unreadable
    addToDay(day, group)
  }
  const allDays = [...dayByDate.values()]
  const sumField = (name: 'in' | 'out' | 'net') =>
    allDays.reduce((total, day) => total + day[name], 0)
  return {
    days: allDays,
    in: sumField('in'),
    out: sumField('out'),
    net: sumField('net'),
    unreadable: unreadableCount,
  }
}

/** Days, including today, over which Nacha (the organization that governs ACH) counts returns. */
export const returnPeriodDays = 60

/** A Nacha limit for the rate of returns with one of `codes`; null means every return. */
type ReturnLimit = {
  id: 'unauthorized' | 'administrative' | 'overall'
  name: string
  codes: readonly string[] | null
  limit: number
}

/** Nacha's limits, as fractions of 1 (provider facts 2.20). */
export const returnLimits: readonly ReturnLimit[] = [
  {
    id: 'unauthorized',
    name: 'Unauthorized',
    codes: ['R05', 'R07', 'R10', 'R29', 'R51'],
    limit: 0.005,
  },
  { id: 'administrative', name: 'Administrative', codes: ['R02', 'R03', 'R04'], limit: 0.03 },
  { id: 'overall', name: 'All returns', codes: null, limit: 0.15 },
]

/** The provider contacts an account near half of a limit (provider facts 2.20): warn from there. */
export const limitWarningShare = 0.5

export type EndedChargeGroup = {
  status: string
  source: string | null
  code: string | null
  count: number
}

/** `none`: no debit was sent, so there is no rate. `warn`: from half of the limit. */
export type ReturnState = 'none' | 'fine' | 'warn' | 'over'

/** `rate` is a fraction of 1; null if no debit was sent. */
export type ReturnRate = ReturnLimit & { returned: number; rate: number | null; state: ReturnState }

/** `codes`: the most frequent first. `uncoded`: number of returns without a code. */
export type ReturnRates = {
  debits: number
  returned: number
  rates: ReturnRate[]
  codes: { code: string; count: number }[]
  uncoded: number
}

export const getReturnPeriod = (today: string): { from: string; to: string } => ({
  from: addDays(today, 1 - returnPeriodDays),
  to: today,
})

const bankReturnSources = ['bank_decline', 'customer_dispute']
const nonBankSources = ['watchtower', 'user_action', 'system']

const toReturnCode = ({ code }: Pick<EndedChargeGroup, 'code'>) =>
  /^R\d\d$/.test(code ?? '') ? code : null

/**
 * A charge that failed the service's own check was never sent to the bank. It can still have the
 * return code that blocked its bank account earlier (`invalid_paykey`, provider facts 3.1).
 */
export function wasReturnedByBank({
  status,
  source: named,
  code,
}: Omit<EndedChargeGroup, 'count'>): boolean {
  if (status === 'reversed') return true
  const lowerCaseSource = named?.toLowerCase() ?? ''
  return (
    status === 'failed' &&
    (bankReturnSources.includes(lowerCaseSource) ||
      (toReturnCode({ code }) !== null && !nonBankSources.includes(lowerCaseSource)))
  )
}

function toReturnState(rate: number | null, limit: number): ReturnState {
  if (rate === null) return 'none'
  if (rate >= limit) return 'over'
  return rate >= limit * limitWarningShare ? 'warn' : 'fine'
}

/**
 * A debit is a charge that was sent to the bank: `unreturnedCount` of them are pending or paid, the
 * others were returned. Payouts are credits and do not count. Nacha counts each originator
 * separately, which means each account.
 */
export function computeReturnRates(
  unreturnedCount: number,
  endedCharges: readonly EndedChargeGroup[],
): ReturnRates {
  const countByCode = new Map<string, number>()
  let returnedCount = 0
  for (const group of endedCharges.filter(wasReturnedByBank)) {
    const code = toReturnCode(group)
    returnedCount += group.count
    if (code) countByCode.set(code, (countByCode.get(code) ?? 0) + group.count)
  }
  const debitCount = unreturnedCount + returnedCount
  const rates = returnLimits.map((limit) => {
    const matchingReturnCount = limit.codes
      ? limit.codes.reduce((sum, code) => sum + (countByCode.get(code) ?? 0), 0)
      : returnedCount
    const rate = debitCount === 0 ? null : matchingReturnCount / debitCount
    return {
      ...limit,
      returned: matchingReturnCount,
      rate,
      state: toReturnState(rate, limit.limit),
    }
  })
  const returnCodeCounts = [...countByCode]
    .map(([code, count]) => ({ code, count }))
    .sort((a, b) => b.count - a.count || a.code.localeCompare(b.code))
  const countWithCode = returnCodeCounts.reduce((sum, { count }) => sum + count, 0)
  return {
    debits: debitCount,
    returned: returnedCount,
    rates,
    codes: returnCodeCounts,
    uncoded: returnedCount - countWithCode,
  }
}

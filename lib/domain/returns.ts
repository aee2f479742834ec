import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { dayAfter } from './bank-time'

/** Nacha counts over the preceding 60 days, today among them. */
export const returnDays = 60

/** Codes a return belongs to, and the share of debits it must stay below. `codes` null: every return. */
export type ReturnLimit = {
  id: 'unauthorised' | 'administrative' | 'overall'
  name: string
  codes: readonly string[] | null
  limit: number
}

/** Nacha's limits as shares of one (provider facts 2.20). */
export const returnLimits: readonly ReturnLimit[] = [
  { id: 'unauthorised', name: 'Unauthorised', codes: ['R05', 'R07', 'R10', 'R29', 'R51'], limit: 0.005 },
  { id: 'administrative', name: 'Administrative', codes: ['R02', 'R03', 'R04'], limit: 0.03 },
  { id: 'overall', name: 'All returns', codes: null, limit: 0.15 },
]

/** The provider contacts an account near half of a limit (provider facts 2.20), so that is where we begin to warn. */
export const warnShare = 0.5

/** The part of a payment that return rates are computed from. */
export type ReturnPayment = Pick<PaymentSummary, 'status' | 'status_details'>

/** `none`: no debit was sent, so there is no rate. `warn` begins at half of the limit, `over` at the limit itself. */
export type ReturnState = 'none' | 'fine' | 'warn' | 'over'

/** One rate: `rate` is a share of one, null where no debit was sent. */
export type ReturnRate = ReturnLimit & { returned: number; rate: number | null; state: ReturnState }

/** All rates over the same debits, and how often each code came, most first. `uncoded` returns came without a code. */
export type ReturnRates = {
  debits: number
  returned: number
  rates: ReturnRate[]
  codes: { code: string; count: number }[]
  uncoded: number
}

/** The payment dates of the window that ends today (a date in New York), both inclusive. */
export const returnWindow = (today: string): { from: string; to: string } => ({ from: dayAfter(today, 1 - returnDays), to: today })

const returnedBy = ['bank_decline', 'customer_dispute']
const ownSources = ['watchtower', 'user_action', 'system']

/** The code of an ACH return; null where there is none. */
const codeOf = ({ status_details }: ReturnPayment) => (/^R\d\d$/.test(status_details?.code ?? '') ? (status_details?.code ?? null) : null)

/**
 * Whether a failed or reversed charge came back from the bank. One that the service's own check failed never left: also where it names the
 * code that blocked the bank account before (`invalid_paykey`, provider facts 3.1).
 */
export function isReturned(payment: ReturnPayment): boolean {
  if (payment.status === 'reversed') return true
  const source = payment.status_details?.source?.toLowerCase() ?? ''
  return payment.status === 'failed' && (returnedBy.includes(source) || (codeOf(payment) !== null && !ownSources.includes(source)))
}

function stateOf(rate: number | null, limit: number): ReturnState {
  if (rate === null) return 'none'
  if (rate >= limit) return 'over'
  return rate >= limit * warnShare ? 'warn' : 'fine'
}

/**
 * Return rates over one window. A debit is a charge whose payment date lies in the window and that was sent to the bank: it is pending or paid
 * (`standing`, a count), or it came back (those of `ended` that `isReturned`). A rate is the debits that came back for one of the codes,
 * divided by all debits. Payouts are credits and count in neither. Nacha counts each originator, hence each account, for itself.
 */
export function returnRates(standing: number, ended: readonly ReturnPayment[]): ReturnRates {
  const returned = ended.filter(isReturned)
  const counts = new Map<string, number>()
  for (const payment of returned) {
    const code = codeOf(payment)
    if (code) counts.set(code, (counts.get(code) ?? 0) + 1)
  }
  const debits = standing + returned.length
  const rates = returnLimits.map((limit) => {
    const count = limit.codes ? limit.codes.reduce((sum, code) => sum + (counts.get(code) ?? 0), 0) : returned.length
    const rate = debits === 0 ? null : count / debits
    return { ...limit, returned: count, rate, state: stateOf(rate, limit.limit) }
  })
  const codes = [...counts].map(([code, count]) => ({ code, count })).sort((a, b) => b.count - a.count || a.code.localeCompare(b.code))
  const coded = codes.reduce((sum, { count }) => sum + count, 0)
  return { debits, returned: returned.length, rates, codes, uncoded: returned.length - coded }
}

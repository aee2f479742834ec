import { bankDay, timeOf } from '@/lib/dates'
import { bankingDayFrom, dayAfter } from '@/lib/domain/bank-time'
import type { Check, Loadable } from '@/lib/domain/loadable'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import { changeReasons, type DecisionReason } from '@/lib/domain/reasons'
import { returnCode } from '@/lib/domain/return-codes'
import { parseWarning, type Warning } from '@/lib/domain/warnings'
import { amountFaultText, centsOf, formatMinor } from '@/lib/money'

/** The most one payment can carry: 32 bits of cents (provider facts 2.19). */
const most = 2_147_483_647

/** What is wrong with a typed amount, by field name; empty where nothing is. */
export function amountFault(typed: string): { amount?: string } {
  const cents = centsOf(typed)
  if (cents === null) return { amount: typed.trim() === '' ? 'type an amount' : (amountFaultText(typed) ?? '') }
  if (cents < 1) return { amount: 'must be more than zero' }
  return cents > most ? { amount: `must be at most ${formatMinor(most)}` } : {}
}

/** The same for a refund, which is bounded by what was charged (in minor units; null where that cannot be read). */
export function refundAmountFault(typed: string, charged: number | null): { amount?: string } {
  const fault = amountFault(typed)
  if (fault.amount || charged === null) return fault
  return (centsOf(typed) ?? 0) > charged ? { amount: `must be at most ${formatMinor(charged)}, the amount of the charge` } : {}
}

const replaces = (one: PaymentKind): DecisionReason => ({
  code: 'REPLACES_PAYMENT',
  label: 'Replaces an earlier payment',
  template: `This ${one} replaces an earlier payment that did not go through.`,
})

/** The reasons offered for a new payment. The service takes none: ours stays in the action log. */
export const newPaymentReasons: Readonly<Record<PaymentKind, readonly DecisionReason[]>> = {
  payout: [
    { code: 'PAYMENT_DUE', label: 'Payment is due', template: 'The payout is due under the agreement with the customer.' },
    { code: 'CUSTOMER_REQUEST', label: 'Customer request', template: 'The customer asked for this payout.' },
    replaces('payout'),
    { code: 'AMOUNT_ADJUSTED', label: 'Adjusts an earlier amount', template: 'An earlier payout was too low; this one makes up for it.' },
  ],
  charge: [
    { code: 'PAYMENT_DUE', label: 'Payment is due', template: 'The charge is due under the authorization of the customer.' },
    { code: 'CUSTOMER_REQUEST', label: 'Customer request', template: 'The customer asked to be charged now.' },
    replaces('charge'),
    { code: 'AMOUNT_ADJUSTED', label: 'Adjusts an earlier amount', template: 'An earlier charge was too low; this one makes up for it.' },
  ],
}

/** The reasons offered for a change of a payment that was not sent yet; kept in the same way. */
export const paymentChangeReasons: readonly DecisionReason[] = [
  { code: 'AMOUNT_CORRECTED', label: 'Amount corrected', template: 'The amount was entered incorrectly and has been corrected.' },
  { code: 'DATE_CHANGED', label: 'Payment date changed', template: 'The payment date was changed as agreed with the customer.' },
  { code: 'DESCRIPTION_CHANGED', label: 'Description changed', template: 'The description on the bank statement was corrected.' },
  { code: 'CUSTOMER_REQUEST', label: 'Customer request', template: 'The customer asked for this change.' },
  changeReasons.metadata,
]

/** What a check warns of, by its id and result; none for one that passed, that is still being read, or that nobody has to answer for. */
function warningOf({ id, result, about, ordinary }: Check): Warning[] {
  const code = `${id}_${result}`
  const found = parseWarning(about === undefined ? code : `${code}:${about}`) ?? parseWarning(code)
  return found && !ordinary ? [found] : []
}

/**
 * What has to be ticked before a held payment is released, in the order of its checks: each that warns, failed, or could not be read. A bank account
 * that expires in some days serves today's payment.
 */
export const releaseWarnings = (checks: readonly Check[]): Warning[] =>
  checks.flatMap(warningOf).filter(({ code }) => code !== 'paykey_warn')

/** What has to be ticked before a new payment is sent: every check that found something. What is not known yet is no warning. */
export const planWarnings = (checks: readonly Check[]): Warning[] =>
  checks.filter(({ result }) => result === 'warn' || result === 'fail').flatMap(warningOf)

/** Whether a check that may have to be ticked is still being read: nobody can answer for it before. */
export const isReading = (checks: readonly Check[]): boolean =>
  checks.some(({ id, result }) => result === 'loading' && parseWarning(`${id}_unknown`) !== null)

/** What must be ticked before a payment is sent again: what its return code asks for, and what the service has not said. */
export function resubmitWarnings({ status_details }: Pick<Payment, 'status_details'>, paykey: Loadable<{ status: string }>): Warning[] {
  const raw = status_details?.code?.toUpperCase()
  const code = returnCode(raw)
  const warnings: Warning[] = []
  if (code?.first) warnings.push({ code: 'return_first', detail: raw })
  // A code that is no code of the kind is told as unknown all the same.
  if (raw && !code) warnings.push(parseWarning(`return_unknown:${raw}`) ?? { code: 'return_unknown', detail: 'OTHER' })
  if (paykey.state === 'known' && paykey.value.status === 'review') warnings.push({ code: 'resubmit_review' })
  if (paykey.state === 'missing') warnings.push({ code: 'paykey_unknown' })
  return warnings
}

/** A debit comes back for lack of money, a closed account or R29 within about so many banking days of its settlement (provider facts 2.20). */
const returnBankingDays = 2

/**
 * The last day (New York) on which a bank returns a settled debit in the ordinary course; null where its settlement cannot be told. A consumer may
 * dispute one as unauthorized for 60 days: that is rare, and a tick on every refund of two months would be ticked unread, so it is not counted here.
 */
export function returnableUntil({
  effective_at,
  processed_at,
  payment_date,
}: Pick<Payment, 'effective_at' | 'processed_at' | 'payment_date'>) {
  const settled = timeOf(effective_at) ?? timeOf(processed_at)
  const day = settled === null ? payment_date : bankDay(settled)
  if (!day) return null
  let last = bankingDayFrom(day)
  for (let left = returnBankingDays; left > 0; left -= 1) last = bankingDayFrom(dayAfter(last, 1))
  return last
}

/** What must be ticked before a charge is refunded at `now` (milliseconds): a debit that comes back after its refund is paid twice. */
export function refundWarnings(payment: Parameters<typeof returnableUntil>[0], now: number): Warning[] {
  const last = returnableUntil(payment)
  if (last === null) return [{ code: 'returnable_unknown' }]
  return bankDay(now) <= last ? [{ code: 'returnable', detail: last }] : []
}

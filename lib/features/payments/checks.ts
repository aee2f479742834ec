import { durationText, isDay, parseTime, relativeTimeText } from '@/lib/dates'
import { departureText, describeDeparture } from '@/lib/domain/bank-time'
import { type Check, type Finding, type ReadResult, toCheck } from '@/lib/domain/check'
import { createLimitChecks, type SpentSums } from '@/lib/domain/holds/limit-checks'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import { isUndecided } from '@/lib/domain/payment-rules'
import { findEntry } from '@/lib/domain/service-words'
import { isKnownStatus, statusWords } from '@/lib/domain/status'
import { isUnreadable } from '@/lib/domain/unreadable-rules'
import { type AmountUnit, moneyText, toMinorUnits } from '@/lib/money'
import type { Account } from '@/lib/operations/accounts.schema'
import { isSignedConsent } from '@/lib/operations/consents'
import type { Customer } from '@/lib/operations/customers.schema'
import type { Paykey, PaykeySummary } from '@/lib/operations/paykeys.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'

const weekLength = 7 * 24 * 60 * 60 * 1000

/** Returns the check that a bank account can be used at `now` (milliseconds): first its status, then its expiry. */
export function assessPaykey(paykey: Pick<PaykeySummary, 'status' | 'status_details' | 'expires_at'>, now: number): Finding {
  const words = statusWords('paykey', paykey.status)
  const expiryTime = parseTime(paykey.expires_at)
  if (paykey.status !== 'active') {
    const result = isKnownStatus('paykey', paykey.status) ? 'fail' : 'unknown'
    const code = paykey.status_details?.code ? ` (${paykey.status_details.code})` : ''
    return { result, sentence: `${words.label}${code}: ${words.meaning}` }
  }
  if (expiryTime !== null && expiryTime <= now) return { result: 'fail', sentence: `Expired ${relativeTimeText(paykey.expires_at, now)}.` }
  if (expiryTime !== null && expiryTime - now < weekLength)
    return { result: 'warn', sentence: `Active, expires in ${durationText(expiryTime - now)}.` }
  return { result: 'pass', sentence: 'Active.' }
}

const customerResults: Record<string, Check['result']> = {
  verified: 'pass',
  pending: 'warn',
  review: 'warn',
  rejected: 'fail',
  inactive: 'fail',
}

/** Returns the check that the customer's status permits payments. */
export function assessCustomer(customer: Pick<Customer, 'status'>): Finding {
  const words = statusWords('customer', customer.status)
  return {
    result: findEntry(customerResults, customer.status) ?? 'unknown',
    sentence: `${words.label}: ${words.meaning}`,
    about: customer.status,
  }
}

/** Returns why a new payment cannot use a paykey, as a sentence; null if it can. The paykey must be active and not expired. */
export function whyNotPayable(paykey: Pick<PaykeySummary, 'status' | 'status_details' | 'expires_at'>, now: number): string | null {
  const { result, sentence } = assessPaykey(paykey, now)
  return result === 'pass' || result === 'warn' ? null : sentence
}

/** The input of the checks. `now` is in milliseconds. `recent` are the payments of the same paykey in the last seven days. */
export type CheckFacts = {
  kind: PaymentKind
  payment: Payment
  readAt: string
  now: number
  unit: AmountUnit
  paykey: ReadResult<Paykey>
  customer: ReadResult<Customer>
  account: ReadResult<Account>
  spent: ReadResult<SpentSums | null>
  recent: ReadResult<readonly PaymentSummary[]>
}

const dayLength = 24 * 60 * 60 * 1000

/**
 * Returns the checks of the decision panel in display order; none if the payment is already decided. The check `held` is included only if
 * the payment is on hold or its status is unknown.
 */
export function createPaymentChecks(facts: CheckFacts): Check[] {
  const { kind, payment, readAt, now, unit } = facts
  if (!isUndecided(payment.status)) return []
  const paymentRead = { data: payment, at: readAt }
  const amount = toMinorUnits(payment.amount, unit)
  const balanceNeed = { kind, amount, balanceCheck: payment.config?.balance_check, now, unit }
  return [
    ...(isKnownNotHeld(payment) ? [] : [toCheck('held', 'Status', paymentRead, assessHeld)]),
    toCheck('paykey', 'Bank account', facts.paykey, (paykey) => assessPaykey(paykey, now)),
    ...(kind === 'charge' ? [toCheck('balance', 'Balance', facts.paykey, (paykey) => assessBalance(paykey, balanceNeed))] : []),
    toCheck('customer', 'Customer', facts.customer, assessCustomer),
    ...(kind === 'charge' ? [toCheck('consent', 'Consent', paymentRead, assessConsent)] : []),
    toCheck('documents', 'Proof', toDocumentsResult(payment, readAt), (documents) => assessDocuments(documents, now)),
    ...createLimitChecks(kind, amount, facts.account, facts.spent),
    toCheck('duplicates', 'Duplicates', facts.recent, (recent) => assessDuplicates(recent, payment, kind)),
    toCheck('relation', 'Related', paymentRead, (value) => assessRelation(value, kind)),
    toCheck('payment_date', 'Payment date', toPartResult(payment, 'payment_date', readAt), (value) => assessDate(value.payment_date, now)),
    ...(hasDeviceCheck(kind, payment) ? [toCheck('device', 'Device', toPartResult(payment, 'device', readAt), assessDevice)] : []),
  ]
}

const isKnownNotHeld = ({ status }: Payment) => isKnownStatus('payment', status) && status !== 'on_hold'

function assessHeld(payment: Payment): Finding {
  if (payment.status === 'on_hold') return { result: 'pass', sentence: 'On hold, so it can be released.' }
  return { result: 'unknown', sentence: statusWords('payment', payment.status).meaning }
}

/** The service's own balance check before it sends a charge, as a sentence, by `balance_check`. */
const balanceCheckTexts: Readonly<Record<string, string>> = {
  required: ' The service rejects the charge if the balance is unavailable.',
  enabled: ' The service checks the balance before sending.',
  disabled: ' The service does not check the balance.',
}

/** The facts with which a balance is compared. `amount` is in minor units, null if it cannot be parsed. */
type BalanceNeed = { kind: PaymentKind; amount: number | null; balanceCheck: string | undefined; now: number; unit: AmountUnit }

/** Returns `ordinary` for an unknown balance if the service checks the balance itself. */
const toOrdinary = (balanceCheck: string | undefined): Pick<Finding, 'ordinary'> =>
  balanceCheck === 'required' || balanceCheck === 'enabled' ? { ordinary: true } : {}

/** Returns the check of a bank account's balance. A charge needs a sufficient balance; a payout does not. */
export function assessBalance(paykey: Paykey, { kind, amount, balanceCheck, now, unit }: BalanceNeed): Finding {
  const at = paykey.balance?.updated_at ?? null
  const time = parseTime(at)
  const minor = toMinorUnits(paykey.balance?.account_balance, unit)
  const serviceText = kind === 'charge' ? (findEntry(balanceCheckTexts, balanceCheck) ?? '') : ''
  const unknownFinding = (text: string): Finding => ({
    result: 'unknown',
    sentence: `${text}${serviceText}`,
    at,
    ...toOrdinary(balanceCheck),
  })
  if (minor === null) return unknownFinding('Balance unavailable.')
  const balanceText = moneyText(minor)
  if (paykey.balance?.status !== 'completed') return unknownFinding(`${balanceText}; a refresh is in progress.`)
  if (time === null || now - time > dayLength) return unknownFinding(`${balanceText}, but the balance is out of date.`)
  const missingAmount = kind === 'charge' && amount !== null ? amount - minor : 0
  if (missingAmount > 0)
    return {
      result: 'warn',
      sentence: `${balanceText}: ${moneyText(missingAmount)} too low.${serviceText}`,
      at,
      about: String(missingAmount),
    }
  return { result: 'pass', sentence: `${balanceText}.${serviceText}`, at }
}

function assessConsent(payment: Payment): Finding {
  if (payment.consent_type === 'internet') return { result: 'pass', sentence: 'The customer authorized on the internet.' }
  if (!isSignedConsent(payment.consent_type))
    return { result: 'unknown', sentence: payment.consent_type ?? 'The service does not say how the customer authorized.' }
  if (isUnreadable(payment, 'documents'))
    return { result: 'unknown', sentence: 'The customer signed an agreement; its documents could not be read.' }
  if (payment.documents.length > 0) return { result: 'pass', sentence: 'The customer signed an agreement.' }
  return { result: 'warn', sentence: 'The customer signed an agreement, which is not on file.' }
}

/** Returns the payment, or an error if the part could not be read. Otherwise the check would report the part as missing. */
const toPartResult = (payment: Payment, part: string, readAt: string): ReadResult<Payment> =>
  isUnreadable(payment, part) ? { error: `The ${part.replaceAll('_', ' ')} could not be read.` } : { data: payment, at: readAt }

/** Returns the documents of a payment, or an error if none of them could be read. */
const toDocumentsResult = (payment: Payment, readAt: string): ReadResult<Payment['documents']> =>
  isUnreadable(payment, 'documents') && payment.documents.length === 0
    ? { error: 'The documents could not be read.' }
    : { data: payment.documents, at: readAt }

function assessDocuments(documents: Payment['documents'], now: number): Finding {
  const proofs = documents.filter((document) => document.document_type === undefined || document.document_type === 'payment_authorization')
  if (proofs.length === 0) return { result: 'warn', sentence: 'No authorization proof on file.' }
  const at = proofs.at(-1)?.uploaded_at ?? null
  const newestAge = relativeTimeText(at, now)
  return {
    result: 'pass',
    sentence: `${proofs.length === 1 ? '1 document' : `${proofs.length} documents`}${newestAge ? `, newest ${newestAge}` : ''}.`,
  }
}

/** Returns the check for other payments of the same kind and amount. Amounts are compared as the service wrote them. */
export function assessDuplicates(
  recent: readonly PaymentSummary[],
  payment: { id: string | null; amount: string },
  kind: PaymentKind,
): Finding {
  if (payment.amount === '') return { result: 'unknown', sentence: 'The amount cannot be read, so it cannot be compared.' }
  const otherPayments = recent.filter((other) => other.id !== payment.id)
  const samePayments = otherPayments.filter((other) => other.payment_type === kind && other.amount === payment.amount)
  const whereText = `${kind === 'charge' ? 'from' : 'to'} this bank account in 7 days.`
  if (samePayments.length === 0) {
    const unclearCount = otherPayments.filter(({ amount }) => amount === '').length
    if (unclearCount > 0)
      return { result: 'unknown', sentence: `${unclearCount} of the others ${whereText.replace('.', '')} have no readable amount.` }
    return { result: 'pass', sentence: `No ${kind} of this amount ${whereText}` }
  }
  const duplicatesText = samePayments.length === 1 ? `Another ${kind}` : `${samePayments.length} other ${kind}s`
  return { result: 'warn', sentence: `${duplicatesText} of the same amount ${whereText}`, about: String(samePayments.length) }
}

/** Returns the check of related payments. The first relation that applies is reported. */
function assessRelation(payment: Payment, kind: PaymentKind): Finding {
  if (payment.has_resubmit === true) return { result: 'warn', sentence: `Already resubmitted as a new ${kind}.` }
  if (payment.has_refund === true) return { result: 'warn', sentence: 'Refunded, fully or partly.' }
  if (payment.is_resubmit === true) return { result: 'warn', sentence: `A resubmission of an earlier ${kind}.` }
  if (payment.is_refund === true) return { result: 'pass', sentence: 'The refund of a charge.' }
  if (payment.related_payments.length > 0)
    return { result: 'warn', sentence: `Related to ${payment.related_payments.length} other payments.` }
  if (isUnreadable(payment, 'related_payments')) return { result: 'unknown', sentence: 'The related payments could not be read.' }
  const refundFlag = kind === 'charge' ? payment.has_refund : payment.is_refund
  if (refundFlag === undefined) return { result: 'unknown', sentence: 'The service does not say.' }
  return { result: 'pass', sentence: kind === 'charge' ? 'Neither refunded nor a resubmission.' : 'Neither a refund nor a resubmission.' }
}

function assessDate(date: string | undefined, now: number): Finding {
  if (date === undefined || !isDay(date)) return { result: 'unknown', sentence: 'No payment date.', at: null }
  return { result: describeDeparture(date, now).missed ? 'warn' : 'pass', sentence: departureText(date, now) }
}

/**
 * True if there is a check of the device. Most reads mask the IP address (provider facts 2.3); a masked address is not checked. A missing
 * device is checked only for charges, or if it could not be read.
 */
function hasDeviceCheck(kind: PaymentKind, payment: Payment): boolean {
  const { device } = payment
  return device === undefined ? kind === 'charge' || isUnreadable(payment, 'device') : device.offline !== undefined
}

function assessDevice({ device }: Payment): Finding {
  if (device === undefined) return { result: 'unknown', sentence: 'No device was recorded.' }
  return device.offline
    ? { result: 'warn', sentence: 'Recorded without a device (0.0.0.0).' }
    : { result: 'pass', sentence: 'A device address was recorded.' }
}

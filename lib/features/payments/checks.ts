import { formatRelativeTime, isCalendarDate } from '@/lib/dates'
import { describeDeparture, formatDeparture } from '@/lib/domain/bank-time'
import {
  type CheckFinding,
  type CheckResult,
  type ReadResult,
  toCheckResult,
} from '@/lib/domain/check'
import { createLimitChecks, type SpentSums } from '@/lib/domain/holds/limit-checks'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import { isPaymentUndecided } from '@/lib/domain/payment-rules'
import { getStatusWords, isKnownStatus } from '@/lib/domain/status'
import { isFieldUnreadable } from '@/lib/domain/unreadable-rules'
import { type AmountUnit, toMinorUnits } from '@/lib/money'
import type { Account } from '@/lib/operations/accounts.schema'
import { isSignedConsent } from '@/lib/operations/consents'
import type { Customer } from '@/lib/operations/customers.schema'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { assessBalance, assessCustomer, assessPaykey } from './party-checks'

/** `recent`: the payments of the same paykey in the last seven days. */
export type PaymentCheckFacts = {
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

export function createPaymentChecks(facts: PaymentCheckFacts): CheckResult[] {
  const { kind, payment, readAt, now, unit } = facts
  if (!isPaymentUndecided(payment.status)) return []
  const paymentReadResult = { data: payment, at: readAt }
  const amount = toMinorUnits(payment.amount, unit)
  const balanceCheckInput = { kind, amount, balanceCheck: payment.config?.balance_check, now, unit }
  return [
    ...(isKnownNotHeld(payment)
      ? []
      : [toCheckResult('held', 'Status', paymentReadResult, assessHoldStatus)]),
    toCheckResult('paykey', 'Bank account', facts.paykey, (paykey) => assessPaykey(paykey, now)),
    ...(kind === 'charge'
      ? [
          toCheckResult('balance', 'Balance', facts.paykey, (paykey) =>
            assessBalance(paykey, balanceCheckInput),
          ),
        ]
      : []),
    toCheckResult('customer', 'Customer', facts.customer, assessCustomer),
    ...(kind === 'charge'
      ? [toCheckResult('consent', 'Consent', paymentReadResult, assessConsent)]
      : []),
    toCheckResult('documents', 'Proof', toDocumentsResult(payment, readAt), (documents) =>
      assessDocuments(documents, now),
    ),
    ...createLimitChecks(kind, amount, facts.account, facts.spent),
    toCheckResult('duplicates', 'Duplicates', facts.recent, (recent) =>
      assessDuplicates(recent, payment, kind),
    ),
    toCheckResult('relation', 'Related', paymentReadResult, (value) =>
      assessRelatedPayments(value, kind),
    ),
    toCheckResult(
      'payment_date',
      'Payment date',
      toFieldReadResult(payment, 'payment_date', readAt),
      (value) => assessPaymentDate(value.payment_date, now),
    ),
    ...(hasDeviceCheck(kind, payment)
      ? [
          toCheckResult(
            'device',
            'Device',
            toFieldReadResult(payment, 'device', readAt),
            assessDevice,
          ),
        ]
      : []),
  ]
}

const isKnownNotHeld = ({ status }: Payment) =>
  isKnownStatus('payment', status) && status !== 'on_hold'

function assessHoldStatus(payment: Payment): CheckFinding {
  if (payment.status === 'on_hold')
    return { result: 'pass', sentence: 'On hold, so it can be released.' }
  return { result: 'unknown', sentence: getStatusWords('payment', payment.status).meaning }
}

function assessConsent(payment: Payment): CheckFinding {
  if (payment.consent_type === 'internet')
    return { result: 'pass', sentence: 'The customer authorized this online.' }
  if (!isSignedConsent(payment.consent_type))
    return {
      result: 'unknown',
      sentence: payment.consent_type ?? 'The service does not say how the customer authorized.',
    }
  if (isFieldUnreadable(payment, 'documents'))
    return {
      result: 'unknown',
      sentence: 'The customer signed an agreement; its documents could not be read.',
    }
  if (payment.documents.length > 0)
    return { result: 'pass', sentence: 'The customer signed an agreement.' }
  return { result: 'warn', sentence: 'The customer signed an agreement, which is not on file.' }
}

/** Without this error, the check would call an unreadable field missing. */
const toFieldReadResult = (
  payment: Payment,
  fieldName: string,
  readAt: string,
): ReadResult<Payment> =>
  isFieldUnreadable(payment, fieldName)
    ? { error: `The ${fieldName.replaceAll('_', ' ')} could not be read.` }
    : { data: payment, at: readAt }

/** An error only if none of the documents could be read. */
const toDocumentsResult = (payment: Payment, readAt: string): ReadResult<Payment['documents']> =>
  isFieldUnreadable(payment, 'documents') && payment.documents.length === 0
    ? { error: 'The documents could not be read.' }
    : { data: payment.documents, at: readAt }

function assessDocuments(documents: Payment['documents'], now: number): CheckFinding {
  const proofDocuments = documents.filter(
    (document) =>
      document.document_type === undefined || document.document_type === 'payment_authorization',
  )
  if (proofDocuments.length === 0)
    return { result: 'warn', sentence: 'No authorization proof on file.' }
  const newestUploadAt = proofDocuments.at(-1)?.uploaded_at ?? null
  const newestAgeText = formatRelativeTime(newestUploadAt, now)
  return {
    result: 'pass',
    sentence: `${proofDocuments.length === 1 ? '1 document' : `${proofDocuments.length} documents`}${newestAgeText ? `, newest ${newestAgeText}` : ''}.`,
  }
}

/** Amounts are compared as texts, as the service wrote them. */
export function assessDuplicates(
  recent: readonly PaymentSummary[],
  payment: { id: string | null; amount: string },
  kind: PaymentKind,
): CheckFinding {
  if (payment.amount === '')
    return { result: 'unknown', sentence: 'The amount cannot be read, so it cannot be compared.' }
  const otherPayments = recent.filter((other) => other.id !== payment.id)
  const sameAmountPayments = otherPayments.filter(
    (other) => other.payment_type === kind && other.amount === payment.amount,
  )
  const accountAndPeriodText = `${kind === 'charge' ? 'from' : 'to'} this bank account in 7 days.`
  if (sameAmountPayments.length === 0) {
    const unreadableAmountCount = otherPayments.filter(({ amount }) => amount === '').length
    if (unreadableAmountCount > 0)
      return {
        result: 'unknown',
        sentence: `${unreadableAmountCount} of the others ${accountAndPeriodText.replace('.', '')} have no readable amount.`,
      }
    return { result: 'pass', sentence: `No ${kind} of this amount ${accountAndPeriodText}` }
  }
  const duplicatesText =
    sameAmountPayments.length === 1
      ? `Another ${kind}`
      : `${sameAmountPayments.length} other ${kind}s`
  return {
    result: 'warn',
    sentence: `${duplicatesText} of the same amount ${accountAndPeriodText}`,
    about: String(sameAmountPayments.length),
  }
}

/** If several relations apply, only the first of them is reported. */
function assessRelatedPayments(payment: Payment, kind: PaymentKind): CheckFinding {
  if (payment.has_resubmit === true)
    return { result: 'warn', sentence: `Already resubmitted as a new ${kind}.` }
  if (payment.has_refund === true) return { result: 'warn', sentence: 'Refunded, fully or partly.' }
  if (payment.is_resubmit === true)
    return { result: 'warn', sentence: `A resubmission of an earlier ${kind}.` }
  if (payment.is_refund === true) return { result: 'pass', sentence: 'The refund of a charge.' }
  if (payment.related_payments.length > 0)
    return {
      result: 'warn',
      sentence: `Related to ${payment.related_payments.length} other payments.`,
    }
  if (isFieldUnreadable(payment, 'related_payments'))
    return { result: 'unknown', sentence: 'The related payments could not be read.' }
  const refundFlag = kind === 'charge' ? payment.has_refund : payment.is_refund
  if (refundFlag === undefined) return { result: 'unknown', sentence: 'The service does not say.' }
  return {
    result: 'pass',
    sentence:
      kind === 'charge'
        ? 'Not refunded, and not a resubmission.'
        : 'Not a refund, and not a resubmission.',
  }
}

function assessPaymentDate(date: string | undefined, now: number): CheckFinding {
  if (date === undefined || !isCalendarDate(date))
    return { result: 'unknown', sentence: 'No payment date.', at: null }
  return {
    result: describeDeparture(date, now).missed ? 'warn' : 'pass',
    sentence: formatDeparture(date, now),
  }
}

/**
 * Most reads mask the IP address, and a masked one is not checked (provider facts 2.3). A missing
 * device is reported only for charges, or if it could not be read.
 */
function hasDeviceCheck(kind: PaymentKind, payment: Payment): boolean {
  const { device } = payment
  return device === undefined
    ? kind === 'charge' || isFieldUnreadable(payment, 'device')
    : device.offline !== undefined
}

function assessDevice({ device }: Payment): CheckFinding {
  if (device === undefined) return { result: 'unknown', sentence: 'No device was recorded.' }
  return device.offline
    ? { result: 'warn', sentence: 'Recorded without a device (0.0.0.0).' }
    : { result: 'pass', sentence: 'A device address was recorded.' }
}

import { agoText, bankDay, dayText, isDay, timeOf } from '@/lib/dates'
import { type AmountUnit, formatMinor, minorUnits } from '@/lib/money'
import type { Account } from '@/lib/operations/accounts.schema'
import type { Customer } from '@/lib/operations/customers.schema'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { type Check, checkOf, type Fact, type Finding, known } from './fact'
import { limitChecks, type Spent } from './limit-checks'
import type { Payment, PaymentKind } from './payment-kind'
import { customerFinding, paykeyFinding } from './payment-party-checks'
import { isKnownStatus, statusWords } from './status'

/** Everything the checks look at. `now` in milliseconds; `recent` are the payments of the same paykey in the last seven days. */
export type CheckFacts = {
  kind: PaymentKind
  payment: Payment
  readAt: string
  now: number
  unit: AmountUnit
  paykey: Fact<Paykey>
  customer: Fact<Customer>
  account: Fact<Account>
  spent: Fact<Spent | null>
  recent: Fact<readonly PaymentSummary[]>
}

const day = 24 * 60 * 60 * 1000

/** The checks of the decision panel in reading order, each pass, warn, fail or unknown with a sentence and the age of its source. */
export function paymentChecks(facts: CheckFacts): Check[] {
  const { kind, payment, readAt, now, unit } = facts
  const itself = known(payment, readAt)
  const amount = minorUnits(payment.amount, unit)
  const balanceCheck = payment.config?.balance_check
  return [
    checkOf('held', 'Status', itself, heldFinding),
    checkOf('paykey', 'Bank account', facts.paykey, (paykey) => paykeyFinding(paykey, now)),
    checkOf('balance', 'Balance', facts.paykey, (paykey) => balanceFinding(paykey, { kind, amount, balanceCheck, now, unit })),
    checkOf('customer', 'Customer', facts.customer, customerFinding),
    ...(kind === 'charge' ? [checkOf('consent', 'Consent', itself, consentFinding)] : []),
    checkOf('documents', 'Proof', known(payment.documents, readAt), (documents) => documentsFinding(documents, now)),
    ...limitChecks(kind, amount, facts.account, facts.spent),
    checkOf('duplicates', 'Duplicates', facts.recent, (recent) => duplicatesFinding(recent, payment, kind)),
    checkOf('relation', 'Related', itself, (value) => relationFinding(value, kind)),
    checkOf('payment_date', 'Payment date', itself, (value) => dateFinding(value.payment_date, now)),
    checkOf('device', 'Device', itself, deviceFinding),
  ]
}

function heldFinding(payment: Payment): Finding {
  const words = statusWords('payment', payment.status)
  if (!isKnownStatus('payment', payment.status)) return { result: 'unknown', sentence: words.meaning }
  if (payment.status === 'on_hold') return { result: 'pass', sentence: 'On hold, so it can be released.' }
  return { result: 'warn', sentence: `Not on hold. ${words.label}: ${words.meaning.charAt(0).toLowerCase()}${words.meaning.slice(1)}` }
}

/** What the service itself does about the balance of a charge before it is sent. */
const lookedAt: Readonly<Record<string, string>> = {
  required: ' The service refuses the charge where it can read none.',
  enabled: ' The service looks at it before sending.',
  disabled: ' The service does not look at it.',
}

/** What a balance is held against; the amount in minor units, null where it cannot be read. */
export type BalanceNeed = { kind: PaymentKind; amount: number | null; balanceCheck: string | undefined; now: number; unit: AmountUnit }

/** What is known of the money on a bank account. It only has to suffice where money is taken. */
export function balanceFinding(paykey: Paykey, { kind, amount, balanceCheck, now, unit }: BalanceNeed): Finding {
  const at = paykey.balance?.updated_at ?? null
  const time = timeOf(at)
  const minor = minorUnits(paykey.balance?.account_balance, unit)
  const service = kind === 'charge' ? (lookedAt[balanceCheck ?? ''] ?? '') : ''
  if (minor === null) return { result: 'unknown', sentence: `Not known; never assume it.${service}`, at }
  const read = formatMinor(minor)
  if (paykey.balance?.status !== 'completed') return { result: 'unknown', sentence: `${read}, a new reading is on its way.${service}`, at }
  if (time === null || now - time > day) return { result: 'unknown', sentence: `${read}, but the reading is old.${service}`, at }
  if (kind === 'charge' && amount !== null && minor < amount)
    return { result: 'warn', sentence: `${read}, which is ${formatMinor(amount - minor)} too little.${service}`, at }
  return { result: 'pass', sentence: `${read}.${service}`, at }
}

/** How the payer agreed; `signed` is the provider's older word (provider facts 2.2). */
function consentFinding(payment: Payment): Finding {
  if (payment.consent_type === 'internet') return { result: 'pass', sentence: 'The customer agreed on the internet.' }
  const isSigned = payment.consent_type === 'signed_agreement' || payment.consent_type === 'signed'
  if (!isSigned) return { result: 'unknown', sentence: payment.consent_type ?? 'The service does not say how the customer agreed.' }
  if (payment.documents.length > 0) return { result: 'pass', sentence: 'The customer signed an agreement.' }
  return { result: 'warn', sentence: 'The customer signed an agreement, which is not on file here.' }
}

function documentsFinding(documents: Payment['documents'], now: number): Finding {
  const proofs = documents.filter((document) => document.document_type === undefined || document.document_type === 'payment_authorization')
  if (proofs.length === 0) return { result: 'warn', sentence: 'No authorization proof on file.' }
  const at = proofs.at(-1)?.uploaded_at ?? null
  const newest = agoText(at, now)
  return {
    result: 'pass',
    sentence: `${proofs.length === 1 ? '1 document' : `${proofs.length} documents`}${newest ? `, newest ${newest}` : ''}.`,
  }
}

/** Whether other payments of the kind carry the same amount; an amount that cannot be read is compared as it was written. */
export function duplicatesFinding(
  recent: readonly PaymentSummary[],
  payment: { id: string | null; amount: string },
  kind: PaymentKind,
): Finding {
  const same = recent.filter((other) => other.id !== payment.id && other.payment_type === kind && other.amount === payment.amount)
  const where = `${kind === 'charge' ? 'from' : 'to'} this bank account in 7 days.`
  if (same.length === 0) return { result: 'pass', sentence: `No ${kind} of this amount ${where}` }
  const words = same.length === 1 ? `Another ${kind}` : `${same.length} other ${kind}s`
  return { result: 'warn', sentence: `${words} of the same amount ${where}` }
}

/** What a payment is to another one, the first that applies. */
function relationFinding(payment: Payment, kind: PaymentKind): Finding {
  if (payment.has_resubmit === true) return { result: 'warn', sentence: `It was already sent again as a new ${kind}.` }
  if (payment.has_refund === true) return { result: 'warn', sentence: 'It was paid back, in whole or in part.' }
  if (payment.is_resubmit === true) return { result: 'warn', sentence: `A second try of an earlier ${kind}.` }
  if (payment.is_refund === true) return { result: 'pass', sentence: 'The refund of a charge.' }
  if (payment.related_payments.length > 0) return { result: 'warn', sentence: `Tied to ${payment.related_payments.length} other payments.` }
  const said = kind === 'charge' ? payment.has_refund : payment.is_refund
  if (said === undefined) return { result: 'unknown', sentence: 'The service does not say.' }
  return { result: 'pass', sentence: kind === 'charge' ? 'Neither refunded nor a second try.' : 'Neither a refund nor a second try.' }
}

function dateFinding(date: string | undefined, now: number): Finding {
  if (date === undefined || !isDay(date)) return { result: 'unknown', sentence: 'No payment date.', at: null }
  const today = bankDay(now)
  if (date < today) return { result: 'warn', sentence: `${dayText(date)} has passed; it would go out in the next bank window.` }
  if (date === today) return { result: 'pass', sentence: 'Today (New York).' }
  return { result: 'pass', sentence: `${dayText(date)}.` }
}

/** The service masks the address on ordinary reads, so whether there was a device is often not known (provider facts 2.3). */
function deviceFinding({ device }: Payment): Finding {
  if (device === undefined) return { result: 'unknown', sentence: 'No device was recorded.' }
  if (device.offline === undefined) return { result: 'unknown', sentence: 'Masked by the service; reveal it in the record.' }
  return device.offline
    ? { result: 'warn', sentence: 'Recorded without a device (0.0.0.0).' }
    : { result: 'pass', sentence: 'A device address was recorded.' }
}

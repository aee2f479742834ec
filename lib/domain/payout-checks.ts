import { agoText, bankDay, dayText, isDay, lengthText, timeOf } from '@/lib/dates'
import { type AmountUnit, formatMinor, minorUnits } from '@/lib/money'
import type { Account } from '@/lib/operations/accounts.schema'
import type { Customer } from '@/lib/operations/customers.schema'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import type { Payout } from '@/lib/operations/payouts.schema'
import { type Check, checkOf, type Fact, known } from './fact'
import { limitChecks, type Spent } from './limit-checks'
import { isKnownStatus, statusWords } from './status'

/** Everything the checks look at. `now` in milliseconds; `recent` are the payments of the same paykey in the last seven days. */
export type CheckFacts = {
  payout: Payout
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
export function payoutChecks(facts: CheckFacts): Check[] {
  const { payout, readAt } = facts
  return [
    checkOf('held', 'Status', known(payout, readAt), heldFinding),
    checkOf('paykey', 'Bank account', facts.paykey, (paykey) => paykeyFinding(paykey, facts.now)),
    checkOf('balance', 'Balance', facts.paykey, (paykey) => balanceFinding(paykey, facts)),
    checkOf('customer', 'Customer', facts.customer, customerFinding),
    checkOf('documents', 'Proof', known(payout.documents, readAt), (documents) => documentsFinding(documents, facts.now)),
    ...limitChecks(payout, facts.unit, facts.account, facts.spent),
    checkOf('duplicates', 'Duplicates', facts.recent, (recent) => duplicatesFinding(recent, payout)),
    checkOf('relation', 'Related', known(payout, readAt), relationFinding),
    checkOf('payment_date', 'Payment date', known(payout, readAt), (value) => dateFinding(value.payment_date, facts.now)),
    checkOf('device', 'Device', known(payout, readAt), deviceFinding),
  ]
}

type Finding = Pick<Check, 'result' | 'sentence'> & { at?: string | null }

function heldFinding(payout: Payout): Finding {
  const words = statusWords('payment', payout.status)
  if (!isKnownStatus('payment', payout.status)) return { result: 'unknown', sentence: words.meaning }
  if (payout.status === 'on_hold') return { result: 'pass', sentence: 'On hold, so it can be released.' }
  return { result: 'warn', sentence: `Not on hold. ${words.label}: ${words.meaning.charAt(0).toLowerCase()}${words.meaning.slice(1)}` }
}

function paykeyFinding(paykey: Paykey, now: number): Finding {
  const words = statusWords('paykey', paykey.status)
  const expires = timeOf(paykey.expires_at)
  if (paykey.status !== 'active') {
    const result = isKnownStatus('paykey', paykey.status) ? 'fail' : 'unknown'
    const code = paykey.status_details?.code ? ` (${paykey.status_details.code})` : ''
    return { result, sentence: `${words.label}${code}: ${words.meaning}` }
  }
  if (expires !== null && expires <= now) return { result: 'fail', sentence: `Expired ${agoText(paykey.expires_at, now)}.` }
  if (expires !== null && expires - now < 7 * day) return { result: 'warn', sentence: `Active, expires in ${lengthText(expires - now)}.` }
  return { result: 'pass', sentence: 'Active.' }
}

function balanceFinding(paykey: Paykey, { now, unit }: CheckFacts): Finding {
  const at = paykey.balance?.updated_at ?? null
  const time = timeOf(at)
  const minor = minorUnits(paykey.balance?.account_balance, unit)
  if (minor === null) return { result: 'unknown', sentence: 'Not known; never assume it.', at }
  if (paykey.balance?.status !== 'completed')
    return { result: 'unknown', sentence: `${formatMinor(minor)}, a new reading is on its way.`, at }
  if (time === null || now - time > day) return { result: 'unknown', sentence: `${formatMinor(minor)}, but the reading is old.`, at }
  return { result: 'pass', sentence: `${formatMinor(minor)}.`, at }
}

const customerResults: Record<string, Check['result']> = {
  verified: 'pass',
  pending: 'warn',
  review: 'warn',
  rejected: 'fail',
  inactive: 'fail',
}

function customerFinding(customer: Customer): Finding {
  const words = statusWords('customer', customer.status)
  return { result: customerResults[customer.status] ?? 'unknown', sentence: `${words.label}: ${words.meaning}` }
}

function documentsFinding(documents: Payout['documents'], now: number): Finding {
  const proofs = documents.filter((document) => document.document_type === undefined || document.document_type === 'payment_authorization')
  if (proofs.length === 0) return { result: 'warn', sentence: 'No authorization proof on file.' }
  const at = proofs.at(-1)?.uploaded_at ?? null
  const newest = agoText(at, now)
  return {
    result: 'pass',
    sentence: `${proofs.length === 1 ? '1 document' : `${proofs.length} documents`}${newest ? `, newest ${newest}` : ''}.`,
  }
}

function duplicatesFinding(recent: readonly PaymentSummary[], payout: Payout): Finding {
  const same = recent.filter((other) => other.id !== payout.id && other.payment_type === 'payout' && other.amount === payout.amount)
  if (same.length === 0) return { result: 'pass', sentence: 'No payout of this amount to this bank account in 7 days.' }
  const words = same.length === 1 ? 'Another payout' : `${same.length} other payouts`
  return { result: 'warn', sentence: `${words} of the same amount to this bank account in 7 days.` }
}

function relationFinding(payout: Payout): Finding {
  if (payout.has_resubmit === true) return { result: 'warn', sentence: 'It was already sent again as a new payout.' }
  if (payout.is_resubmit === true) return { result: 'warn', sentence: 'A second try of an earlier payout.' }
  if (payout.is_refund === true) return { result: 'pass', sentence: 'The refund of a charge.' }
  if (payout.related_payments.length > 0) return { result: 'warn', sentence: `Tied to ${payout.related_payments.length} other payments.` }
  if (payout.is_refund === undefined) return { result: 'unknown', sentence: 'The service does not say.' }
  return { result: 'pass', sentence: 'Neither a refund nor a second try.' }
}

function dateFinding(date: string | undefined, now: number): Finding {
  if (date === undefined || !isDay(date)) return { result: 'unknown', sentence: 'No payment date.', at: null }
  const today = bankDay(now)
  if (date < today) return { result: 'warn', sentence: `${dayText(date)} has passed; it would go out in the next bank window.` }
  if (date === today) return { result: 'pass', sentence: 'Today (New York).' }
  return { result: 'pass', sentence: `${dayText(date)}.` }
}

function deviceFinding(payout: Payout): Finding {
  if (payout.device === undefined) return { result: 'unknown', sentence: 'No device was recorded.' }
  return payout.device.offline
    ? { result: 'warn', sentence: 'Recorded without a device (0.0.0.0).' }
    : { result: 'pass', sentence: 'A device address was recorded.' }
}

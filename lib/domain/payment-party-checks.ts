import { agoText, lengthText, timeOf } from '@/lib/dates'
import type { Customer } from '@/lib/operations/customers.schema'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'
import type { Check, Finding } from './fact'
import { isKnownStatus, statusWords } from './status'

const week = 7 * 24 * 60 * 60 * 1000

/** Whether a bank account may be used at `now` (milliseconds): its state, then its expiry. */
export function paykeyFinding(paykey: Pick<PaykeySummary, 'status' | 'status_details' | 'expires_at'>, now: number): Finding {
  const words = statusWords('paykey', paykey.status)
  const expires = timeOf(paykey.expires_at)
  if (paykey.status !== 'active') {
    const result = isKnownStatus('paykey', paykey.status) ? 'fail' : 'unknown'
    const code = paykey.status_details?.code ? ` (${paykey.status_details.code})` : ''
    return { result, sentence: `${words.label}${code}: ${words.meaning}` }
  }
  if (expires !== null && expires <= now) return { result: 'fail', sentence: `Expired ${agoText(paykey.expires_at, now)}.` }
  if (expires !== null && expires - now < week) return { result: 'warn', sentence: `Active, expires in ${lengthText(expires - now)}.` }
  return { result: 'pass', sentence: 'Active.' }
}

const customerResults: Record<string, Check['result']> = {
  verified: 'pass',
  pending: 'warn',
  review: 'warn',
  rejected: 'fail',
  inactive: 'fail',
}

/** Whether money may be moved with a customer, by its state. */
export function customerFinding(customer: Pick<Customer, 'status'>): Finding {
  const words = statusWords('customer', customer.status)
  return { result: customerResults[customer.status] ?? 'unknown', sentence: `${words.label}: ${words.meaning}` }
}

/** Why a new payment may not use a bank account, as a sentence; null where it may. Only an active one that has not expired is offered. */
export function whyNotPayable(paykey: Pick<PaykeySummary, 'status' | 'status_details' | 'expires_at'>, now: number): string | null {
  const { result, sentence } = paykeyFinding(paykey, now)
  return result === 'pass' || result === 'warn' ? null : sentence
}

import { timeOfId } from '@/sandbox/store/new-id'
import { type Payment, stateOf } from './payment'
import type { ColumnValues } from './payment-columns'
import { paymentStatuses, paymentTypes, statusReasons, statusSources } from './payment-values'

/**
 * Charges and payouts in one table; `doc` is the payment. `payment_facts` repeats the search fields as one JSON array: SQLite returns ten
 * thousand of them as one text, and they lie close together, apart from the documents. So the columns in memory are rebuilt from a million
 * payments in seconds. The word index has prefix lists for one and two letters: merging that many words would take longer than the rest of
 * a search.
 */
export const paymentsTable = `
CREATE TABLE IF NOT EXISTS payments (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, external_id TEXT NOT NULL,
  doc TEXT NOT NULL, UNIQUE (external_id, type)
);
CREATE TABLE IF NOT EXISTS payment_facts (n INTEGER PRIMARY KEY REFERENCES payments (n), facts TEXT NOT NULL);
CREATE VIRTUAL TABLE IF NOT EXISTS payment_words USING fts5 (external_id, description, content='', contentless_delete=1, detail='none', prefix='1 2');`

const dayInMs = 86_400_000

/** Returns the days since 1970 of a `YYYY-MM-DD` date. */
export const dayNumber = (date: string): number => Math.floor(Date.parse(`${date}T00:00:00Z`) / dayInMs)

export function factsOf(payment: Payment): ColumnValues {
  const state = stateOf(payment)
  return {
    type: paymentTypes.indexOf(payment.type),
    status: paymentStatuses.indexOf(state.status),
    reason: statusReasons.indexOf(state.reason),
    source: statusSources.indexOf(state.source),
    marks: Number(payment.is_refund) + Number(payment.has_refund) * 2 + Number(payment.is_resubmit) * 4 + Number(payment.has_resubmit) * 8,
    account: payment.account,
    customer: payment.customer,
    paykey: payment.paykey,
    funding: payment.funding ?? 0,
    amount: payment.amount,
    payment_date: dayNumber(payment.payment_date),
    created_at: payment.created_at,
    updated_at: payment.updated_at,
    effective_at: payment.effective_at ?? -1,
    id: timeOfId(payment.id),
  }
}

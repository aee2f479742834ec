import type { Call } from '@/sandbox/operation'
import { newId } from '@/sandbox/store/new-id'
import type { Payment, PaymentDoc, RelatedPayment } from './payment'
import { announcePayment } from './payment-events'
import { firstState, startPayment } from './payment-moves'

/** Input for a new payment. Without `external_id` its own id is used, since a reference must be unique. */
export type Draft = Pick<Payment, 'type' | 'account' | 'customer' | 'paykey' | 'amount' | 'payment_date' | 'description'> & {
  external_id: string | undefined
  doc: Pick<PaymentDoc, 'device' | 'config' | 'metadata' | 'consent_type'>
}

export type Origin = { payment: Payment; as: 'refund' | 'resubmit' }

const markOf = { refund: 'has_refund', resubmit: 'has_resubmit' } as const

/** Marks the original of a refund or resubmit, the first time only (provider-facts 3.1). Returns true if it changed. */
function markOriginal({ sandbox, now }: Call, { payment, as }: Origin, later: Payment): boolean {
  if (payment[markOf[as]]) return false
  payment[markOf[as]] = true
  payment.doc.related_payments.push({ id: later.id, relationship: as, payment_type: later.type })
  payment.updated_at = now
  sandbox.payments.save(payment)
  return true
}

/** A resubmitted refund still refunds its charge. */
const isRefund = (origin: Origin | undefined): boolean => origin !== undefined && (origin.as === 'refund' || origin.payment.is_refund)

/** Returns the links of a refund or resubmit: to its original, and from a resubmitted refund also to the charge. */
function originals(origin: Origin | undefined): RelatedPayment[] {
  if (!origin) return []
  const { id, type, doc } = origin.payment
  const charges = doc.related_payments.filter(({ relationship, payment_type }) => relationship === 'original' && payment_type !== type)
  return [{ id, relationship: 'original', payment_type: type }, ...charges]
}

/**
 * Creates a charge or payout: row, first state, links to and from its original, first timer, events of both, and the journal row. The
 * caller has made all checks, inside a transaction.
 */
export function newPayment(call: Call, { doc, external_id, ...draft }: Draft, origin?: Origin): Payment {
  const { sandbox, now } = call
  const id = newId(now)
  const first = firstState(doc.config, now)
  const payment = sandbox.payments.insert({
    id,
    ...draft,
    external_id: external_id ?? id,
    ...{ created_at: now, updated_at: now, processed_at: null, effective_at: null, funding: null },
    ...{ is_refund: isRefund(origin), is_resubmit: origin?.as === 'resubmit', has_refund: false, has_resubmit: false },
    doc: { ...doc, status_history: [first], trace_ids: {}, related_payments: originals(origin), documents: [] },
  })
  // Mark first: the check cancels a new payment whose original does not link to it.
  const marked = origin !== undefined && markOriginal(call, origin, payment)
  startPayment(sandbox, payment)
  announcePayment(sandbox, payment, now, 'created')
  if (marked) announcePayment(sandbox, origin.payment, now)
  call.effect({ target_id: id, account_id: sandbox.accounts.idOf(payment.account), from: '', to: first.status })
  return payment
}

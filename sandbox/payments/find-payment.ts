import { notFound, unprocessable } from '@/sandbox/http/problem'
import type { Call } from '@/sandbox/operation'
import { paymentDateOf } from '@/sandbox/store/clock'
import type { Payment } from './payment'
import type { PaymentType } from './payment-values'

/** The payment of a request's path. Throws the 404 when there is none of that type, or when it belongs to another account. */
export function findPayment(type: PaymentType, { sandbox, params, account }: Call): Payment {
  const payment = sandbox.payments.get(type, params.id ?? '')
  if (!payment || (account !== null && payment.account !== account)) throw notFound(type)
  return payment
}

/** The 422 that blames one field. */
export const fieldProblem = (reference: string, detail: string) =>
  unprocessable('One or more fields are not valid.', [{ reference, detail }])

/** Throws the 422 for a date that has passed in New York, whose calendar a payment date means. */
export function requireDateToCome(date: string, now: number): void {
  const today = paymentDateOf(now)
  if (date < today) throw fieldProblem('payment_date', `must be today in New York (${today}) or later`)
}

/** Throws the 422 for a reference that a payment of the same type has already, anywhere on the platform. */
export function requireFreeReference({ payments }: Call['sandbox'], type: PaymentType, externalId: string): void {
  const taken = payments.slotsOfExternalId(externalId).some((slot) => payments.at(slot).type === type)
  if (taken) throw fieldProblem('external_id', `is already used by another ${type}`)
}

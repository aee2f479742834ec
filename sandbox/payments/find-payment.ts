import { notFound, unprocessable } from '@/sandbox/http/problem'
import type { Call } from '@/sandbox/operation'
import { paymentDateOf } from '@/sandbox/store/clock'
import type { Payment } from './payment'
import type { PaymentType } from './payment-values'

/** Returns the payment of a request's path. Throws a 404 if it does not exist, has another type, or belongs to another account. */
export function findPayment(type: PaymentType, { sandbox, params, account }: Call): Payment {
  const payment = sandbox.payments.get(type, params.id ?? '')
  if (!payment || (account !== null && payment.account !== account)) throw notFound(type)
  return payment
}

/** Returns a 422 about one field. */
export const fieldProblem = (reference: string, detail: string) =>
  unprocessable('One or more fields are not valid.', [{ reference, detail }])

/** Throws a 422 for a date before today in New York, whose calendar applies to payment dates. */
export function requireDateToCome(date: string, now: number): void {
  const today = paymentDateOf(now)
  if (date < today) throw fieldProblem('payment_date', `must be today in New York (${today}) or later`)
}

/** Throws a 422 if another payment of the same type on the platform has the reference. */
export function requireFreeReference({ payments }: Call['sandbox'], type: PaymentType, externalId: string): void {
  const isTaken = payments.slotsOfExternalId(externalId).some((slot) => payments.at(slot).type === type)
  if (isTaken) throw fieldProblem('external_id', `is already used by another ${type}`)
}

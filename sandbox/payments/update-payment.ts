import { requireMove } from '@/sandbox/machine'
import { type Call, objectOperation } from '@/sandbox/operation'
import { fieldProblem, findPayment, requireDateToCome } from './find-payment'
import { refundedCharge } from './original-of'
import { type Payment, stateOf } from './payment'
import { updateBody } from './payment-bodies'
import { announcePayment } from './payment-events'
import { paymentMachine } from './payment-moves'
import { paymentSchemas } from './payment-schema'
import type { PaymentType } from './payment-values'
import { paymentView } from './payment-view'

/** Throws a 422 with `amount` if a refund, resubmitted or not, would exceed its charge. */
function requireRefundWithinCharge(sandbox: Call['sandbox'], payment: Payment, amount: number): void {
  const charge = refundedCharge(sandbox, payment)
  if (charge && amount > charge.amount) throw fieldProblem('amount', `must be at most ${charge.amount}, the amount of the charge`)
}

/** `PUT /v1/charges/{id}` and `PUT /v1/payouts/{id}`: changes a payment before its money moves; the state stays. */
export const updatePayment = (type: PaymentType) =>
  objectOperation({
    id: `${type}s.update`,
    method: 'PUT',
    path: `/v1/${type}s/:id`,
    summary: `Change a ${type} that has not been scheduled`,
    account: 'optional',
    input: updateBody,
    output: paymentSchemas[type],
    handle: (call) => {
      const { sandbox, now, input } = call
      const payment = findPayment(type, call)
      const { status } = stateOf(payment)
      requireDateToCome(input.payment_date, now)
      requireMove(paymentMachine, 'update', status, type)
      requireRefundWithinCharge(sandbox, payment, input.amount)
      const { description, amount, payment_date } = input
      Object.assign(payment, { description: description ?? '', amount, payment_date, updated_at: now })
      if (input.metadata) payment.doc.metadata = input.metadata
      sandbox.payments.save(payment)
      sandbox.payments.reword(payment)
      announcePayment(sandbox, payment, now)
      call.effect({ target_id: payment.id, account_id: sandbox.accounts.idOf(payment.account), from: status, to: status })
      return paymentView(sandbox, payment)
    },
  })

import { requireMove } from '@/sandbox/machine'
import { type Operation, objectOperation } from '@/sandbox/operation'
import { authorizePayment } from './authorize-payment'
import { createCharge, createPayout } from './create-payment'
import { findPayment } from './find-payment'
import { stateOf } from './payment'
import { reasonBody } from './payment-bodies'
import { makeMove, paymentMachine } from './payment-moves'
import { paymentSchemas } from './payment-schema'
import type { PaymentType } from './payment-values'
import { paymentView } from './payment-view'
import { refundCharge } from './refund-charge'
import { resubmitPayment } from './resubmit-payment'
import { unmaskPayment } from './unmask-payment'
import { updatePayment } from './update-payment'

const read = (type: PaymentType) =>
  objectOperation({
    id: `${type}s.get`,
    method: 'GET',
    path: `/v1/${type}s/:id`,
    summary: `Look up a ${type}`,
    account: 'optional',
    output: paymentSchemas[type],
    handle: (call) => paymentView(call.sandbox, findPayment(type, call)),
  })

const move = (type: PaymentType, name: 'hold' | 'release' | 'cancel') =>
  objectOperation({
    id: `${type}s.${name}`,
    method: 'PUT',
    path: `/v1/${type}s/:id/${name}`,
    summary: `${name[0]?.toUpperCase()}${name.slice(1)} a ${type}`,
    account: 'optional',
    input: reasonBody,
    output: paymentSchemas[type],
    handle: (call) => {
      const { sandbox, now, input } = call
      const payment = findPayment(type, call)
      const from = stateOf(payment).status
      if (requireMove(paymentMachine, name, from, type)) {
        makeMove(sandbox, name, payment, now, { message: input.reason || undefined })
        call.effect({ target_id: payment.id, account_id: sandbox.accounts.idOf(payment.account), from, to: stateOf(payment).status })
      }
      return paymentView(sandbox, payment)
    },
  })

const about = (type: PaymentType) => [
  read(type),
  unmaskPayment(type),
  updatePayment(type),
  move(type, 'hold'),
  move(type, 'release'),
  move(type, 'cancel'),
  resubmitPayment(type),
  authorizePayment(type),
]

/** Operations on single charges and payouts; the payments search returns lists. */
export const paymentOperations: readonly Operation[] = [createCharge, ...about('charge'), refundCharge, createPayout, ...about('payout')]

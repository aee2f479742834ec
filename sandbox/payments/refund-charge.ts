import { requireMove } from '@/sandbox/machine'
import { objectOperation } from '@/sandbox/operation'
import { paymentDateOf } from '@/sandbox/store/clock'
import { fieldProblem, findPayment, requireDateToCome, requireFreeReference } from './find-payment'
import { newPayment } from './new-payment'
import { stateOf } from './payment'
import { refundBody } from './payment-bodies'
import { paymentMachine } from './payment-moves'
import { payout } from './payment-schema'
import { payoutView } from './payment-view'

/**
 * `POST /v1/charges/{id}/refund`: pays a paid charge back, wholly or partly, and returns the refunding payout. The charge stays paid. A
 * second refund is accepted too; the service's check cancels it shortly after (provider-facts 3.1).
 */
export const refundCharge = objectOperation({
  id: 'charges.refund',
  method: 'POST',
  path: '/v1/charges/:id/refund',
  summary: 'Refund a paid charge',
  account: 'optional',
  status: 201,
  input: refundBody,
  output: payout,
  handle: (call) => {
    const { sandbox, now, input } = call
    const original = findPayment('charge', call)
    const amount = input.amount ?? original.amount
    const payment_date = input.payment_date ?? paymentDateOf(now)
    if (amount > original.amount) throw fieldProblem('amount', `must be at most ${original.amount}, the amount of the charge`)
    requireDateToCome(payment_date, now)
    if (input.external_id) requireFreeReference(sandbox, 'payout', input.external_id)
    requireMove(paymentMachine, 'refund', stateOf(original).status, 'charge')
    const { account, customer, paykey } = original
    const refund = newPayment(
      call,
      {
        ...{ type: 'payout', account, customer, paykey, amount, payment_date },
        description: input.description ?? original.description,
        external_id: input.external_id ?? undefined,
        doc: { device: original.doc.device, metadata: input.metadata ?? {}, config: { sandbox_outcome: 'standard' } },
      },
      { payment: original, as: 'refund' },
    )
    return payoutView(sandbox, refund)
  },
})

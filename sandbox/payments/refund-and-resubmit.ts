import { requireMove } from '@/sandbox/machine'
import { objectOperation } from '@/sandbox/operation'
import { paymentDateOf } from '@/sandbox/store/clock'
import { newPayment, refundBody, resubmitBody } from './create-payment'
import { fieldProblem, findPayment, requireDateToCome, requireFreeReference, requireNotOneTooMany } from './find-payment'
import { stateOf } from './payment'
import { paymentMachine } from './payment-moves'
import { paymentView, payoutView } from './payment-reads'
import { paymentSchemas, payout } from './payment-schema'
import type { PaymentType } from './payment-values'

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

/**
 * `POST /v1/charges/{id}/resubmit` and `POST /v1/payouts/{id}/resubmit`: repeats a payment that failed, was reversed or cancelled. A second
 * resubmit is accepted too; the service's check cancels it shortly after (provider-facts 3.1).
 */
export const resubmitPayment = (type: PaymentType) =>
  objectOperation({
    id: `${type}s.resubmit`,
    method: 'POST',
    path: `/v1/${type}s/:id/resubmit`,
    summary: `Repeat a ${type} that failed, was reversed or was cancelled`,
    account: 'optional',
    status: 201,
    input: resubmitBody,
    output: paymentSchemas[type],
    handle: (call) => {
      const { sandbox, now, input } = call
      const original = findPayment(type, call)
      const payment_date = input.payment_date ?? paymentDateOf(now)
      requireDateToCome(payment_date, now)
      if (input.external_id) requireFreeReference(sandbox, type, input.external_id)
      requireMove(paymentMachine, 'resubmit', stateOf(original).status, type)
      requireNotOneTooMany(sandbox, original)
      const { account, customer, paykey, amount } = original
      const { device, metadata, consent_type, config } = original.doc
      const resubmitted = newPayment(
        call,
        {
          ...{ type, account, customer, paykey, amount, payment_date },
          description: input.description ?? original.description,
          external_id: input.external_id ?? undefined,
          // A resubmit has the `standard` outcome, whatever the original's was (provider-facts 2.2).
          doc: { device, metadata, consent_type, config: { sandbox_outcome: 'standard', balance_check: config.balance_check } },
        },
        { payment: original, as: 'resubmit' },
      )
      return paymentView(sandbox, resubmitted)
    },
  })

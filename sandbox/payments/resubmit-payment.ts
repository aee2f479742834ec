import { requireMove } from '@/sandbox/machine'
import { objectOperation } from '@/sandbox/operation'
import { paymentDateOf } from '@/sandbox/store/clock'
import { findPayment, requireDateToCome, requireFreeReference } from './find-payment'
import { newPayment } from './new-payment'
import { requireNotOneTooMany } from './original-of'
import { stateOf } from './payment'
import { resubmitBody } from './payment-bodies'
import { paymentMachine } from './payment-moves'
import { paymentSchemas } from './payment-schema'
import type { PaymentType } from './payment-values'
import { paymentView } from './payment-view'

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

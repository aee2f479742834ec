import type { z } from 'zod'
import { requireMove } from '@/sandbox/machine'
import type { OperationCall } from '@/sandbox/operation'
import { toPaymentDate } from '@/sandbox/store/clock'
import { insertPayment, type refundBodySchema, type resubmitBodySchema } from './create-payment'
import {
  makeFieldProblem,
  requireNoDuplicate,
  requireTodayOrLater,
  requireUnusedExternalId,
} from './find-payment'
import { getCurrentState, type Payment } from './payment'
import { paymentMachine } from './payment-moves'

/**
 * Creates a payout that refunds a paid charge, wholly or partly. The charge stays paid. If it
 * already has a refund, the new one is created too, but its first check cancels it (provider-facts
 * 3.1).
 */
export function refundCharge(
  original: Payment,
  call: OperationCall<unknown, z.infer<typeof refundBodySchema>>,
): Payment {
  const { sandbox, now, input } = call
  const refundAmount = input.amount ?? original.amount
  const payment_date = input.payment_date ?? toPaymentDate(now)
  if (refundAmount > original.amount)
    throw makeFieldProblem('amount', `must be at most ${original.amount}, the amount of the charge`)
  requireTodayOrLater(payment_date, now)
  if (input.external_id) requireUnusedExternalId(sandbox, 'payout', input.external_id)
  requireMove(paymentMachine, 'refund', getCurrentState(original).status, 'charge')
  const { account, customer, paykey } = original
  return insertPayment(
    call,
    {
      ...{ type: 'payout', account, customer, paykey, amount: refundAmount, payment_date },
      description: input.description ?? original.description,
      external_id: input.external_id ?? undefined,
      doc: {
        device: original.doc.device,
        metadata: input.metadata ?? {},
        config: { sandbox_outcome: 'standard' },
      },
    },
    { payment: original, as: 'refund' },
  )
}

/** A second resubmit is also created, but its first check cancels it (provider-facts 3.1). */
export function resubmitPayment(
  original: Payment,
  call: OperationCall<unknown, z.infer<typeof resubmitBodySchema>>,
): Payment {
  const { sandbox, now, input } = call
  const { type, account, customer, paykey, amount } = original
  const payment_date = input.payment_date ?? toPaymentDate(now)
  requireTodayOrLater(payment_date, now)
  if (input.external_id) requireUnusedExternalId(sandbox, type, input.external_id)
  requireMove(paymentMachine, 'resubmit', getCurrentState(original).status, type)
  requireNoDuplicate(sandbox, original)
  const { device, metadata, consent_type, config } = original.doc
  return insertPayment(
    call,
    {
      ...{ type, account, customer, paykey, amount, payment_date },
      description: input.description ?? original.description,
      external_id: input.external_id ?? undefined,
      // The outcome is `standard`, even if the original has another (provider-facts 2.2).
      doc: {
        device,
        metadata,
        consent_type,
        config: { sandbox_outcome: 'standard', balance_check: config.balance_check },
      },
    },
    { payment: original, as: 'resubmit' },
  )
}

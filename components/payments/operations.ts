import type { PaymentKind } from '@/lib/domain/payment-kind'
import type { PaymentAction } from '@/lib/domain/payment-rules'
import type { WriteId } from '@/lib/operations/service-operations'

/** The ids are written out and not composed, so that a text search finds them. */
export const paymentOperations = {
  charge: {
    create: 'charges.create',
    unmask: 'charges.unmask',
    update: 'charges.update',
    hold: 'charges.hold',
    release: 'charges.release',
    cancel: 'charges.cancel',
    resubmit: 'charges.resubmit',
    refund: 'charges.refund',
    authorize: 'charges.authorize',
  },
  payout: {
    create: 'payouts.create',
    unmask: 'payouts.unmask',
    update: 'payouts.update',
    hold: 'payouts.hold',
    release: 'payouts.release',
    cancel: 'payouts.cancel',
    resubmit: 'payouts.resubmit',
    // Only a charge can be refunded. For a payout the payment rules disable the action.
    refund: 'charges.refund',
    authorize: 'payouts.authorize',
  },
} as const

/** The return type is the general `WriteId`, which the action bar needs. */
export const getPaymentOperation = (kind: PaymentKind, action: PaymentAction): WriteId =>
  paymentOperations[kind][action]

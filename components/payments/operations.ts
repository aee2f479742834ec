import type { PaymentKind } from '@/lib/domain/payment-kind'
import type { PaymentAction } from '@/lib/domain/payment-rules'
import type { WriteId } from '@/lib/operations/service-operations'

/** Operations by kind, written out so that they can be found by text search. */
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
    // Only a charge can be refunded; the payment rules disable it for a payout before any request.
    refund: 'charges.refund',
    authorize: 'payouts.authorize',
  },
} as const

/** Returns the operation of an action, typed as any write. */
export const operationOf = (kind: PaymentKind, action: PaymentAction): WriteId => paymentOperations[kind][action]

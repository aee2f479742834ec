import type { PaymentKind } from '@/lib/domain/payment-kind'
import type { PaymentAction } from '@/lib/domain/payment-rules'
import type { WriteId } from '@/lib/operations/service-operations'

/** The operations of each kind, written out, so that they can be found by their names. */
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
    // A refund is a charge's alone; the rules close it for a payout before anything is asked.
    refund: 'charges.refund',
    authorize: 'payouts.authorize',
  },
} as const

/** The operation of an action, for where any action will do. */
export const operationOf = (kind: PaymentKind, action: PaymentAction): WriteId => paymentOperations[kind][action]

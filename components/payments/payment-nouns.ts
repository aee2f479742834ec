import type { RecordNouns } from '@/components/kits/record/record-failed'
import type { PaymentKind } from '@/lib/domain/payment-kind'

/** What a kind of payment is called on the screen. */
export type PaymentNouns = RecordNouns & {
  resource: 'payouts' | 'charges'
  title: string
  /** Money goes `to` a customer or comes `from` one. */
  way: 'to' | 'from'
  /** The head of the column of payment dates. */
  on: string
  /** What is done with the amount, as a button says it. */
  verb: string
}

/** The words of both kinds. */
export const paymentNouns: Readonly<Record<PaymentKind, PaymentNouns>> = {
  payout: { resource: 'payouts', one: 'payout', many: 'payouts', title: 'Payout', way: 'to', on: 'Pay on', verb: 'Pay out' },
  charge: { resource: 'charges', one: 'charge', many: 'charges', title: 'Charge', way: 'from', on: 'Charge on', verb: 'Charge' },
}

import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import { PaymentParties } from './payment-parties'
import { PaymentRecord } from './payment-record'
import { RecentPayments } from './recent-payments'
import type { PaymentFacts } from './use-payment-facts'

type PaymentBackgroundProps = { kind: PaymentKind; payment: Payment; facts: PaymentFacts; account: string | null }

/** Who stands behind a payment, what moved on the same bank account lately, and the record's ids. */
export const PaymentBackground = ({ kind, payment, facts, account }: PaymentBackgroundProps) => (
  <>
    <PaymentParties payment={payment} facts={facts} />
    <RecentPayments kind={kind} payment={payment} recent={facts.recent} />
    <PaymentRecord kind={kind} payment={payment} account={account} />
  </>
)

import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import { ChainStrip } from './chain-strip'
import { GraphStrip } from './graph-strip'
import type { PaymentFacts } from './use-payment-facts'

type PaymentRelationsProps = { kind: PaymentKind; payment: Payment; facts: PaymentFacts; account: string | null }

/** What a payment hangs together with: others made of it, and the way its money takes. */
export const PaymentRelations = ({ kind, payment, facts, account }: PaymentRelationsProps) => (
  <>
    {payment.related_payments.length > 0 && <ChainStrip kind={kind} payment={payment} account={account} />}
    <GraphStrip kind={kind} payment={payment} facts={facts} account={account} />
  </>
)

import type { OpenForm } from '@/components/kits/action/action-area'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import type { PaymentAction } from '@/lib/domain/payment-rules'

/** What the form of an action on a payment is drawn from. */
export type PaymentFormProps = OpenForm & {
  kind: PaymentKind
  payment: Payment
  account: string
  snapshot: string | undefined
  correlationId: string
  /** What must be ticked, by the action it warns of. */
  cautions: Partial<Readonly<Record<PaymentAction, readonly string[]>>>
}

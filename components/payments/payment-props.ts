import type { RecordProps } from '@/components/kits/record/record-panel'
import type { CallAnswer } from '@/lib/client/request'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'

/** What the panel of a charge or a payout is drawn from. */
export type PaymentProps = Omit<RecordProps<'payouts.get'>, 'answer'> & { kind: PaymentKind; answer: CallAnswer<Payment> }

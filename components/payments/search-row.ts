import { sourceText } from '@/lib/domain/source-text'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { type PaymentRow, rowOf } from './payment-row'

/** A row of the search over charges and payouts. */
export type SearchRow = PaymentRow & {
  type: string
  effective_at: string | undefined
  updated_at: string | undefined
  external_id: string | undefined
  description: string | undefined
  source: string
  funding: readonly string[]
}

/** A payment of the search as a row. */
export const searchRowOf = (payment: PaymentSummary, account: string | null): SearchRow => ({
  ...rowOf(payment, account),
  type: payment.payment_type,
  effective_at: payment.effective_at,
  updated_at: payment.updated_at,
  external_id: payment.external_id,
  description: payment.description,
  source: sourceText(payment.status_details?.source),
  funding: payment.funding_ids,
})

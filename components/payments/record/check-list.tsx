'use client'

import { useNow } from '@/components/kits/layout/browser-state'
import { usePageContext } from '@/components/kits/layout/page-context'
import { CheckResultList } from '@/components/kits/record/check-list'
import type { CheckResult } from '@/lib/domain/check'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import { createPaymentChecks } from '@/lib/features/payments/checks'
import type { PaymentRelatedReads } from './use-facts'

/**
 * The data that the checks of a payment need: the payment, the ISO time of its read, and the data
 * shown beside it (`facts`).
 */
export type PaymentCheckData = {
  kind: PaymentKind
  payment: Payment
  readAt: string
  facts: PaymentRelatedReads
}

export function usePaymentChecks({
  kind,
  payment,
  readAt,
  facts,
}: PaymentCheckData): CheckResult[] {
  const { amountUnit: unit } = usePageContext()
  return createPaymentChecks({ kind, payment, readAt, now: useNow(), unit, ...facts })
}

export const PaymentCheckList = (props: PaymentCheckData) => (
  <CheckResultList checks={usePaymentChecks(props)} />
)

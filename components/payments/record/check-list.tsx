'use client'

import { useNow } from '@/components/kits/layout/browser-state'
import { usePageContext } from '@/components/kits/layout/page-context'
import { CheckList } from '@/components/kits/record/check-list'
import type { Check } from '@/lib/domain/check'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import { createPaymentChecks } from '@/lib/features/payments/checks'
import type { PaymentFacts } from './use-facts'

/** A payment and the reads that its checks need. */
export type CheckedPayment = { kind: PaymentKind; payment: Payment; readAt: string; facts: PaymentFacts }

export function usePaymentChecks({ kind, payment, readAt, facts }: CheckedPayment): Check[] {
  const { amountUnit: unit } = usePageContext()
  return createPaymentChecks({ kind, payment, readAt, now: useNow(), unit, ...facts })
}

export const PaymentCheckList = (checked: CheckedPayment) => <CheckList checks={usePaymentChecks(checked)} />

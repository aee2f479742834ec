'use client'

import { useNow } from '@/components/kits/layout/browser-state'
import { usePageContext } from '@/components/kits/layout/page-context'
import { CheckList } from '@/components/kits/record/check-list'
import type { Check } from '@/lib/domain/loadable'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import { paymentChecks } from '@/lib/features/payments/checks'
import type { PaymentFacts } from './use-facts'

/** A payment and what was read around it, which its checks look at. */
export type CheckedPayment = { kind: PaymentKind; payment: Payment; readAt: string; facts: PaymentFacts }

/** The checks of a payment as they come out now. */
export function usePaymentChecks({ kind, payment, readAt, facts }: CheckedPayment): Check[] {
  const { amountUnit: unit } = usePageContext()
  return paymentChecks({ kind, payment, readAt, now: useNow(), unit, ...facts })
}

/** What speaks for and against acting on a payment, check by check. */
export const PaymentCheckList = (checked: CheckedPayment) => <CheckList checks={usePaymentChecks(checked)} />

'use client'

import type { PaymentCheckData } from '@/components/payments/record/check-list'
import { useHoldExplanation } from '@/components/payments/record/use-hold-explanation'
import type { CheckResult } from '@/lib/domain/check'
import { listPaymentReasons, type PaymentDecision } from '@/lib/domain/payment-reasons'
import type { DecisionReason } from '@/lib/domain/reasons'
import { toPaymentReasonFacts } from '@/lib/features/payments/form'

/** Returns a function that lists the reasons of a decision. They fit the hold and the checks. */
export function usePaymentReasons(
  { kind, payment, facts }: PaymentCheckData,
  checks: readonly CheckResult[],
): (decision: PaymentDecision) => readonly DecisionReason[] {
  const { held } = useHoldExplanation(kind, payment, facts)
  const hold = payment.status === 'on_hold' ? held : null
  const reasonFacts = toPaymentReasonFacts(payment, checks, hold?.id ?? null)
  return (decision) => listPaymentReasons(decision, reasonFacts, hold?.reasons ?? null)
}

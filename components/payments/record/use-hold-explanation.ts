'use client'

import { usePageContext } from '@/components/kits/layout/page-context'
import { isLoading, type ReadResult } from '@/lib/domain/check'
import {
  explainHold,
  type HeldPaymentFacts,
  type HoldExplanation,
} from '@/lib/domain/holds/explain-hold'
import {
  findMissingFacts,
  toHeldPaymentFacts,
  toHeldPaymentPaykey,
} from '@/lib/domain/holds/limit-checks'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import { resourceByKind } from '@/lib/domain/payment-kind'
import { toMinorUnits } from '@/lib/money'
import type { PaymentRelatedReads } from './use-facts'

/**
 * Returns the reason of a hold. `settled` is false while a read that can change the reason is
 * loading.
 */
export function useHoldExplanation(
  kind: PaymentKind,
  payment: Payment,
  { paykey, account, spent }: PaymentRelatedReads,
): { held: HoldExplanation; settled: boolean } {
  const { amountUnit } = usePageContext()
  const facts: HeldPaymentFacts = {
    ...toHeldPaymentFacts(payment),
    details: payment.status_details,
    paykey: paykey.data && toHeldPaymentPaykey(paykey.data),
    amount: toMinorUnits(payment.amount, amountUnit),
    limits: account.data?.settings?.[resourceByKind[kind]],
    spent: spent.data,
  }
  const missingFacts = findMissingFacts(facts)
  const isFactPending = (needed: boolean, fact: ReadResult<unknown>) => needed && isLoading(fact)
  const areFactsLoaded = !(
    isFactPending(missingFacts.paykey, paykey) ||
    isFactPending(missingFacts.limits, account) ||
    isFactPending(missingFacts.sums, spent)
  )
  return { held: explainHold(facts), settled: areFactsLoaded }
}

import type { Paykey, PaykeyReview } from '@/lib/operations/paykeys.schema'

/**
 * Whether the balance that was asked for has come: the service marks it `pending` until then and writes a new time with the result, be it an
 * amount or a failure (provider facts 1.3, 2.8).
 */
export function balanceCame(before: Paykey, now: Paykey): boolean {
  return now.balance?.status !== 'pending' && now.balance?.updated_at !== before.balance?.updated_at
}

/** Whether the verification that was asked for has run: its evidence has a new time, or it moved the paykey. */
export function reviewCame(before: PaykeyReview, now: PaykeyReview): boolean {
  const changed = before.verification_details?.updated_at !== now.verification_details?.updated_at
  return changed || before.paykey_details.status !== now.paykey_details.status
}

/** What came of a balance that was asked for, in a sentence. */
export function balanceResult({ balance }: Paykey): string {
  if (balance?.status === 'completed') return 'The bank answered: the balance is new.'
  if (balance?.status === 'failed') return 'The bank gave no balance. What was known before stays.'
  return 'The service answered, but not with a balance.'
}

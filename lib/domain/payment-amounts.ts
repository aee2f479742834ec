import { centsOf, formatMinor } from '@/lib/money'

/** The most one payment can carry: 32 bits of cents (provider facts 2.19). */
const most = 2_147_483_647

/** What is wrong with a typed amount, by field name; empty where nothing is. */
export function amountFault(typed: string): { amount?: string } {
  const cents = centsOf(typed)
  if (cents === null) return { amount: typed.trim() === '' ? 'type an amount' : 'must be an amount like 1,250.00' }
  if (cents < 1) return { amount: 'must be more than zero' }
  return cents > most ? { amount: `must be at most ${formatMinor(most)}` } : {}
}

/** The same for a refund, which is bounded by what was charged (in minor units; null where that cannot be read). */
export function refundAmountFault(typed: string, charged: number | null): { amount?: string } {
  const fault = amountFault(typed)
  if (fault.amount || charged === null) return fault
  return (centsOf(typed) ?? 0) > charged ? { amount: `must be at most ${formatMinor(charged)}, the amount of the charge` } : {}
}

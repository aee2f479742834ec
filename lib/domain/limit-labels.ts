import type * as z from 'zod'
import { moneyText } from '@/lib/money'
import type { limits } from '@/lib/operations/accounts.schema'

/** The limits of each payment type that can be changed by a request (interface document, "Limits"). All but the count are cents. */
export const limitNames = ['max_amount', 'daily_amount', 'monthly_amount', 'monthly_count'] as const

/** The payment types with limits (interface document, "Limits"). */
export const limitTypes = ['charges', 'payouts'] as const

export type LimitType = (typeof limitTypes)[number]

export type LimitName = (typeof limitNames)[number]

/** The limits of one payment type as the service sends them. Amounts are minor units; `monthly_count` counts payments. */
type Limits = NonNullable<z.output<typeof limits>>

/** The four limits. A missing one is undefined. */
export type LimitSet = Partial<Record<LimitName, number>>

/** Picks the four limits from a settings object. */
export const toLimitSet = (settings: Partial<Limits> | undefined): LimitSet =>
  Object.fromEntries(limitNames.flatMap((name) => (settings?.[name] === undefined ? [] : [[name, settings[name]]])))

export const typeWords: Readonly<Record<LimitType, { one: string; many: string; title: string; payment: 'charge' | 'payout' }>> = {
  charges: { one: 'charge', many: 'charges', title: 'Charges', payment: 'charge' },
  payouts: { one: 'payout', many: 'payouts', title: 'Payouts', payment: 'payout' },
}

/** Each limit in words: its label, and its phrase within a sentence. */
export const limitWords: Readonly<Record<LimitName, { label: string; span: string; counts: boolean }>> = {
  max_amount: { label: 'Per payment', span: 'in one payment', counts: false },
  daily_amount: { label: 'Per day', span: 'in a day', counts: false },
  monthly_amount: { label: 'Per month', span: 'in a calendar month', counts: false },
  monthly_count: { label: 'Payments per month', span: 'payments in a calendar month', counts: true },
}

/** Formats a limit: `5,000.00`, a plain count, or "not stated". */
export function limitText(name: LimitName, value: number | undefined): string {
  if (value === undefined) return 'not stated'
  return limitWords[name].counts ? value.toLocaleString('en-US') : moneyText(value)
}

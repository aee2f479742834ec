import type * as z from 'zod'
import { formatMinor } from '@/lib/money'
import type { limits } from '@/lib/operations/accounts.schema'

/** The limits an account has for each payment type and may ask to change (interface document, "Limits"); cents, and a count. */
export const limitNames = ['max_amount', 'daily_amount', 'monthly_amount', 'monthly_count'] as const

/** What has limits of its own (interface document, "Limits"). */
export const limitTypes = ['charges', 'payouts'] as const

/** One of the two payment types that have limits. */
export type LimitType = (typeof limitTypes)[number]

/** The name of a limit, as the service writes it. */
export type LimitName = (typeof limitNames)[number]

/** The limits of one payment type as the service gave them; amounts in minor units, `monthly_count` counts payments. */
type Limits = NonNullable<z.output<typeof limits>>

/** The four limits alone; one the service left out is undefined. */
export type LimitSet = Partial<Record<LimitName, number>>

/** The four limits out of a settings object; what is no limit stays behind. */
export const limitSetOf = (settings: Partial<Limits> | undefined): LimitSet =>
  Object.fromEntries(limitNames.flatMap((name) => (settings?.[name] === undefined ? [] : [[name, settings[name]]])))

/** The payment type in words, as a heading writes it. */
export const typeWords: Readonly<Record<LimitType, { one: string; many: string; title: string; payment: 'charge' | 'payout' }>> = {
  charges: { one: 'charge', many: 'charges', title: 'Charges', payment: 'charge' },
  payouts: { one: 'payout', many: 'payouts', title: 'Payouts', payment: 'payout' },
}

/** Each limit in words: its name, and how a sentence says it. */
export const limitWords: Readonly<Record<LimitName, { label: string; span: string; counts: boolean }>> = {
  max_amount: { label: 'Per payment', span: 'in one payment', counts: false },
  daily_amount: { label: 'Per day', span: 'in a day', counts: false },
  monthly_amount: { label: 'Per month', span: 'in a calendar month', counts: false },
  monthly_count: { label: 'Payments per month', span: 'payments in a calendar month', counts: true },
}

/** A limit's value for people: `5,000.00`, or a plain count; a limit nobody stated is "not stated". */
export function limitText(name: LimitName, value: number | undefined): string {
  if (value === undefined) return 'not stated'
  return limitWords[name].counts ? value.toLocaleString('en-US') : formatMinor(value)
}

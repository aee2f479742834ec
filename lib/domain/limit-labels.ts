import type * as z from 'zod'
import { moneyText } from '@/lib/money'
import type { paymentLimits } from '@/lib/operations/accounts.schema'

/** Limits that a request can change (interface document, "Limits"). All but the count are cents. */
export const limitNames = ['max_amount', 'daily_amount', 'monthly_amount', 'monthly_count'] as const

export const limitedPaymentTypes = ['charges', 'payouts'] as const

export type LimitedPaymentType = (typeof limitedPaymentTypes)[number]

export type LimitName = (typeof limitNames)[number]

type ServiceLimits = NonNullable<z.output<typeof paymentLimits>>

/** A limit that the service did not send is undefined. */
export type LimitSet = Partial<Record<LimitName, number>>

export const toLimitSet = (settings: Partial<ServiceLimits> | undefined): LimitSet =>
  Object.fromEntries(
    limitNames.flatMap((name) => (settings?.[name] === undefined ? [] : [[name, settings[name]]])),
  )

export const paymentTypeNouns: Readonly<
  Record<
    LimitedPaymentType,
    { one: string; many: string; title: string; payment: 'charge' | 'payout' }
  >
> = {
  charges: { one: 'charge', many: 'charges', title: 'Charges', payment: 'charge' },
  payouts: { one: 'payout', many: 'payouts', title: 'Payouts', payment: 'payout' },
}

/** `span` is the phrase for a sentence. `counts`: the limit is a number of payments. */
export const limitWords: Readonly<
  Record<LimitName, { label: string; span: string; counts: boolean }>
> = {
  max_amount: { label: 'Per payment', span: 'in one payment', counts: false },
  daily_amount: { label: 'Per day', span: 'in a day', counts: false },
  monthly_amount: { label: 'Per month', span: 'in a calendar month', counts: false },
  monthly_count: {
    label: 'Payments per month',
    span: 'payments in a calendar month',
    counts: true,
  },
}

export function formatLimitValue(name: LimitName, value: number | undefined): string {
  if (value === undefined) return 'not stated'
  return limitWords[name].counts ? value.toLocaleString('en-US') : moneyText(value)
}

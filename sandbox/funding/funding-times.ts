import type { Limits } from '@/sandbox/accounts/account'
import { forcedBy } from '@/sandbox/payments/payment-outcomes'
import { dayNumber } from '@/sandbox/payments/payment-table'
import { waits } from '@/sandbox/payments/payment-times'
import { paymentDateOf } from '@/sandbox/store/clock'
import type { FundingEvent } from './funding-event'

const aMinute = 60_000
const dayInMs = 86_400_000

/** Milliseconds from the first waiting payment to the event that collects it and later ones. */
export const collectAfter = aMinute

/** Banking days from the creation of an event until its money arrives, by the account's `funding_time`. */
const bankingDays: Readonly<Record<Limits['funding_time'], number>> = {
  immediate: 0,
  ...{ next_day: 1, one_day: 1, two_day: 2, three_day: 3, four_day: 4, five_day: 5 },
}

// Day 0 of the count, January 1, 1970, was a Thursday.
const isWeekend = (day: number): boolean => [2, 3].includes(day % 7)

/** Returns the date in New York on which money sent at `at` arrives. Skips Saturdays and Sundays, but not holidays. */
export function transferDateOf(at: number, fundingTime: Limits['funding_time']): string {
  let day = dayNumber(paymentDateOf(at))
  let daysLeft = bankingDays[fundingTime]
  while (daysLeft > 0 || isWeekend(day)) {
    day += 1
    if (!isWeekend(day)) daysLeft -= 1
  }
  return new Date(day * dayInMs).toISOString().slice(0, 10)
}

/** 13:30 UTC, morning in New York: banks settle the day's first transfers. */
const settlesAt = (date: string): number => Date.parse(`${date}T13:30:00Z`)

/**
 * Returns the time of an event's next clock move, or undefined if there is none. With the `standard` outcome, money arrives on the morning
 * of its transfer date; with any other, after a minute.
 */
export function nextFundingLookAt({ status, status_details, config, transfer_date }: FundingEvent): number | undefined {
  const from = Date.parse(status_details.changed_at)
  switch (status) {
    case 'created':
      return from + waits.check
    case 'pending':
      return config.sandbox_outcome === 'standard' ? Math.max(from + aMinute, settlesAt(transfer_date)) : from + aMinute
    case 'paid':
      return forcedBy(config.sandbox_outcome)?.move === 'reverse' ? from + waits.reverse : undefined
    default:
      return undefined
  }
}

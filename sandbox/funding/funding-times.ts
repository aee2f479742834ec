import type { Limits } from '@/sandbox/accounts/account'
import { forcedBy } from '@/sandbox/payments/payment-outcomes'
import { dayNumber } from '@/sandbox/payments/payment-table'
import { waits } from '@/sandbox/payments/payment-times'
import { paymentDateOf } from '@/sandbox/store/clock'
import type { FundingEvent } from './funding-event'

const aMinute = 60_000
const dayInMs = 86_400_000

/** From the first payment that waits for funding to the event that collects it and what came after it. */
export const collectAfter = aMinute

/** Banking days from the making of an event to the day its money arrives, by the account's `funding_time`. */
const bankingDays: Readonly<Record<Limits['funding_time'], number>> = {
  immediate: 0,
  ...{ next_day: 1, one_day: 1, two_day: 2, three_day: 3, four_day: 4, five_day: 5 },
}

// Day 0 of the count, 1 January 1970, was a Thursday.
const isWeekend = (day: number): boolean => [2, 3].includes(day % 7)

/** The calendar date in New York on which money sent at `at` arrives. Banks rest on Saturday and Sunday; holidays are left out. */
export function transferDateOf(at: number, fundingTime: Limits['funding_time']): string {
  let day = dayNumber(paymentDateOf(at))
  let left = bankingDays[fundingTime]
  while (left > 0 || isWeekend(day)) {
    day += 1
    if (!isWeekend(day)) left -= 1
  }
  return new Date(day * dayInMs).toISOString().slice(0, 10)
}

/** Half past one UTC in the afternoon, which is the morning in New York: when banks settle the day's first transfers. */
const settlesAt = (date: string): number => Date.parse(`${date}T13:30:00Z`)

/**
 * When the clock has to look at an event next, or undefined when all is over. Without an outcome asked for, money arrives on the morning
 * of its transfer date; with one, it takes a minute.
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

import { z } from 'zod'
import { toIsoTime } from '@/sandbox/store/clock'
import type { Random } from '@/sandbox/store/random'

const nullableCount = z.int().min(0).nullable()
const nullableCents = z.int().min(0).nullable()
const nullableDates = z.array(z.iso.date()).nullable()

/** Reports of other network members. A field is null without reports (provider-facts 2.11). */
export const insightsSchema = z
  .strictObject({
    ach_fraud_transactions_count: nullableCount,
    ach_fraud_transactions_total_amount: nullableCents,
    ach_fraud_transactions_dates: nullableDates,
    ach_returned_transactions_count: nullableCount,
    ach_returned_transactions_total_amount: nullableCents,
    ach_returned_transactions_dates: nullableDates,
    card_fraud_transactions_count: nullableCount,
    card_fraud_transactions_total_amount: nullableCents,
    card_fraud_transactions_dates: nullableDates,
    card_disputed_transactions_count: nullableCount,
    card_disputed_transactions_total_amount: nullableCents,
    card_disputed_transactions_dates: nullableDates,
    card_stopped_transactions_count: nullableCount,
    card_stopped_transactions_dates: nullableDates,
    accounts_count: nullableCount,
    accounts_active_count: nullableCount,
    accounts_closed_count: nullableCount,
    accounts_closed_dates: nullableDates,
    accounts_fraud_count: nullableCount,
    accounts_fraud_loss_total_amount: nullableCents,
    accounts_fraud_labeled_dates: nullableDates,
    applications_count: nullableCount,
    applications_dates: nullableDates,
    applications_approved_count: nullableCount,
    applications_declined_count: nullableCount,
    applications_fraud_count: nullableCount,
    user_institution_count: nullableCount,
    user_dob_count: nullableCount,
    user_mobile_count: nullableCount,
    user_email_count: nullableCount,
    user_address_count: nullableCount,
    user_active_profile_count: nullableCount,
    user_closed_profile_count: nullableCount,
  })
  .meta({ id: 'ReputationInsights' })

type ReputationInsights = z.infer<typeof insightsSchema>

const dayInMs = 86_400_000

function makeDatesBefore(random: Random, at: number, count: number): string[] {
  const agesInDays = Array.from({ length: count }, () => random.int(20, 700)).sort(
    (left, right) => left - right,
  )
  return agesInDays.map((days) => toIsoTime(at - days * dayInMs).slice(0, 10))
}

const unreportedInsights = {
  ...{
    ach_fraud_transactions_count: null,
    ach_fraud_transactions_total_amount: null,
    ach_fraud_transactions_dates: null,
  },
  ...{
    ach_returned_transactions_count: null,
    ach_returned_transactions_total_amount: null,
    ach_returned_transactions_dates: null,
  },
  ...{
    card_fraud_transactions_count: null,
    card_fraud_transactions_total_amount: null,
    card_fraud_transactions_dates: null,
  },
  ...{
    card_disputed_transactions_count: null,
    card_disputed_transactions_total_amount: null,
    card_disputed_transactions_dates: null,
  },
  ...{ card_stopped_transactions_count: null, card_stopped_transactions_dates: null },
  ...{ accounts_closed_count: null, accounts_closed_dates: null, accounts_fraud_count: null },
  ...{ accounts_fraud_loss_total_amount: null, accounts_fraud_labeled_dates: null },
  ...{ applications_declined_count: null, applications_fraud_count: null },
} as const

export function makeCleanInsights(random: Random, at: number): ReputationInsights {
  const accountCount = random.int(1, 4)
  return {
    ...unreportedInsights,
    ...{ accounts_count: accountCount, accounts_active_count: accountCount },
    ...{
      applications_count: accountCount,
      applications_dates: makeDatesBefore(random, at, accountCount),
      applications_approved_count: accountCount,
    },
    ...{
      user_institution_count: accountCount,
      user_dob_count: 1,
      user_mobile_count: 1,
      user_email_count: random.int(1, 2),
    },
    ...{
      user_address_count: random.int(1, 2),
      user_active_profile_count: accountCount,
      user_closed_profile_count: 0,
    },
  }
}

export function makeBadInsights(random: Random, at: number): ReputationInsights {
  const returnedCount = random.int(2, 6)
  const disputedCount = random.int(1, 3)
  const closedCount = random.int(1, 3)
  const activeCount = random.int(1, 2)
  const declinedCount = random.int(1, 3)
  const totalAccountCount = activeCount + closedCount
  return {
    ach_fraud_transactions_count: 1,
    ach_fraud_transactions_total_amount: random.int(20_000, 180_000),
    ach_fraud_transactions_dates: makeDatesBefore(random, at, 1),
    ach_returned_transactions_count: returnedCount,
    ach_returned_transactions_total_amount: returnedCount * random.int(5_000, 90_000),
    ach_returned_transactions_dates: makeDatesBefore(random, at, returnedCount),
    ...{
      card_fraud_transactions_count: 0,
      card_fraud_transactions_total_amount: 0,
      card_fraud_transactions_dates: [],
    },
    card_disputed_transactions_count: disputedCount,
    card_disputed_transactions_total_amount: disputedCount * random.int(2_000, 40_000),
    card_disputed_transactions_dates: makeDatesBefore(random, at, disputedCount),
    ...{
      card_stopped_transactions_count: 1,
      card_stopped_transactions_dates: makeDatesBefore(random, at, 1),
    },
    ...{ accounts_count: totalAccountCount, accounts_active_count: activeCount },
    ...{
      accounts_closed_count: closedCount,
      accounts_closed_dates: makeDatesBefore(random, at, closedCount),
    },
    ...{ accounts_fraud_count: 1, accounts_fraud_loss_total_amount: random.int(10_000, 400_000) },
    accounts_fraud_labeled_dates: makeDatesBefore(random, at, 1),
    ...{
      applications_count: totalAccountCount + declinedCount,
      applications_dates: makeDatesBefore(random, at, totalAccountCount + declinedCount),
    },
    ...{
      applications_approved_count: totalAccountCount,
      applications_declined_count: declinedCount,
      applications_fraud_count: random.int(0, 1),
    },
    ...{
      user_institution_count: totalAccountCount,
      user_dob_count: random.int(1, 2),
      user_mobile_count: random.int(2, 4),
    },
    ...{ user_email_count: random.int(2, 5), user_address_count: random.int(2, 4) },
    ...{ user_active_profile_count: activeCount, user_closed_profile_count: closedCount },
  }
}

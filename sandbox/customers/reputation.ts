import { z } from 'zod'
import { toIsoTime } from '@/sandbox/store/clock'
import type { Random } from '@/sandbox/store/random'

const nullableCountSchema = z.int().min(0).nullable()
const nullableCentsSchema = z.int().min(0).nullable()
const nullableDatesSchema = z.array(z.iso.date()).nullable()

/** Reports of other network members. A field is null without reports (provider-facts 2.11). */
export const reputationInsightsSchema = z
  .strictObject({
    ach_fraud_transactions_count: nullableCountSchema,
    ach_fraud_transactions_total_amount: nullableCentsSchema,
    ach_fraud_transactions_dates: nullableDatesSchema,
    ach_returned_transactions_count: nullableCountSchema,
    ach_returned_transactions_total_amount: nullableCentsSchema,
    ach_returned_transactions_dates: nullableDatesSchema,
    card_fraud_transactions_count: nullableCountSchema,
    card_fraud_transactions_total_amount: nullableCentsSchema,
    card_fraud_transactions_dates: nullableDatesSchema,
    card_disputed_transactions_count: nullableCountSchema,
    card_disputed_transactions_total_amount: nullableCentsSchema,
    card_disputed_transactions_dates: nullableDatesSchema,
    card_stopped_transactions_count: nullableCountSchema,
    card_stopped_transactions_dates: nullableDatesSchema,
    accounts_count: nullableCountSchema,
    accounts_active_count: nullableCountSchema,
    accounts_closed_count: nullableCountSchema,
    accounts_closed_dates: nullableDatesSchema,
    accounts_fraud_count: nullableCountSchema,
    accounts_fraud_loss_total_amount: nullableCentsSchema,
    accounts_fraud_labeled_dates: nullableDatesSchema,
    applications_count: nullableCountSchema,
    applications_dates: nullableDatesSchema,
    applications_approved_count: nullableCountSchema,
    applications_declined_count: nullableCountSchema,
    applications_fraud_count: nullableCountSchema,
    user_institution_count: nullableCountSchema,
    user_dob_count: nullableCountSchema,
    user_mobile_count: nullableCountSchema,
    user_email_count: nullableCountSchema,
    user_address_count: nullableCountSchema,
    user_active_profile_count: nullableCountSchema,
    user_closed_profile_count: nullableCountSchema,
  })
  .meta({ id: 'ReputationInsights' })

type ReputationInsights = z.infer<typeof reputationInsightsSchema>

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
  const returnedTransactionCount = random.int(2, 6)
  const disputedTransactionCount = random.int(1, 3)
  const closedAccountCount = random.int(1, 3)
  const activeAccountCount = random.int(1, 2)
  const declinedApplicationCount = random.int(1, 3)
  const totalAccountCount = activeAccountCount + closedAccountCount
  return {
    ach_fraud_transactions_count: 1,
    ach_fraud_transactions_total_amount: random.int(20_000, 180_000),
    ach_fraud_transactions_dates: makeDatesBefore(random, at, 1),
    ach_returned_transactions_count: returnedTransactionCount,
    ach_returned_transactions_total_amount: returnedTransactionCount * random.int(5_000, 90_000),
    ach_returned_transactions_dates: makeDatesBefore(random, at, returnedTransactionCount),
    ...{
      card_fraud_transactions_count: 0,
      card_fraud_transactions_total_amount: 0,
      card_fraud_transactions_dates: [],
    },
    card_disputed_transactions_count: disputedTransactionCount,
    card_disputed_transactions_total_amount: disputedTransactionCount * random.int(2_000, 40_000),
    card_disputed_transactions_dates: makeDatesBefore(random, at, disputedTransactionCount),
    ...{
      card_stopped_transactions_count: 1,
      card_stopped_transactions_dates: makeDatesBefore(random, at, 1),
    },
    ...{ accounts_count: totalAccountCount, accounts_active_count: activeAccountCount },
    ...{
      accounts_closed_count: closedAccountCount,
      accounts_closed_dates: makeDatesBefore(random, at, closedAccountCount),
    },
    ...{ accounts_fraud_count: 1, accounts_fraud_loss_total_amount: random.int(10_000, 400_000) },
    accounts_fraud_labeled_dates: makeDatesBefore(random, at, 1),
    ...{
      applications_count: totalAccountCount + declinedApplicationCount,
      applications_dates: makeDatesBefore(random, at, totalAccountCount + declinedApplicationCount),
    },
    ...{
      applications_approved_count: totalAccountCount,
      applications_declined_count: declinedApplicationCount,
      applications_fraud_count: random.int(0, 1),
    },
    ...{
      user_institution_count: totalAccountCount,
      user_dob_count: random.int(1, 2),
      user_mobile_count: random.int(2, 4),
    },
    ...{ user_email_count: random.int(2, 5), user_address_count: random.int(2, 4) },
    ...{
      user_active_profile_count: activeAccountCount,
      user_closed_profile_count: closedAccountCount,
    },
  }
}

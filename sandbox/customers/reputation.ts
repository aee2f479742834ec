import { z } from 'zod'
import { iso } from '@/sandbox/store/clock'
import type { Random } from '@/sandbox/store/random'

const count = z.int().min(0).nullable()
const cents = z.int().min(0).nullable()
const dates = z.array(z.iso.date()).nullable()

/**
 * Reports by other members of the provider's network about a customer: 33 counters, each null if there are no reports (provider-facts
 * 2.11).
 */
export const insightsSchema = z
  .strictObject({
    ach_fraud_transactions_count: count,
    ach_fraud_transactions_total_amount: cents,
    ach_fraud_transactions_dates: dates,
    ach_returned_transactions_count: count,
    ach_returned_transactions_total_amount: cents,
    ach_returned_transactions_dates: dates,
    card_fraud_transactions_count: count,
    card_fraud_transactions_total_amount: cents,
    card_fraud_transactions_dates: dates,
    card_disputed_transactions_count: count,
    card_disputed_transactions_total_amount: cents,
    card_disputed_transactions_dates: dates,
    card_stopped_transactions_count: count,
    card_stopped_transactions_dates: dates,
    accounts_count: count,
    accounts_active_count: count,
    accounts_closed_count: count,
    accounts_closed_dates: dates,
    accounts_fraud_count: count,
    accounts_fraud_loss_total_amount: cents,
    accounts_fraud_labeled_dates: dates,
    applications_count: count,
    applications_dates: dates,
    applications_approved_count: count,
    applications_declined_count: count,
    applications_fraud_count: count,
    user_institution_count: count,
    user_dob_count: count,
    user_mobile_count: count,
    user_email_count: count,
    user_address_count: count,
    user_active_profile_count: count,
    user_closed_profile_count: count,
  })
  .meta({ id: 'ReputationInsights' })

type Insights = z.infer<typeof insightsSchema>

const dayInMs = 86_400_000

function datesBefore(random: Random, at: number, count: number): string[] {
  const ages = Array.from({ length: count }, () => random.int(20, 700)).sort((left, right) => left - right)
  return ages.map((days) => iso(at - days * dayInMs).slice(0, 10))
}

const unreported = {
  ...{ ach_fraud_transactions_count: null, ach_fraud_transactions_total_amount: null, ach_fraud_transactions_dates: null },
  ...{ ach_returned_transactions_count: null, ach_returned_transactions_total_amount: null, ach_returned_transactions_dates: null },
  ...{ card_fraud_transactions_count: null, card_fraud_transactions_total_amount: null, card_fraud_transactions_dates: null },
  ...{ card_disputed_transactions_count: null, card_disputed_transactions_total_amount: null, card_disputed_transactions_dates: null },
  ...{ card_stopped_transactions_count: null, card_stopped_transactions_dates: null },
  ...{ accounts_closed_count: null, accounts_closed_dates: null, accounts_fraud_count: null },
  ...{ accounts_fraud_loss_total_amount: null, accounts_fraud_labeled_dates: null },
  ...{ applications_declined_count: null, applications_fraud_count: null },
} as const

export function cleanInsights(random: Random, at: number): Insights {
  const accounts = random.int(1, 4)
  return {
    ...unreported,
    ...{ accounts_count: accounts, accounts_active_count: accounts },
    ...{ applications_count: accounts, applications_dates: datesBefore(random, at, accounts), applications_approved_count: accounts },
    ...{ user_institution_count: accounts, user_dob_count: 1, user_mobile_count: 1, user_email_count: random.int(1, 2) },
    ...{ user_address_count: random.int(1, 2), user_active_profile_count: accounts, user_closed_profile_count: 0 },
  }
}

export function stainedInsights(random: Random, at: number): Insights {
  const returned = random.int(2, 6)
  const disputed = random.int(1, 3)
  const closedCount = random.int(1, 3)
  const activeCount = random.int(1, 2)
  const declined = random.int(1, 3)
  const accounts = activeCount + closedCount
  return {
    ach_fraud_transactions_count: 1,
    ach_fraud_transactions_total_amount: random.int(20_000, 180_000),
    ach_fraud_transactions_dates: datesBefore(random, at, 1),
    ach_returned_transactions_count: returned,
    ach_returned_transactions_total_amount: returned * random.int(5_000, 90_000),
    ach_returned_transactions_dates: datesBefore(random, at, returned),
    ...{ card_fraud_transactions_count: 0, card_fraud_transactions_total_amount: 0, card_fraud_transactions_dates: [] },
    card_disputed_transactions_count: disputed,
    card_disputed_transactions_total_amount: disputed * random.int(2_000, 40_000),
    card_disputed_transactions_dates: datesBefore(random, at, disputed),
    ...{ card_stopped_transactions_count: 1, card_stopped_transactions_dates: datesBefore(random, at, 1) },
    ...{ accounts_count: accounts, accounts_active_count: activeCount },
    ...{ accounts_closed_count: closedCount, accounts_closed_dates: datesBefore(random, at, closedCount) },
    ...{ accounts_fraud_count: 1, accounts_fraud_loss_total_amount: random.int(10_000, 400_000) },
    accounts_fraud_labeled_dates: datesBefore(random, at, 1),
    ...{ applications_count: accounts + declined, applications_dates: datesBefore(random, at, accounts + declined) },
    ...{ applications_approved_count: accounts, applications_declined_count: declined, applications_fraud_count: random.int(0, 1) },
    ...{ user_institution_count: accounts, user_dob_count: random.int(1, 2), user_mobile_count: random.int(2, 4) },
    ...{ user_email_count: random.int(2, 5), user_address_count: random.int(2, 4) },
    ...{ user_active_profile_count: activeCount, user_closed_profile_count: closedCount },
  }
}

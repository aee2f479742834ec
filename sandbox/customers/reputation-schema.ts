import { z } from 'zod'

const count = z.int().min(0).nullable()
const cents = z.int().min(0).nullable()
const dates = z.array(z.iso.date()).nullable()

/** Reports of other network members about a customer: 33 counters, each null without reports (provider-facts 2.11). */
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

export type Insights = z.infer<typeof insightsSchema>

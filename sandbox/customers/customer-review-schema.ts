import { z } from 'zod'
import { timestamp, uuid } from '@/sandbox/http/read-body'
import { customerSchema } from './customer-schema'
import { insightsSchema } from './reputation'

const decision = z.enum(['accept', 'reject', 'review'])
const correlation = z.enum(['low_confidence', 'potential_match', 'likely_match', 'high_confidence'])
const score = z.number().min(0).max(1)
const codes = z.array(z.string())

const checkSchema = z
  .strictObject({
    decision,
    codes,
    risk_score: score.nullable(),
    correlation_score: score.nullable(),
    correlation: correlation.nullable(),
  })
  .meta({ id: 'IdentityCheck' })

const listMatch = z
  .strictObject({ list_name: z.string(), urls: z.array(z.string()), match_fields: z.array(z.string()), correlation })
  .meta({ id: 'WatchListMatch' })

const tick = z.boolean()

/** Findings of a verification, by check (provider-facts 2.11). A check is null if it does not apply to the customer's type. */
export const identityDetailsSchema = z
  .strictObject({
    review_id: uuid,
    decision,
    messages: z.record(z.string(), z.string()),
    breakdown: z.strictObject({
      email: checkSchema,
      phone: checkSchema,
      address: checkSchema.nullable(),
      fraud: checkSchema,
      synthetic: checkSchema.nullable(),
      business_identification: checkSchema.nullable(),
      business_validation: checkSchema.nullable(),
      business_evaluation: checkSchema.nullable(),
    }),
    kyc: z.strictObject({
      decision,
      codes,
      validations: z.strictObject({
        ...{ first_name: tick, last_name: tick, address: tick, city: tick, state: tick, zip: tick },
        ...{ phone: tick, dob: tick, ssn: tick, email: tick },
      }),
    }),
    watch_list: z.strictObject({ decision, codes, matched: z.array(z.string()), matches: z.array(listMatch) }),
    network_alerts: z.strictObject({ decision, codes, alerts: z.array(z.string()) }),
    reputation: z.strictObject({ decision, codes, risk_score: score.nullable(), insights: insightsSchema }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'IdentityDetails' })

export const customerReviewSchema = z
  .strictObject({ customer_details: customerSchema, identity_details: identityDetailsSchema.nullable() })
  .meta({ id: 'CustomerReview' })

export type IdentityDetails = z.infer<typeof identityDetailsSchema>

export type IdentityCheck = z.infer<typeof checkSchema>

export type Decision = z.infer<typeof decision>

import { z } from 'zod'
import { timestampSchema, uuidSchema } from '@/sandbox/http/read-body'
import { customerSchema } from './customer-schema'
import { reputationInsightsSchema } from './reputation'

const identityDecisionSchema = z.enum(['accept', 'reject', 'review'])
const correlationSchema = z.enum([
  'low_confidence',
  'potential_match',
  'likely_match',
  'high_confidence',
])
const scoreSchema = z.number().min(0).max(1)
const identityCodesSchema = z.array(z.string())

const identityCheckSchema = z
  .strictObject({
    decision: identityDecisionSchema,
    codes: identityCodesSchema,
    risk_score: scoreSchema.nullable(),
    correlation_score: scoreSchema.nullable(),
    correlation: correlationSchema.nullable(),
  })
  .meta({ id: 'IdentityCheck' })

const watchListMatchSchema = z
  .strictObject({
    list_name: z.string(),
    urls: z.array(z.string()),
    match_fields: z.array(z.string()),
    correlation: correlationSchema,
  })
  .meta({ id: 'WatchListMatch' })

const validationResultSchema = z.boolean()

/** Null means that a check does not apply, as `synthetic` for a business (provider-facts 2.11). */
export const identityDetailsSchema = z
  .strictObject({
    review_id: uuidSchema,
    decision: identityDecisionSchema,
    messages: z.record(z.string(), z.string()),
    breakdown: z.strictObject({
      email: identityCheckSchema,
      phone: identityCheckSchema,
      address: identityCheckSchema.nullable(),
      fraud: identityCheckSchema,
      synthetic: identityCheckSchema.nullable(),
      business_identification: identityCheckSchema.nullable(),
      business_validation: identityCheckSchema.nullable(),
      business_evaluation: identityCheckSchema.nullable(),
    }),
    kyc: z.strictObject({
      decision: identityDecisionSchema,
      codes: identityCodesSchema,
      validations: z.strictObject({
        ...{
          first_name: validationResultSchema,
          last_name: validationResultSchema,
          address: validationResultSchema,
          city: validationResultSchema,
          state: validationResultSchema,
          zip: validationResultSchema,
        },
        ...{
          phone: validationResultSchema,
          dob: validationResultSchema,
          ssn: validationResultSchema,
          email: validationResultSchema,
        },
      }),
    }),
    watch_list: z.strictObject({
      decision: identityDecisionSchema,
      codes: identityCodesSchema,
      matched: z.array(z.string()),
      matches: z.array(watchListMatchSchema),
    }),
    network_alerts: z.strictObject({
      decision: identityDecisionSchema,
      codes: identityCodesSchema,
      alerts: z.array(z.string()),
    }),
    reputation: z.strictObject({
      decision: identityDecisionSchema,
      codes: identityCodesSchema,
      risk_score: scoreSchema.nullable(),
      insights: reputationInsightsSchema,
    }),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  })
  .meta({ id: 'IdentityDetails' })

export const customerReviewSchema = z
  .strictObject({
    customer_details: customerSchema,
    identity_details: identityDetailsSchema.nullable(),
  })
  .meta({ id: 'CustomerReview' })

export type IdentityDetails = z.infer<typeof identityDetailsSchema>

export type IdentityCheck = z.infer<typeof identityCheckSchema>

export type IdentityDecision = z.infer<typeof identityDecisionSchema>

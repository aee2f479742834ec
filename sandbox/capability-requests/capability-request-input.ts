import { z } from 'zod'
import { uuid } from '@/sandbox/http/read-body'

const enable = z.boolean('is required and must be true or false')
const amount = z
  .int('must be a whole number of cents')
  .min(1, 'must be 1 or more')
  .max(2_147_483_647, 'must be at most 2147483647')
  .optional()
const count = z.int('must be a whole number').min(1, 'must be 1 or more').max(2_147_483_647, 'must be at most 2147483647').optional()

const payments = z
  .strictObject({ enable, max_amount: amount, daily_amount: amount, monthly_amount: amount, monthly_count: count }, 'must be an object')
  .optional()
const toggle = z.strictObject({ enable }, 'must be an object').optional()

/** Body of a capability request; every field is optional. Amounts are cents. */
export const requestBody = z.strictObject({
  charges: payments,
  payouts: payments,
  individuals: toggle,
  businesses: toggle,
  signed_agreement: toggle,
  internet: toggle,
})

const { charges: _charges, payouts: _payouts, ...toggles } = requestBody.shape
const fullLimitsSchema = payments.unwrap().required().optional()

/** Body in the provider's contract: a request for one payment type must contain all its limits (provider-facts 1.8). */
export const fullRequestBody = z.strictObject({ charges: fullLimitsSchema, payouts: fullLimitsSchema, ...toggles })

export const requestBodyWithAccount = z.strictObject({ account_id: uuid.optional(), ...requestBody.shape })

export type RequestedChanges = z.infer<typeof requestBody>

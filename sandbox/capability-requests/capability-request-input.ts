import { z } from 'zod'
import { uuidSchema } from '@/sandbox/http/read-body'

const enableSchema = z.boolean('is required and must be true or false')
const limitAmountSchema = z
  .int('must be a whole number of cents')
  .min(1, 'must be 1 or more')
  .max(2_147_483_647, 'must be at most 2147483647')
  .optional()
const paymentCountSchema = z
  .int('must be a whole number')
  .min(1, 'must be 1 or more')
  .max(2_147_483_647, 'must be at most 2147483647')
  .optional()

const paymentCapabilityChangeSchema = z
  .strictObject(
    {
      enable: enableSchema,
      max_amount: limitAmountSchema,
      daily_amount: limitAmountSchema,
      monthly_amount: limitAmountSchema,
      monthly_count: paymentCountSchema,
    },
    'must be an object',
  )
  .optional()
const capabilityToggleSchema = z
  .strictObject({ enable: enableSchema }, 'must be an object')
  .optional()

/** Amounts are in cents. */
export const capabilityRequestBodySchema = z.strictObject({
  charges: paymentCapabilityChangeSchema,
  payouts: paymentCapabilityChangeSchema,
  individuals: capabilityToggleSchema,
  businesses: capabilityToggleSchema,
  signed_agreement: capabilityToggleSchema,
  internet: capabilityToggleSchema,
})

const { charges: _charges, payouts: _payouts, ...toggles } = capabilityRequestBodySchema.shape
const fullLimitsSchema = paymentCapabilityChangeSchema.unwrap().required().optional()

/** The provider's contract needs all limits of `charges` and `payouts` (provider-facts 1.8). */
export const allLimitsBodySchema = z.strictObject({
  charges: fullLimitsSchema,
  payouts: fullLimitsSchema,
  ...toggles,
})

export const accountRequestBodySchema = z.strictObject({
  account_id: uuidSchema.optional(),
  ...capabilityRequestBodySchema.shape,
})

export type RequestedCapabilityChanges = z.infer<typeof capabilityRequestBodySchema>

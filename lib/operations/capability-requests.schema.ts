import * as z from 'zod'
import {
  id,
  openEnumValue,
  optionalBoolean,
  optionalId,
  optionalNumber,
  optionalText,
  optionalTimestamp,
} from './common.schema'
import { capabilityCategories, capabilityTypes } from './enumerations'
import { cents, createPagingFields, oneOf } from './input.schema'

/** The requested limits: amounts in minor units, or a number of payments. */
const requestedLimits = z
  .record(z.string(), optionalNumber)
  .nullish()
  .transform((value) =>
    Object.fromEntries(
      Object.entries(value ?? {}).filter(
        (entry): entry is [string, number] => entry[1] !== undefined,
      ),
    ),
  )

/**
 * A request to the provider's compliance team. `enable` false asks to turn the capability off
 * (provider facts 2.18).
 */
export const capabilityRequest = z.object({
  id,
  account_id: optionalId,
  type: openEnumValue,
  category: optionalText,
  settings: requestedLimits,
  status: openEnumValue,
  enable: optionalBoolean,
  created_at: optionalTimestamp,
  updated_at: optionalTimestamp,
})

export type CapabilityRequest = z.output<typeof capabilityRequest>

/** As `status`, the service accepts only these four values (provider facts 2.1). */
export const capabilityRequestsFilter = z.strictObject({
  ...createPagingFields(['id', 'created_at'], 'id'),
  type: oneOf(capabilityTypes).optional(),
  category: oneOf(capabilityCategories).optional(),
  status: oneOf(['in_review', 'active', 'inactive', 'rejected']).optional(),
})

const enableInput = z.boolean('Choose on or off.')
const paymentCount = z
  .int('Must be a whole number.')
  .min(1, 'Must be 1 or more.')
  .max(2_147_483_647, 'Must be at most 2147483647.')
const capabilityToggle = z.strictObject({ enable: enableInput }).optional()

const limitsInput = z
  .strictObject({
    enable: enableInput,
    max_amount: cents.optional(),
    daily_amount: cents.optional(),
    monthly_amount: cents.optional(),
    monthly_count: paymentCount.optional(),
  })
  .superRefine(
    ({ max_amount = 0, daily_amount, monthly_amount = Number.POSITIVE_INFINITY }, context) => {
      const addIssue = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message, input: undefined })
      if (max_amount > (daily_amount ?? monthly_amount))
        addIssue('max_amount', 'Must not be more than a whole day or month may move.')
      if ((daily_amount ?? 0) > monthly_amount)
        addIssue('daily_amount', 'Must not be more than monthly_amount.')
    },
  )
  .optional()

/**
 * Limits are in cents: the one of a payment must not exceed the one of a day, and that must not
 * exceed the one of a month. The account is in the header.
 */
export const capabilityRequestInput = z
  .strictObject({
    charges: limitsInput,
    payouts: limitsInput,
    individuals: capabilityToggle,
    businesses: capabilityToggle,
    signed_agreement: capabilityToggle,
    internet: capabilityToggle,
  })
  .refine((wishes) => Object.values(wishes).some((wish) => wish !== undefined), {
    message: 'Request at least one change.',
    path: ['charges'],
  })

export const capabilityRequestSchemas = {
  'capability_requests.list': {
    input: capabilityRequestsFilter,
    output: z.array(capabilityRequest),
  },
  'capability_requests.create': {
    input: capabilityRequestInput,
    output: z.array(capabilityRequest),
  },
}

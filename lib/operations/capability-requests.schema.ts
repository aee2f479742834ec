import * as z from 'zod'
import { flag, id, maybeId, maybeNumber, maybeTimestamp, text, word } from './common.schema'
import { capabilityCategories, capabilityTypes } from './enumerations'
import { cents, oneOf, paging } from './input.schema'

/** Requested limits by name: minor units, and a count. */
const settings = z
  .record(z.string(), maybeNumber)
  .nullish()
  .transform((value) =>
    Object.fromEntries(Object.entries(value ?? {}).filter((entry): entry is [string, number] => entry[1] !== undefined)),
  )

/** One request to compliance; `enable` false requests to turn it off (provider facts 2.18). */
export const capabilityRequest = z.object({
  id,
  account_id: maybeId,
  type: word,
  category: text,
  settings,
  status: word,
  enable: flag,
  created_at: maybeTimestamp,
  updated_at: maybeTimestamp,
})

export type CapabilityRequest = z.output<typeof capabilityRequest>

/** Every filter of the list; the service takes these four states only (provider facts 2.1). */
export const capabilityRequestsFilter = z.strictObject({
  ...paging(['id', 'created_at'], 'id'),
  type: oneOf(capabilityTypes).optional(),
  category: oneOf(capabilityCategories).optional(),
  status: oneOf(['in_review', 'active', 'inactive', 'rejected']).optional(),
})

const enable = z.boolean('choose on or off')
const count = z.int('must be a whole number').min(1, 'must be 1 or more').max(2_147_483_647, 'must be at most 2147483647')
const toggle = z.strictObject({ enable }).optional()

const limitsInput = z
  .strictObject({
    enable,
    max_amount: cents.optional(),
    daily_amount: cents.optional(),
    monthly_amount: cents.optional(),
    monthly_count: count.optional(),
  })
  .superRefine(({ max_amount = 0, daily_amount, monthly_amount = Number.POSITIVE_INFINITY }, context) => {
    const addIssue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message, input: undefined })
    if (max_amount > (daily_amount ?? monthly_amount)) addIssue('max_amount', 'must not be more than a whole day or month may move')
    if ((daily_amount ?? 0) > monthly_amount) addIssue('daily_amount', 'must not be more than monthly_amount')
  })
  .optional()

/**
 * Input of a request to compliance for the account of the header. Limits are cents. A shorter period must not allow more than a longer one.
 */
export const capabilityWishes = z
  .strictObject({
    charges: limitsInput,
    payouts: limitsInput,
    individuals: toggle,
    businesses: toggle,
    signed_agreement: toggle,
    internet: toggle,
  })
  .refine((wishes) => Object.values(wishes).some((wish) => wish !== undefined), {
    message: 'request at least one change',
    path: ['charges'],
  })

export const capabilityRequestSchemas = {
  'capability_requests.list': { input: capabilityRequestsFilter, output: z.array(capabilityRequest) },
  'capability_requests.create': { input: capabilityWishes, output: z.array(capabilityRequest) },
}

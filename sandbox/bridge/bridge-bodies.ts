import { z } from 'zod'
import { processingMethods } from '@/sandbox/customers/customer-schema'
import {
  externalIdSchema,
  makeEnumSchema,
  makeTextSchema,
  metadataInputSchema,
  routingNumberDigitsSchema,
  uuidSchema,
} from '@/sandbox/http/read-body'
import { isRoutingNumber } from '@/sandbox/paykeys/bank-names'
import type { RequestedLink } from '@/sandbox/paykeys/linking-rules'
import { bankAccountTypes, paykeyOutcomes } from '@/sandbox/paykeys/paykey-schema'

const linkConfigSchema = z.strictObject(
  {
    sandbox_outcome: makeEnumSchema(paykeyOutcomes).nullish(),
    processing_method: makeEnumSchema(processingMethods).nullish(),
  },
  'must be an object',
)

const commonLinkFields = {
  customer_id: uuidSchema,
  config: linkConfigSchema.nullish(),
  external_id: externalIdSchema.nullish(),
}

// Checks the check digit only of nine digits: for any other text, `routingNumber` already reports
// an error, and the field should get only one.
const routingNumberSchema = routingNumberDigitsSchema.refine(
  (digits) => !/^\d{9}$/.test(digits) || isRoutingNumber(digits),
  'must be a routing number whose check digit fits',
)

const accountNumberSchema = z
  .string('must be a string')
  .regex(/^\d{4,17}$/, 'must be 4 to 17 digits')

const aggregatorTokenSchema = makeTextSchema(2_000)

export const initializeBridgeBodySchema = z.strictObject(commonLinkFields)

export const bankAccountBodySchema = z.strictObject({
  ...commonLinkFields,
  routing_number: routingNumberSchema,
  account_number: accountNumberSchema,
  account_type: makeEnumSchema(bankAccountTypes),
  metadata: metadataInputSchema.nullish(),
})

export const tokenizedAccountBodySchema = z.strictObject({
  ...commonLinkFields,
  routing_number: routingNumberSchema,
  tan: accountNumberSchema,
  account_type: makeEnumSchema(bankAccountTypes),
  metadata: metadataInputSchema.nullish(),
})

export const plaidBodySchema = z.strictObject({
  ...commonLinkFields,
  plaid_token: aggregatorTokenSchema,
  metadata: metadataInputSchema.nullish(),
})

export const quilttBodySchema = z.strictObject({
  ...commonLinkFields,
  quiltt_token: aggregatorTokenSchema,
  metadata: metadataInputSchema.nullish(),
})

export const speedchexBodySchema = z.strictObject({
  ...commonLinkFields,
  speedchex_token: aggregatorTokenSchema,
  metadata: metadataInputSchema.nullish(),
})

export function toRequestedLink(
  input: z.infer<typeof initializeBridgeBodySchema>,
  owner: number | null,
): RequestedLink {
  const { sandbox_outcome, processing_method } = input.config ?? {}
  return {
    owner,
    customer_id: input.customer_id.toLowerCase(),
    config: {
      sandbox_outcome: sandbox_outcome ?? 'standard',
      processing_method: processing_method ?? 'inline',
    },
    external_id: input.external_id ?? null,
  }
}

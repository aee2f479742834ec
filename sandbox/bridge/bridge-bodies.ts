import { z } from 'zod'
import { processingMethods } from '@/sandbox/customers/customer-schema'
import { enumField, externalId, metadata, routingNumber, text, uuid } from '@/sandbox/http/read-body'
import { isRoutingNumber } from '@/sandbox/paykeys/bank-names'
import type { RequestedLink } from '@/sandbox/paykeys/linking-rules'
import { accountTypes, paykeyOutcomes } from '@/sandbox/paykeys/paykey-schema'

const config = z.strictObject(
  { sandbox_outcome: enumField(paykeyOutcomes).nullish(), processing_method: enumField(processingMethods).nullish() },
  'must be an object',
)

const common = { customer_id: uuid, config: config.nullish(), external_id: externalId.nullish() }

// Check the digit sum of nine digits only: `routingNumber` already rejects other text, and one error is enough.
const routing = routingNumber.refine(
  (digits) => !/^\d{9}$/.test(digits) || isRoutingNumber(digits),
  'must be a routing number whose check digit fits',
)

const accountNumber = z.string('must be a string').regex(/^\d{4,17}$/, 'must be 4 to 17 digits')

const aggregatorToken = text(2_000)

export const initializeBody = z.strictObject(common)

export const bankAccountBody = z.strictObject({
  ...common,
  routing_number: routing,
  account_number: accountNumber,
  account_type: enumField(accountTypes),
  metadata: metadata.nullish(),
})

export const tanBody = z.strictObject({
  ...common,
  routing_number: routing,
  tan: accountNumber,
  account_type: enumField(accountTypes),
  metadata: metadata.nullish(),
})

export const plaidBody = z.strictObject({ ...common, plaid_token: aggregatorToken, metadata: metadata.nullish() })

export const quilttBody = z.strictObject({ ...common, quiltt_token: aggregatorToken, metadata: metadata.nullish() })

export const speedchexBody = z.strictObject({ ...common, speedchex_token: aggregatorToken, metadata: metadata.nullish() })

export function toRequestedLink(input: z.infer<typeof initializeBody>, account: number | null): RequestedLink {
  if (account === null) throw new RangeError('an operation of the bridge runs without an account')
  const { sandbox_outcome, processing_method } = input.config ?? {}
  return {
    account,
    customer_id: input.customer_id.toLowerCase(),
    config: { sandbox_outcome: sandbox_outcome ?? 'standard', processing_method: processing_method ?? 'inline' },
    external_id: input.external_id ?? null,
  }
}

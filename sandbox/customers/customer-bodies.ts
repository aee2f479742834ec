import { z } from 'zod'
import { makeInvalidFieldProblem } from '@/sandbox/http/problem'
import {
  dateSchema,
  deviceSchema,
  emailSchema,
  externalIdSchema,
  makeEnumSchema,
  makePatternSchema,
  makeTextSchema,
  metadataInputSchema,
  phoneSchema,
} from '@/sandbox/http/read-body'
import { toPaymentDate } from '@/sandbox/store/clock'
import {
  type Customer,
  type CustomerIdentifiers,
  customerOutcomes,
  customerStatuses,
  processingMethods,
} from './customer-schema'

const addressSchema = z.strictObject(
  {
    address1: makeTextSchema(100),
    address2: z.string('must be a string').max(100, 'must be at most 100 characters').nullish(),
    city: makeTextSchema(100),
    state: makePatternSchema(/^[A-Z]{2}$/, 'must be two capital letters, such as TX'),
    zip: makePatternSchema(/^\d{5}(-\d{4})?$/, 'must be a ZIP code, 78701 or 78701-1234'),
    // Accepted because the interface document lists it. Not stored, and in no response.
    type: makeTextSchema(40).nullish(),
  },
  'must be an object with address1, city, state and zip',
)

const individualIdentifiersSchema = z.strictObject(
  {
    ssn: makePatternSchema(/^\d{3}-\d{2}-\d{4}$/, 'must be written NNN-NN-NNNN'),
    dob: dateSchema,
  },
  'must be an object with ssn and dob for an individual',
)

const businessIdentifiersSchema = z.strictObject(
  {
    ein: makePatternSchema(/^\d{2}-\d{7}$/, 'must be written NN-NNNNNNN'),
    legal_business_name: makeTextSchema(200),
    website: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).nullish(),
    representatives: z
      .array(
        z.strictObject(
          { name: makeTextSchema(200), email: emailSchema.nullish(), phone: phoneSchema.nullish() },
          'must be an object with a name',
        ),
      )
      .max(20, 'must name at most 20 people')
      .nullish(),
  },
  'must be an object with ein and legal_business_name for a business',
)

const customerConfigInputSchema = z.strictObject(
  {
    sandbox_outcome: makeEnumSchema(customerOutcomes).nullish(),
    processing_method: makeEnumSchema(processingMethods).nullish(),
  },
  'must be an object',
)

const sharedCustomerFields = {
  name: makeTextSchema(200),
  email: emailSchema,
  phone: phoneSchema,
  device: deviceSchema,
  address: addressSchema.nullish(),
  external_id: externalIdSchema.nullish(),
}
const customerCreationFields = {
  ...sharedCustomerFields,
  metadata: metadataInputSchema.nullish(),
  config: customerConfigInputSchema.nullish(),
}

export const createCustomerBodySchema = z.discriminatedUnion(
  'type',
  [
    z.strictObject({
      type: z.literal('individual'),
      ...customerCreationFields,
      compliance_profile: individualIdentifiersSchema.nullish(),
    }),
    z.strictObject({
      type: z.literal('business'),
      ...customerCreationFields,
      compliance_profile: businessIdentifiersSchema.nullish(),
    }),
  ],
  {
    error: ({ code }) => (code === 'invalid_union' ? 'must be individual or business' : undefined),
  },
)

/** A missing field keeps its value, and null clears it. For `metadata`, null means missing. */
export const updateCustomerBodySchema = z.strictObject({
  ...sharedCustomerFields,
  status: makeEnumSchema(customerStatuses),
  compliance_profile: z
    .union(
      [individualIdentifiersSchema, businessIdentifiersSchema],
      'must be {ssn, dob} of a person or {ein, legal_business_name} of a business',
    )
    .nullish(),
  metadata: metadataInputSchema.nullish(),
})

export const customerDecisionBodySchema = z.strictObject({
  status: makeEnumSchema(['verified', 'rejected']),
})

export type CreateCustomerBody = z.infer<typeof createCustomerBodySchema>

export type UpdateCustomerBody = z.infer<typeof updateCustomerBodySchema>

export function toAddress(requestedAddress: CreateCustomerBody['address']): Customer['address'] {
  if (!requestedAddress) return null
  const { address1, address2, city, state, zip } = requestedAddress
  return { address1, address2: address2 || null, city, state, zip }
}

export function toIdentifiers(
  type: Customer['type'],
  given: UpdateCustomerBody['compliance_profile'],
  now: number,
): CustomerIdentifiers | null {
  if (!given) return null
  const doIdentifiersMatchType = 'ssn' in given === (type === 'individual')
  if (!doIdentifiersMatchType) {
    const mismatchDetail = `does not fit: the customer is ${type === 'business' ? 'a business' : 'an individual'}`
    throw makeInvalidFieldProblem(
      'The identifiers do not fit the customer.',
      'compliance_profile',
      mismatchDetail,
    )
  }
  if ('ssn' in given) {
    if (given.dob < toPaymentDate(now)) return given
    throw makeInvalidFieldProblem(
      'The date of birth lies in the future.',
      'compliance_profile.dob',
      'must lie in the past',
    )
  }
  const { ein, legal_business_name, website, representatives } = given
  const givenRepresentatives = (representatives ?? []).map(({ name, email, phone }) => ({
    name,
    email: email ?? null,
    phone: phone ?? null,
  }))
  return {
    ein,
    legal_business_name,
    website: website ?? null,
    representatives: givenRepresentatives,
  }
}

import { z } from 'zod'
import { metadataInputSchema, timestampSchema, uuidSchema } from '@/sandbox/http/read-body'

/** Possible statuses of a customer (provider-facts 2.1). */
export const customerStatuses = ['pending', 'review', 'verified', 'inactive', 'rejected'] as const

export type CustomerStatus = (typeof customerStatuses)[number]

export const customerTypes = ['individual', 'business'] as const

/** Verification results that a request can choose. With `standard`, the verification passes. */
export const customerOutcomes = ['standard', 'verified', 'review', 'rejected'] as const

/** `inline` verifies within the request, `background` some seconds later. */
export const processingMethods = ['inline', 'background', 'skip'] as const

const representativeSchema = z.strictObject({
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
})

const addressSchema = z
  .strictObject({
    address1: z.string(),
    address2: z.string().nullable(),
    city: z.string(),
    state: z.string(),
    zip: z.string(),
  })
  .meta({ id: 'CustomerAddress' })

const businessFields = {
  legal_business_name: z.string(),
  website: z.string().nullable(),
  representatives: z.array(representativeSchema),
}

/** Fields of a customer in lists (provider-facts 2.10). */
const customerSummaryFields = {
  id: uuidSchema,
  name: z.string(),
  type: z.enum(customerTypes),
  email: z.string(),
  phone: z.string(),
  external_id: z.string().nullable(),
  status: z.enum(customerStatuses),
  created_at: timestampSchema,
  updated_at: timestampSchema,
}

const customerConfigSchema = z.strictObject({
  sandbox_outcome: z.enum(customerOutcomes),
  processing_method: z.enum(processingMethods),
})

export const customerSummarySchema = z
  .strictObject(customerSummaryFields)
  .meta({ id: 'CustomerSummary' })

/** Masked values are literals, so that an unmasked value fails the schema. */
export const customerSchema = z
  .strictObject({
    ...customerSummaryFields,
    address: addressSchema.nullable(),
    compliance_profile: z
      .union([
        z.strictObject({ ssn: z.literal('***-**-****'), dob: z.literal('****-**-**') }),
        z.strictObject({ ein: z.literal('**-*******'), ...businessFields }),
      ])
      .nullable(),
    device: z.strictObject({ ip_address: z.literal('**.**.**.**') }),
    metadata: metadataInputSchema,
    config: customerConfigSchema,
  })
  .meta({ id: 'Customer' })

const identifiersSchema = z.union([
  z.strictObject({ ssn: z.string(), dob: z.string() }),
  z.strictObject({ ein: z.string(), ...businessFields }),
])

export const unmaskedCustomerSchema = customerSchema
  .extend({
    compliance_profile: identifiersSchema.nullable(),
    device: z.strictObject({ ip_address: z.string() }),
  })
  .meta({ id: 'UnmaskedCustomer' })

export type Customer = z.infer<typeof customerSchema>

export type CustomerIdentifiers = z.infer<typeof identifiersSchema>

export type CustomerHiddenFields = {
  ip_address: string
  compliance_profile: CustomerIdentifiers | null
}

export const maskedDeviceFields: Customer['device'] = { ip_address: '**.**.**.**' }

export function maskIdentifiers(
  customerIdentifiers: CustomerIdentifiers | null,
): Customer['compliance_profile'] {
  if (customerIdentifiers === null) return null
  return 'ssn' in customerIdentifiers
    ? { ssn: '***-**-****', dob: '****-**-**' }
    : { ...customerIdentifiers, ein: '**-*******' }
}

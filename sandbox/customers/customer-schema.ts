import { z } from 'zod'
import { metadata, timestamp, uuid } from '@/sandbox/http/fields'

/** Every state a customer can be in (provider-facts 2.1). */
export const customerStatuses = ['pending', 'review', 'verified', 'inactive', 'rejected'] as const

/** One of them. */
export type CustomerStatus = (typeof customerStatuses)[number]

export const customerTypes = ['individual', 'business'] as const

/** What a test may ask a verification to end with; `standard` stands for the usual course. */
export const customerOutcomes = ['standard', 'verified', 'review', 'rejected'] as const

/** When a verification is decided: in the answer, a little later, or never because it is left out. */
export const processingMethods = ['inline', 'background', 'skip'] as const

const representative = z.strictObject({ name: z.string(), email: z.string().nullable(), phone: z.string().nullable() })

const address = z
  .strictObject({ address1: z.string(), address2: z.string().nullable(), city: z.string(), state: z.string(), zip: z.string() })
  .meta({ id: 'CustomerAddress' })

const business = { legal_business_name: z.string(), website: z.string().nullable(), representatives: z.array(representative) }

/** The customer without what lists leave out: the first nine fields (provider-facts 2.10). */
const summaryFields = {
  id: uuid,
  name: z.string(),
  type: z.enum(customerTypes),
  email: z.string(),
  phone: z.string(),
  external_id: z.string().nullable(),
  status: z.enum(customerStatuses),
  created_at: timestamp,
  updated_at: timestamp,
}

const config = z.strictObject({ sandbox_outcome: z.enum(customerOutcomes), processing_method: z.enum(processingMethods) })

export const customerSummarySchema = z.strictObject(summaryFields).meta({ id: 'CustomerSummary' })

/**
 * The customer as the service gives it (interface document, "Customer"). The masks are literals: a value that slips through does not fit the
 * schema.
 */
export const customerSchema = z
  .strictObject({
    ...summaryFields,
    address: address.nullable(),
    compliance_profile: z
      .union([
        z.strictObject({ ssn: z.literal('***-**-****'), dob: z.literal('****-**-**') }),
        z.strictObject({ ein: z.literal('**-*******'), ...business }),
      ])
      .nullable(),
    device: z.strictObject({ ip_address: z.literal('**.**.**.**') }),
    metadata,
    config,
  })
  .meta({ id: 'Customer' })

const identifiers = z.union([z.strictObject({ ssn: z.string(), dob: z.string() }), z.strictObject({ ein: z.string(), ...business })])

/** The customer with every value as it was given. */
export const unmaskedCustomerSchema = customerSchema
  .extend({ compliance_profile: identifiers.nullable(), device: z.strictObject({ ip_address: z.string() }) })
  .meta({ id: 'UnmaskedCustomer' })

/** A customer, masked: what the store keeps as its document. */
export type Customer = z.infer<typeof customerSchema>

/** What identifies a person or a business, unmasked. */
export type Identifiers = z.infer<typeof identifiers>

/** What only an unmasked read shows. */
export type CustomerSecret = { ip_address: string; compliance_profile: Identifiers | null }

/** The address of the device as every ordinary read shows it. */
export const maskedDevice: Customer['device'] = { ip_address: '**.**.**.**' }

/** The identifiers as every ordinary read shows them: numbers and birthday hidden, the public part of a business left. */
export function maskIdentifiers(given: Identifiers | null): Customer['compliance_profile'] {
  if (given === null) return null
  return 'ssn' in given ? { ssn: '***-**-****', dob: '****-**-**' } : { ...given, ein: '**-*******' }
}

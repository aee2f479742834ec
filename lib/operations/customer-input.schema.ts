import * as z from 'zod'
import { id } from './common.schema'
import { customerOutcomes, customerStatuses, customerTypes } from './enumerations'
import { oneOf } from './filter.schema'
import {
  day,
  deviceInput,
  ein,
  email,
  externalId,
  metadataInput,
  phone,
  ssn,
  state,
  textOf,
  verificationConfig,
  webPage,
  zip,
} from './input.schema'

const address = z.strictObject({
  address1: textOf(100, 'give the street and number'),
  address2: textOf(100, 'leave it out where there is none').optional(),
  city: textOf(100, 'give the city'),
  state,
  zip,
})

const person = z.strictObject({ name: textOf(200, 'give the name'), email: email.optional(), phone: phone.optional() })

const profile = z.strictObject({
  ssn: ssn.optional(),
  dob: day.optional(),
  ein: ein.optional(),
  legal_business_name: textOf(200, 'give the legal name').optional(),
  website: webPage.optional(),
  representatives: z.array(person).max(20, 'must name at most 20 people').optional(),
})

type Profile = z.output<typeof profile>
type Field = keyof Profile

const fieldsOf: Record<(typeof customerTypes)[number], { needed: readonly Field[]; allowed: readonly Field[] }> = {
  individual: { needed: ['ssn', 'dob'], allowed: ['ssn', 'dob'] },
  business: { needed: ['ein', 'legal_business_name'], allowed: ['ein', 'legal_business_name', 'website', 'representatives'] },
}

/** Names what a profile lacks and what does not belong in it: a person's numbers and a business's are never mixed. */
function checkProfile(given: Profile, type: (typeof customerTypes)[number], context: z.RefinementCtx): void {
  const { needed, allowed } = fieldsOf[type]
  const whose = type === 'individual' ? 'a person' : 'a business'
  const tell = (field: Field, message: string) =>
    context.addIssue({ code: 'custom', path: ['compliance_profile', field], message, input: undefined })
  for (const field of needed) if (given[field] === undefined) tell(field, `is needed to identify ${whose}`)
  for (const field of Object.keys(given) as Field[]) {
    if (given[field] !== undefined && !allowed.includes(field)) tell(field, `does not belong to ${whose}: leave it out`)
  }
}

const shared = {
  name: textOf(200, 'give the name'),
  email,
  phone,
  device: deviceInput,
  address: address.optional(),
  compliance_profile: profile.optional(),
  external_id: externalId.optional(),
  metadata: metadataInput,
}

/** What a new customer is made of; the type says which numbers identify it (provider facts 1.1). */
export const newCustomer = z
  .strictObject({ ...shared, type: oneOf(customerTypes), config: verificationConfig(customerOutcomes) })
  .superRefine(({ type, compliance_profile }, context) => {
    if (compliance_profile) checkProfile(compliance_profile, type, context)
  })

/**
 * A changed customer: what is required replaces, what is left out stays. Contact data and device are masked on the screen and required by the
 * service, so the server fills in those that are left out. The type is not sent, so the numbers say for themselves whether they are a person's or
 * a business's.
 */
export const customerUpdate = z
  .strictObject({
    id,
    ...shared,
    email: email.optional(),
    phone: phone.optional(),
    device: deviceInput.optional(),
    status: oneOf(customerStatuses),
  })
  .superRefine(({ compliance_profile: given }, context) => {
    if (given) checkProfile(given, given.ein || given.legal_business_name ? 'business' : 'individual', context)
  })

/** A decision on a customer in review. */
export const customerDecision = z.strictObject({ id, status: oneOf(['verified', 'rejected']) })

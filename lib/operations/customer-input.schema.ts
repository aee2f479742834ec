import * as z from 'zod'
import { id } from './common.schema'
import { customerSandboxOutcomes, customerStatuses, customerTypes } from './enumerations'
import {
  createOneLineTextSchema,
  createPagingFields,
  createVerificationConfigSchema,
  day,
  deviceInput,
  ein,
  email,
  externalId,
  metadataInput,
  oneOf,
  optionalListOf,
  phone,
  shortText,
  ssn,
  timeBound,
  usStateCode,
  webPageUrl,
  zipCode,
} from './input.schema'

const address = z.strictObject({
  address1: createOneLineTextSchema(100, 'Enter the street and number.'),
  address2: createOneLineTextSchema(100, 'Leave blank if there is none.').optional(),
  city: createOneLineTextSchema(100, 'Enter the city.'),
  state: usStateCode,
  zip: zipCode,
})

const representative = z.strictObject({
  name: createOneLineTextSchema(200, 'Enter the name.'),
  email: email.optional(),
  phone: phone.optional(),
})

const complianceProfile = z.strictObject({
  ssn: ssn.optional(),
  dob: day.optional(),
  ein: ein.optional(),
  legal_business_name: createOneLineTextSchema(200, 'Enter the legal name.').optional(),
  website: webPageUrl.optional(),
  representatives: z.array(representative).max(20, 'Must name at most 20 people.').optional(),
})

type ComplianceProfile = z.output<typeof complianceProfile>
type ProfileField = keyof ComplianceProfile

const profileFieldsByCustomerType: Record<
  (typeof customerTypes)[number],
  { needed: readonly ProfileField[]; allowed: readonly ProfileField[] }
> = {
  individual: { needed: ['ssn', 'dob'], allowed: ['ssn', 'dob'] },
  business: {
    needed: ['ein', 'legal_business_name'],
    allowed: ['ein', 'legal_business_name', 'website', 'representatives'],
  },
}

/** Also rejects fields that belong to the other type of customer. */
function checkComplianceProfile(
  enteredProfile: ComplianceProfile,
  type: (typeof customerTypes)[number],
  context: z.RefinementCtx,
): void {
  const { needed, allowed } = profileFieldsByCustomerType[type]
  const customerKindText = type === 'individual' ? 'a person' : 'a business'
  const addIssue = (field: ProfileField, message: string) =>
    context.addIssue({
      code: 'custom',
      path: ['compliance_profile', field],
      message,
      input: undefined,
    })
  for (const field of needed)
    if (enteredProfile[field] === undefined)
      addIssue(field, `is required to identify ${customerKindText}`)
  for (const field of Object.keys(enteredProfile) as ProfileField[]) {
    if (enteredProfile[field] !== undefined && !allowed.includes(field))
      addIssue(field, `does not apply to ${customerKindText}: leave it out`)
  }
}

const customerInputFields = {
  name: createOneLineTextSchema(200, 'Enter the name.'),
  email,
  phone,
  device: deviceInput,
  address: address.optional(),
  compliance_profile: complianceProfile.optional(),
  external_id: externalId.optional(),
  metadata: metadataInput,
}

/** `type` determines which profile fields are required (provider facts 1.1). */
export const newCustomer = z
  .strictObject({
    ...customerInputFields,
    type: oneOf(customerTypes),
    config: createVerificationConfigSchema(customerSandboxOutcomes),
  })
  .superRefine(({ type, compliance_profile }, context) => {
    if (compliance_profile) checkComplianceProfile(compliance_profile, type, context)
  })

/**
 * Omitted optional fields keep their values. The service requires contact data and the device, but
 * screens have only masked values of them, so our server adds them if they are omitted. The fields
 * of the compliance profile show if the customer is a person or a business.
 */
export const customerUpdate = z
  .strictObject({
    id,
    ...customerInputFields,
    email: email.optional(),
    phone: phone.optional(),
    device: deviceInput.optional(),
    status: oneOf(customerStatuses),
  })
  .superRefine(({ compliance_profile: given }, context) => {
    if (given)
      checkComplianceProfile(
        given,
        given.ein || given.legal_business_name ? 'business' : 'individual',
        context,
      )
  })

export const customerDecision = z.strictObject({ id, status: oneOf(['verified', 'rejected']) })

/** All filters (provider facts 1.1) except the email: a URL must not contain personal data. */
export const customersFilter = z.strictObject({
  ...createPagingFields(['created_at', 'name'], 'created_at'),
  created_from: timeBound,
  created_to: timeBound,
  name: shortText,
  external_id: shortText,
  status: optionalListOf(customerStatuses),
  types: optionalListOf(customerTypes),
  search_text: shortText,
})

/** Our API has no route for this search: only `lib/features/search/server/find` calls it. */
export const emailSearch = z.strictObject({
  email: z.email('Must be an email address.').max(254),
  page_size: z.literal(20).default(20),
})

import * as z from 'zod'
import {
  codeMessages,
  createBreakdownSchema,
  createMaskedTextSchema,
  device,
  enumWord,
  id,
  idInput,
  listOf,
  maskedEmail,
  maskedPhone,
  maybe,
  maybeTimestamp,
  metadata,
  optionalText,
  textList,
  textOrEmpty,
  verificationFinding,
} from './common.schema'
import { customerSandboxOutcomes, customerStatuses, customerTypes } from './enumerations'
import {
  createPagingFields,
  createVerificationConfig,
  day,
  deviceInput,
  ein,
  email,
  externalId,
  metadataInput,
  oneOf,
  optionalListOf,
  phone,
  requiredOneLineText,
  shortText,
  ssn,
  timeBound,
  usStateCode,
  webPageUrl,
  zipCode,
} from './input.schema'

const address = z.strictObject({
  address1: requiredOneLineText(100, 'Enter the street and number.'),
  address2: requiredOneLineText(100, 'Leave blank if there is none.').optional(),
  city: requiredOneLineText(100, 'Enter the city.'),
  state: usStateCode,
  zip: zipCode,
})

const representative = z.strictObject({
  name: requiredOneLineText(200, 'Enter the name.'),
  email: email.optional(),
  phone: phone.optional(),
})

const complianceProfile = z.strictObject({
  ssn: ssn.optional(),
  dob: day.optional(),
  ein: ein.optional(),
  legal_business_name: requiredOneLineText(200, 'Enter the legal name.').optional(),
  website: webPageUrl.optional(),
  representatives: z.array(representative).max(20, 'Must name at most 20 people.').optional(),
})

type ComplianceProfile = z.output<typeof complianceProfile>
type ProfileField = keyof ComplianceProfile

const profileFields: Record<
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
function checkProfile(
  enteredProfile: ComplianceProfile,
  type: (typeof customerTypes)[number],
  context: z.RefinementCtx,
): void {
  const { needed, allowed } = profileFields[type]
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
  name: requiredOneLineText(200, 'Enter the name.'),
  email,
  phone,
  device: deviceInput,
  address: address.optional(),
  compliance_profile: complianceProfile.optional(),
  external_id: externalId.optional(),
  metadata: metadataInput,
}

/** `type` determines which profile fields are required (provider facts 1.1). */
const newCustomer = z
  .strictObject({
    ...customerInputFields,
    type: oneOf(customerTypes),
    config: createVerificationConfig(customerSandboxOutcomes),
  })
  .superRefine(({ type, compliance_profile }, context) => {
    if (compliance_profile) checkProfile(compliance_profile, type, context)
  })

/**
 * Omitted optional fields keep their values. The service requires contact data and the device, but
 * screens have only masked values of them, so our server adds them if they are omitted. The fields
 * of the compliance profile show if the customer is a person or a business.
 */
const customerUpdate = z
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
      checkProfile(
        given,
        given.ein || given.legal_business_name ? 'business' : 'individual',
        context,
      )
  })

const customerDecision = z.strictObject({ id, status: oneOf(['verified', 'rejected']) })

type Insight = number | string | string[]

const isInsight = (value: unknown): value is Insight =>
  typeof value === 'number' ||
  typeof value === 'string' ||
  (Array.isArray(value) && value.every((entry) => typeof entry === 'string'))

/** The service sends null for a missing value. */
const createEntriesSchema = <T>(isWanted: (value: unknown) => value is T) =>
  z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((value) =>
      Object.fromEntries(
        Object.entries(value ?? {}).filter((entry): entry is [string, T] => isWanted(entry[1])),
      ),
    )

/** From members of the provider's network: counts, totals in cents, and lists of dates. */
const insights = createEntriesSchema(isInsight)

/** By field name; true if the value belongs to the person. */
const validations = createEntriesSchema((value) => typeof value === 'boolean')

// Keeps only `http` and `https` URLs of third-party lists, because screens show them as links.
const webPages = textList.transform((urls) => urls.filter((url) => /^https?:\/\//i.test(url)))

const watchListMatch = z.object({
  list_name: optionalText,
  urls: webPages,
  match_fields: textList,
  correlation: optionalText,
})

const verdict = verificationFinding.pick({ decision: true, codes: true })

/** By module (provider facts 2.11). There is no overall score. */
const identityDetails = z.object({
  review_id: optionalText,
  decision: optionalText,
  messages: codeMessages,
  breakdown: createBreakdownSchema(verificationFinding),
  kyc: maybe(verdict.extend({ validations })),
  watch_list: maybe(verdict.extend({ matched: textList, matches: listOf(watchListMatch) })),
  network_alerts: maybe(verdict.extend({ alerts: textList })),
  reputation: maybe(
    verificationFinding
      .pick({ decision: true, codes: true, risk_score: true })
      .extend({ insights }),
  ),
  created_at: maybeTimestamp,
  updated_at: maybeTimestamp,
})

export type IdentityDetails = z.output<typeof identityDetails>

/** Contact data is masked (provider facts 2.10). */
const customerSummary = z.object({
  id,
  name: textOrEmpty,
  type: optionalText,
  email: maskedEmail,
  phone: maskedPhone,
  status: enumWord,
  external_id: optionalText,
  created_at: maybeTimestamp,
  updated_at: maybeTimestamp,
})

export type CustomerSummary = z.output<typeof customerSummary>

/** Without street address and identity numbers (interface document, "Customer"). */
export const customer = customerSummary.extend({
  address: maybe(z.object({ city: optionalText, state: optionalText })),
  compliance_profile: maybe(
    z.object({
      ssn: createMaskedTextSchema('***-**-****'),
      dob: createMaskedTextSchema('****-**-**'),
      ein: createMaskedTextSchema('**-*******'),
      legal_business_name: optionalText,
      website: optionalText,
      representatives: maybe(
        z.array(z.object({ name: optionalText, email: maskedEmail, phone: maskedPhone })),
      ),
    }),
  ),
  device,
  config: maybe(z.object({ sandbox_outcome: optionalText, processing_method: optionalText })),
  metadata,
})

export type Customer = z.output<typeof customer>

/** The data that other reads mask. */
const unmaskedCustomer = z.object({
  id,
  name: textOrEmpty,
  email: optionalText,
  phone: optionalText,
  address: maybe(
    z.object({
      address1: optionalText,
      address2: optionalText,
      city: optionalText,
      state: optionalText,
      zip: optionalText,
    }),
  ),
  compliance_profile: maybe(
    z.object({
      ssn: optionalText,
      dob: optionalText,
      ein: optionalText,
      legal_business_name: optionalText,
      website: optionalText,
      representatives: maybe(
        z.array(z.object({ name: optionalText, email: optionalText, phone: optionalText })),
      ),
    }),
  ),
  device: maybe(z.object({ ip_address: optionalText })),
})

export type UnmaskedCustomer = z.output<typeof unmaskedCustomer>

export const customerReview = z.object({
  customer_details: customer,
  identity_details: maybe(identityDetails),
})

export type CustomerReview = z.output<typeof customerReview>

/** All filters (provider facts 1.1) except the email: a URL must not contain personal data. */
const customersFilter = z.strictObject({
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
const emailSearch = z.strictObject({
  email: z.email('Must be an email address.').max(254),
  page_size: z.literal(20).default(20),
})

export const customerSchemas = {
  'customers.list': { input: customersFilter, output: z.array(customerSummary) },
  'customers.by_email': { input: emailSearch, output: z.array(customerSummary) },
  'customers.get': { input: idInput, output: customer },
  'customers.unmask': { input: idInput, output: unmaskedCustomer },
  'customers.review': { input: idInput, output: customerReview },
  'customers.create': { input: newCustomer, output: customer },
  'customers.update': { input: customerUpdate, output: customer },
  'customers.delete': { input: idInput, output: customer },
  'customers.decide': { input: customerDecision, output: customer },
  'customers.refresh_review': { input: idInput, output: customer },
}

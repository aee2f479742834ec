import * as z from 'zod'
import {
  createBreakdown,
  device,
  finding,
  id,
  idInput,
  listOf,
  maskedAs,
  maskedEmail,
  maskedPhone,
  maybe,
  maybeTimestamp,
  messages,
  metadata,
  someText,
  text,
  textList,
  word,
} from './common.schema'
import { customerOutcomes, customerStatuses, customerTypes } from './enumerations'
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
  phone,
  requiredLine,
  shortText,
  someOf,
  ssn,
  state,
  timeBound,
  webPage,
  zip,
} from './input.schema'

const address = z.strictObject({
  address1: requiredLine(100, 'Enter the street and number.'),
  address2: requiredLine(100, 'Leave blank if there is none.').optional(),
  city: requiredLine(100, 'Enter the city.'),
  state,
  zip,
})

const person = z.strictObject({ name: requiredLine(200, 'Enter the name.'), email: email.optional(), phone: phone.optional() })

const profile = z.strictObject({
  ssn: ssn.optional(),
  dob: day.optional(),
  ein: ein.optional(),
  legal_business_name: requiredLine(200, 'Enter the legal name.').optional(),
  website: webPage.optional(),
  representatives: z.array(person).max(20, 'Must name at most 20 people.').optional(),
})

type Profile = z.output<typeof profile>
type Field = keyof Profile

const profileFields: Record<(typeof customerTypes)[number], { needed: readonly Field[]; allowed: readonly Field[] }> = {
  individual: { needed: ['ssn', 'dob'], allowed: ['ssn', 'dob'] },
  business: { needed: ['ein', 'legal_business_name'], allowed: ['ein', 'legal_business_name', 'website', 'representatives'] },
}

/** Adds an issue for each required field that is missing, and for each field that belongs to the other type of customer. */
function checkProfile(given: Profile, type: (typeof customerTypes)[number], context: z.RefinementCtx): void {
  const { needed, allowed } = profileFields[type]
  const ownerText = type === 'individual' ? 'a person' : 'a business'
  const addIssue = (field: Field, message: string) =>
    context.addIssue({ code: 'custom', path: ['compliance_profile', field], message, input: undefined })
  for (const field of needed) if (given[field] === undefined) addIssue(field, `is required to identify ${ownerText}`)
  for (const field of Object.keys(given) as Field[]) {
    if (given[field] !== undefined && !allowed.includes(field)) addIssue(field, `does not apply to ${ownerText}: leave it out`)
  }
}

const shared = {
  name: requiredLine(200, 'Enter the name.'),
  email,
  phone,
  device: deviceInput,
  address: address.optional(),
  compliance_profile: profile.optional(),
  external_id: externalId.optional(),
  metadata: metadataInput,
}

/** Input of a new customer. `type` determines the numbers that identify it (provider facts 1.1). */
const newCustomer = z
  .strictObject({ ...shared, type: oneOf(customerTypes), config: createVerificationConfig(customerOutcomes) })
  .superRefine(({ type, compliance_profile }, context) => {
    if (compliance_profile) checkProfile(compliance_profile, type, context)
  })

/**
 * Input of a customer change. Omitted optional fields keep their values. The service requires contact data and the device. Screens mask
 * both, so the server adds them if they are omitted. The type is not sent: the fields show if the customer is a person or a business.
 */
const customerUpdate = z
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

const customerDecision = z.strictObject({ id, status: oneOf(['verified', 'rejected']) })

type Insight = number | string | string[]

const isInsight = (value: unknown): value is Insight =>
  typeof value === 'number' || typeof value === 'string' || (Array.isArray(value) && value.every((entry) => typeof entry === 'string'))

/** A record of the service, reduced to the entries whose value passes `isWanted`. The service sends null for a missing value. */
const filterEntries = <T>(isWanted: (value: unknown) => value is T) =>
  z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((value) => Object.fromEntries(Object.entries(value ?? {}).filter((entry): entry is [string, T] => isWanted(entry[1]))))

/** The network's numbers about a customer, by name: counts, totals in cents, and lists of dates. */
const insights = filterEntries(isInsight)

/** The checked fields of a person, by name; true if the value belongs to the person. */
const validations = filterEntries((value) => typeof value === 'boolean')

// Only `http` and `https` URLs: they come from third-party lists and become links.
const webPages = textList.transform((urls) => urls.filter((url) => /^https?:\/\//i.test(url)))

const watchListMatch = z.object({ list_name: text, urls: webPages, match_fields: textList, correlation: text })

const verdict = finding.pick({ decision: true, codes: true })

/** The result of a verification, by module (provider facts 2.11). There is no overall score. */
const identityDetails = z.object({
  review_id: text,
  decision: text,
  messages,
  breakdown: createBreakdown(finding),
  kyc: maybe(verdict.extend({ validations })),
  watch_list: maybe(verdict.extend({ matched: textList, matches: listOf(watchListMatch) })),
  network_alerts: maybe(verdict.extend({ alerts: textList })),
  reputation: maybe(finding.pick({ decision: true, codes: true, risk_score: true }).extend({ insights })),
  created_at: maybeTimestamp,
  updated_at: maybeTimestamp,
})

export type IdentityDetails = z.output<typeof identityDetails>

/** A customer as a list shows it, with masked contact data (provider facts 2.10). */
const customerSummary = z.object({
  id,
  name: someText,
  type: text,
  email: maskedEmail,
  phone: maskedPhone,
  status: word,
  external_id: text,
  created_at: maybeTimestamp,
  updated_at: maybeTimestamp,
})

export type CustomerSummary = z.output<typeof customerSummary>

/** A customer, masked: no address lines, no identity numbers, partial contact data (interface document, "Customer"). */
export const customer = customerSummary.extend({
  address: maybe(z.object({ city: text, state: text })),
  compliance_profile: maybe(
    z.object({
      ssn: maskedAs('***-**-****'),
      dob: maskedAs('****-**-**'),
      ein: maskedAs('**-*******'),
      legal_business_name: text,
      website: text,
      representatives: maybe(z.array(z.object({ name: text, email: maskedEmail, phone: maskedPhone }))),
    }),
  ),
  device,
  config: maybe(z.object({ sandbox_outcome: text, processing_method: text })),
  metadata,
})

export type Customer = z.output<typeof customer>

/** The data of a customer that other reads mask: contact data, address, identity numbers, and the IP address of the device. */
const unmaskedCustomer = z.object({
  id,
  name: someText,
  email: text,
  phone: text,
  address: maybe(z.object({ address1: text, address2: text, city: text, state: text, zip: text })),
  compliance_profile: maybe(
    z.object({
      ssn: text,
      dob: text,
      ein: text,
      legal_business_name: text,
      website: text,
      representatives: maybe(z.array(z.object({ name: text, email: text, phone: text }))),
    }),
  ),
  device: maybe(z.object({ ip_address: text })),
})

export type UnmaskedCustomer = z.output<typeof unmaskedCustomer>

/** A customer with the evidence of its verification, if a verification has run. */
export const customerReview = z.object({ customer_details: customer, identity_details: maybe(identityDetails) })

export type CustomerReview = z.output<typeof customerReview>

/** All filters of the list (provider facts 1.1) except the email, which must not be in a URL. */
const customersFilter = z.strictObject({
  ...createPagingFields(['created_at', 'name'], 'created_at'),
  created_from: timeBound,
  created_to: timeBound,
  name: shortText,
  external_id: shortText,
  status: someOf(customerStatuses),
  types: someOf(customerTypes),
  search_text: shortText,
})

/** Input of the search by email. Our API has no route for it: only `lib/features/search/server/find` calls it. */
const emailSearch = z.strictObject({ email: z.email('Must be an email address.').max(254), page_size: z.literal(20).default(20) })

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

import * as z from 'zod'
import {
  codeMessages,
  createBreakdownSchema,
  createMaskedTextSchema,
  deviceOfflineFlag,
  id,
  idInput,
  listOf,
  maskedEmail,
  maskedPhone,
  metadata,
  openEnumValue,
  optionalOf,
  optionalText,
  optionalTimestamp,
  textList,
  textOrEmpty,
  verificationFinding,
} from './common.schema'
import {
  customerDecision,
  customersFilter,
  customerUpdate,
  emailSearch,
  newCustomer,
} from './customer-input.schema'

type InsightValue = number | string | string[]

const isInsightValue = (value: unknown): value is InsightValue =>
  typeof value === 'number' ||
  typeof value === 'string' ||
  (Array.isArray(value) && value.every((entry) => typeof entry === 'string'))

/** Drops entries of another type, because the service sends null for a missing value. */
const createFilteredRecordSchema = <T>(isWanted: (value: unknown) => value is T) =>
  z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((value) =>
      Object.fromEntries(
        Object.entries(value ?? {}).filter((entry): entry is [string, T] => isWanted(entry[1])),
      ),
    )

/** Data from members of the provider's network: counts, totals in cents, and lists of dates. */
const insights = createFilteredRecordSchema(isInsightValue)

/** By field name; true if the value belongs to the person. */
const fieldMatches = createFilteredRecordSchema((value) => typeof value === 'boolean')

// Keeps only `http` and `https` URLs of third-party lists, because screens show them as links.
const webPageUrls = textList.transform((urls) => urls.filter((url) => /^https?:\/\//i.test(url)))

const watchListMatch = z.object({
  list_name: optionalText,
  urls: webPageUrls,
  match_fields: textList,
  correlation: optionalText,
})

const moduleVerdict = verificationFinding.pick({ decision: true, codes: true })

/**
 * The results of an identity verification, by module (provider facts 2.11). There is no overall
 * score.
 */
const identityDetails = z.object({
  review_id: optionalText,
  decision: optionalText,
  messages: codeMessages,
  breakdown: createBreakdownSchema(verificationFinding),
  kyc: optionalOf(moduleVerdict.extend({ validations: fieldMatches })),
  watch_list: optionalOf(
    moduleVerdict.extend({ matched: textList, matches: listOf(watchListMatch) }),
  ),
  network_alerts: optionalOf(moduleVerdict.extend({ alerts: textList })),
  reputation: optionalOf(
    verificationFinding
      .pick({ decision: true, codes: true, risk_score: true })
      .extend({ insights }),
  ),
  created_at: optionalTimestamp,
  updated_at: optionalTimestamp,
})

export type IdentityDetails = z.output<typeof identityDetails>

/** Contact data is masked (provider facts 2.10). */
const customerSummary = z.object({
  id,
  name: textOrEmpty,
  type: optionalText,
  email: maskedEmail,
  phone: maskedPhone,
  status: openEnumValue,
  external_id: optionalText,
  created_at: optionalTimestamp,
  updated_at: optionalTimestamp,
})

export type CustomerSummary = z.output<typeof customerSummary>

/** Without street address and identity numbers (interface document, "Customer"). */
export const customer = customerSummary.extend({
  address: optionalOf(z.object({ city: optionalText, state: optionalText })),
  compliance_profile: optionalOf(
    z.object({
      ssn: createMaskedTextSchema('***-**-****'),
      dob: createMaskedTextSchema('****-**-**'),
      ein: createMaskedTextSchema('**-*******'),
      legal_business_name: optionalText,
      website: optionalText,
      representatives: optionalOf(
        z.array(z.object({ name: optionalText, email: maskedEmail, phone: maskedPhone })),
      ),
    }),
  ),
  device: deviceOfflineFlag,
  config: optionalOf(z.object({ sandbox_outcome: optionalText, processing_method: optionalText })),
  metadata,
})

export type Customer = z.output<typeof customer>

/** The customer data that all other operations mask. */
const unmaskedCustomer = z.object({
  id,
  name: textOrEmpty,
  email: optionalText,
  phone: optionalText,
  address: optionalOf(
    z.object({
      address1: optionalText,
      address2: optionalText,
      city: optionalText,
      state: optionalText,
      zip: optionalText,
    }),
  ),
  compliance_profile: optionalOf(
    z.object({
      ssn: optionalText,
      dob: optionalText,
      ein: optionalText,
      legal_business_name: optionalText,
      website: optionalText,
      representatives: optionalOf(
        z.array(z.object({ name: optionalText, email: optionalText, phone: optionalText })),
      ),
    }),
  ),
  device: optionalOf(z.object({ ip_address: optionalText })),
})

export type UnmaskedCustomer = z.output<typeof unmaskedCustomer>

export const customerReview = z.object({
  customer_details: customer,
  identity_details: optionalOf(identityDetails),
})

export type CustomerReview = z.output<typeof customerReview>

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

import * as z from 'zod'
import { id } from './common.schema'
import { accessLevels, agreementTypes } from './enumerations'
import { oneOf } from './filter.schema'
import { email, externalId, metadataInput, state, textOf, webPage } from './input.schema'

const taxId = z.string('give the tax id').regex(/^\d{9}$/, 'must be 9 digits, without a dash')
const businessPhone = textOf(30, 'give a phone number')

const address = z.strictObject({
  line1: textOf(100, 'give the street and number'),
  line2: textOf(100, 'leave it out where there is none').optional(),
  city: textOf(100, 'give the city'),
  state,
  postal_code: textOf(20, 'give the postal code'),
  country: z
    .string('choose a country')
    .regex(/^[A-Z]{2}$/, 'must be two capital letters, like US')
    .optional(),
})

const industry = z
  .strictObject({
    mcc: z
      .string('give the merchant category code')
      .regex(/^\d{4}$/, 'must be 4 digits')
      .optional(),
    sector: textOf(100, 'give the sector').optional(),
    category: textOf(100, 'give the category').optional(),
  })
  .refine(({ mcc, sector, category }) => mcc !== undefined || (sector !== undefined && category !== undefined), {
    message: 'is needed unless sector and category are given',
    path: ['mcc'],
  })

const profile = {
  name: textOf(200, 'give the name of the business'),
  website: webPage,
  legal_name: textOf(200, 'give the legal name').optional(),
  description: textOf(1_000, 'say what the business does').optional(),
  use_case: textOf(1_000, 'say what the payments are for').optional(),
  phone: businessPhone.optional(),
  address: address.optional(),
  industry: industry.optional(),
  support_channels: z.strictObject({ email: email.optional(), phone: businessPhone.optional(), url: webPage.optional() }).optional(),
}

/** What a new account is made of (provider facts 1.8). */
export const newAccount = z.strictObject({
  organization_id: id,
  account_type: oneOf(['business']),
  access_level: oneOf(accessLevels),
  business_profile: z.strictObject({ ...profile, tax_id: taxId.optional() }),
  metadata: metadataInput,
  external_id: externalId.optional(),
})

/**
 * A changed account. The profile replaces the whole one, and what is left out of it is lost. Reads show four digits of the tax id, so it has
 * to be said again: the nine digits, or null for none. It cannot go by being forgotten.
 */
export const accountUpdate = z.strictObject({
  id,
  business_profile: z.strictObject({ ...profile, tax_id: taxId.nullable() }),
  metadata: metadataInput,
  external_id: externalId.optional(),
})

/** The terms an account accepts when it is handed to verification. */
export const accountOnboarding = z.strictObject({
  id,
  terms_of_service: z.strictObject({
    accepted_date: z.iso.datetime({ offset: true, error: 'must be a time like 2026-03-31T14:05:00Z' }),
    agreement_url: webPage,
    agreement_type: oneOf(agreementTypes),
    accepted_ip: z.union([z.ipv4(), z.ipv6()], 'must be an IP address').optional(),
    accepted_user_agent: textOf(500, 'leave it out where it is not known').optional(),
  }),
})

/** The stage an account of the sandbox jumps to; the next one unless it is named. */
export const accountSimulation = z.strictObject({ id, final_status: oneOf(['onboarding', 'active']).optional() })

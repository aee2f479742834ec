import * as z from 'zod'
import { flag, id, lastFour, maybe, maybeId, maybeNumber, maybeTimestamp, metadata, statusDetail, text, word } from './common.schema'
import { accessLevels, accountStatuses, agreementTypes } from './enumerations'
import {
  createPagingFields,
  email,
  externalId,
  metadataInput,
  oneOf,
  requiredLine,
  requiredText,
  shortText,
  state,
  webPage,
} from './input.schema'

const taxId = z.string('Enter the tax ID.').regex(/^\d{9}$/, 'Must be 9 digits, without a dash.')
const businessPhone = requiredLine(30, 'Enter a phone number.')

const address = z.strictObject({
  line1: requiredLine(100, 'Enter the street and number.'),
  line2: requiredLine(100, 'Leave blank if there is none.').optional(),
  city: requiredLine(100, 'Enter the city.'),
  state,
  postal_code: requiredLine(20, 'Enter the postal code.'),
  country: z
    .string('Choose a country.')
    .regex(/^[A-Z]{2}$/, 'Must be two capital letters, like US.')
    .optional(),
})

const industry = z
  .strictObject({
    mcc: z
      .string('Enter the merchant category code.')
      .regex(/^\d{4}$/, 'Must be 4 digits.')
      .optional(),
    sector: requiredLine(100, 'Enter the sector.').optional(),
    category: requiredLine(100, 'Enter the category.').optional(),
  })
  .refine(({ mcc, sector, category }) => mcc !== undefined || (sector !== undefined && category !== undefined), {
    message: 'Required unless sector and category are given.',
    path: ['mcc'],
  })

const profile = {
  name: requiredLine(200, 'Enter the name of the business.'),
  website: webPage,
  legal_name: requiredLine(200, 'Enter the legal name.').optional(),
  description: requiredText(1_000, 'Enter the business description.').optional(),
  use_case: requiredText(1_000, 'Enter the purpose of the payments.').optional(),
  phone: businessPhone.optional(),
  address: address.optional(),
  industry: industry.optional(),
  support_channels: z.strictObject({ email: email.optional(), phone: businessPhone.optional(), url: webPage.optional() }).optional(),
}

/** Input of a new account (provider facts 1.8). */
const newAccount = z.strictObject({
  organization_id: id,
  account_type: oneOf(['business']),
  access_level: oneOf(accessLevels),
  business_profile: z.strictObject({ ...profile, tax_id: taxId.optional() }),
  metadata: metadataInput,
  external_id: externalId.optional(),
})

/**
 * Input of an account change. The profile replaces the stored one: omitted fields are lost. Reads show only four digits of the tax ID, so
 * `tax_id` is required (nine digits, or null to remove it) and cannot be lost by omission.
 */
const accountUpdate = z.strictObject({
  id,
  business_profile: z.strictObject({ ...profile, tax_id: taxId.nullable() }),
  metadata: metadataInput,
  external_id: externalId.optional(),
})

/** The terms that an account accepts when it is submitted for verification. */
const accountOnboarding = z.strictObject({
  id,
  terms_of_service: z.strictObject({
    accepted_date: z.iso.datetime({ offset: true, error: 'Must be a time like 2026-03-31T14:05:00Z.' }),
    agreement_url: webPage,
    agreement_type: oneOf(agreementTypes),
    accepted_ip: z.union([z.ipv4(), z.ipv6()], 'Must be an IP address.').optional(),
    accepted_user_agent: requiredLine(500, 'Leave blank if unknown.').optional(),
  }),
})

/** Input of `accounts.simulate`: the stage that a sandbox account moves to. If it is omitted, the account moves to the next stage. */
const accountSimulation = z.strictObject({ id, final_status: oneOf(['onboarding', 'active']).optional() })

/** The limits of one payment type: amounts in minor units, `monthly_count` counts payments (interface document, "Limits"). */
export const limits = maybe(
  z.object({
    max_amount: maybeNumber,
    daily_amount: maybeNumber,
    monthly_amount: maybeNumber,
    monthly_count: maybeNumber,
    funding_time: text,
    linked_bank_account_id: maybeId,
  }),
)

const capability = maybe(z.object({ capability_status: text }))

/** The profile of a business. Its contact data is public and not masked. Only the last four digits of the tax ID remain. */
const businessProfile = z.object({
  name: text,
  legal_name: text,
  website: text,
  description: text,
  use_case: text,
  tax_id: lastFour,
  phone: text,
  address: maybe(z.object({ line1: text, line2: text, city: text, state: text, postal_code: text, country: text })),
  industry: maybe(z.object({ mcc: text, sector: text, category: text })),
  support_channels: maybe(z.object({ email: text, phone: text, url: text })),
})

/**
 * An account (interface document, "Account"); limits are minor units. Omits the IP address and user agent of the terms' acceptance: the
 * address is personal data.
 */
export const account = z.object({
  id,
  organization_id: maybeId,
  type: text,
  status: word,
  status_detail: statusDetail,
  access_level: text,
  business_profile: maybe(businessProfile),
  capabilities: maybe(
    z.object({
      payment_types: maybe(z.object({ charges: capability, payouts: capability })),
      customer_types: maybe(z.object({ individuals: capability, businesses: capability })),
      consent_types: maybe(z.object({ signed_agreement: capability, internet: capability })),
    }),
  ),
  settings: maybe(z.object({ charges: limits, payouts: limits })),
  terms_of_service: maybe(z.object({ accepted_date: maybeTimestamp, agreement_url: text, agreement_type: text })),
  metadata,
  external_id: text,
  created_at: maybeTimestamp,
  updated_at: maybeTimestamp,
})

export type Account = z.output<typeof account>

/** All filters of the accounts list (provider facts 1.8). `type` has only one possible value. */
const accountsFilter = z.strictObject({
  ...createPagingFields(['id', 'name', 'created_at'], 'id', 'asc'),
  search_text: shortText,
  status: oneOf(accountStatuses).optional(),
  type: oneOf(['business']).optional(),
  external_id: shortText,
})

export const accountSchemas = {
  'accounts.list': { input: accountsFilter, output: z.array(account) },
  'accounts.get': { input: z.strictObject({ id }), output: account },
  'accounts.create': { input: newAccount, output: account },
  'accounts.update': { input: accountUpdate, output: account },
  'accounts.onboard': { input: accountOnboarding, output: account },
  'accounts.simulate': { input: accountSimulation, output: account },
}

/**
 * The settings in force for an account (provider facts 2.14). Limits are minor units. Each capability is `active` or `inactive`, and
 * `configuration` has four switches. The company id on statements is the tax ID, so only its last four digits remain.
 */
const accountSettings = z.object({
  charges: limits,
  payouts: limits,
  statement_settings: maybe(z.object({ company_name: text, company_id: lastFour, default_descriptor: text })),
  payment_types: maybe(z.object({ charges: text, payouts: text })),
  customer_types: maybe(z.object({ individuals: text, businesses: text })),
  consent_types: maybe(z.object({ internet: text, signed_agreement: text })),
  configuration: maybe(
    z.object({
      allow_data_unmask: flag,
      allow_duplicate_email: flag,
      allow_customer_identity_skip: flag,
      allow_paykey_verification_skip: flag,
    }),
  ),
})

export type AccountSettings = z.output<typeof accountSettings>

export const accountSettingsSchemas = {
  'account_settings.get': { input: z.strictObject({ id }), output: accountSettings },
}

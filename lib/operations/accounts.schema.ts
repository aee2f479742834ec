import * as z from 'zod'
import {
  id,
  maskedLastFour,
  metadata,
  openEnumValue,
  optionalBoolean,
  optionalId,
  optionalNumber,
  optionalOf,
  optionalText,
  optionalTimestamp,
  stateReason,
} from './common.schema'
import { accountStatuses, agreementTypes, dashboardAccessLevels } from './enumerations'
import {
  createOneLineTextSchema,
  createPagingFields,
  createRequiredTextSchema,
  email,
  externalId,
  metadataInput,
  oneOf,
  shortText,
  usStateCode,
  webPageUrl,
} from './input.schema'

const taxId = z.string('Enter the tax ID.').regex(/^\d{9}$/, 'Must be 9 digits, without a dash.')
const businessPhone = createOneLineTextSchema(30, 'Enter a phone number.')

const address = z.strictObject({
  line1: createOneLineTextSchema(100, 'Enter the street and number.'),
  line2: createOneLineTextSchema(100, 'Leave blank if there is none.').optional(),
  city: createOneLineTextSchema(100, 'Enter the city.'),
  state: usStateCode,
  postal_code: createOneLineTextSchema(20, 'Enter the postal code.'),
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
    sector: createOneLineTextSchema(100, 'Enter the sector.').optional(),
    category: createOneLineTextSchema(100, 'Enter the category.').optional(),
  })
  .refine(
    ({ mcc, sector, category }) =>
      mcc !== undefined || (sector !== undefined && category !== undefined),
    {
      message: 'Required unless sector and category are given.',
      path: ['mcc'],
    },
  )

const businessProfileFields = {
  name: createOneLineTextSchema(200, 'Enter the name of the business.'),
  website: webPageUrl,
  legal_name: createOneLineTextSchema(200, 'Enter the legal name.').optional(),
  description: createRequiredTextSchema(1_000, 'Enter the business description.').optional(),
  use_case: createRequiredTextSchema(1_000, 'Enter the purpose of the payments.').optional(),
  phone: businessPhone.optional(),
  address: address.optional(),
  industry: industry.optional(),
  support_channels: z
    .strictObject({
      email: email.optional(),
      phone: businessPhone.optional(),
      url: webPageUrl.optional(),
    })
    .optional(),
}

/** Input of a new account (provider facts 1.8). */
const newAccount = z.strictObject({
  organization_id: id,
  account_type: oneOf(['business']),
  access_level: oneOf(dashboardAccessLevels),
  business_profile: z.strictObject({ ...businessProfileFields, tax_id: taxId.optional() }),
  metadata: metadataInput,
  external_id: externalId.optional(),
})

/**
 * The service replaces the whole stored profile, so omitted fields are lost. Reads contain only
 * four digits of the tax ID, so `tax_id` is required: nine digits, or null to remove it.
 */
const accountUpdate = z.strictObject({
  id,
  business_profile: z.strictObject({ ...businessProfileFields, tax_id: taxId.nullable() }),
  metadata: metadataInput,
  external_id: externalId.optional(),
})

/** The terms that an account accepts when it is submitted for verification. */
const accountOnboardingInput = z.strictObject({
  id,
  terms_of_service: z.strictObject({
    accepted_date: z.iso.datetime({
      offset: true,
      error: 'Must be a time like 2026-03-31T14:05:00Z.',
    }),
    agreement_url: webPageUrl,
    agreement_type: oneOf(agreementTypes),
    accepted_ip: z.union([z.ipv4(), z.ipv6()], 'Must be an IP address.').optional(),
    accepted_user_agent: createOneLineTextSchema(500, 'Leave blank if unknown.').optional(),
  }),
})

/** The stage that a sandbox account moves to; by default the next one. */
const accountSimulationInput = z.strictObject({
  id,
  final_status: oneOf(['onboarding', 'active']).optional(),
})

/** Amounts are in minor units, `monthly_count` is payments (interface document, "Limits"). */
export const paymentLimits = optionalOf(
  z.object({
    max_amount: optionalNumber,
    daily_amount: optionalNumber,
    monthly_amount: optionalNumber,
    monthly_count: optionalNumber,
    funding_time: optionalText,
    linked_bank_account_id: optionalId,
  }),
)

const capability = optionalOf(z.object({ capability_status: optionalText }))

/** Contact data of a business is public: not masked. Of the tax ID, only four digits are kept. */
const businessProfile = z.object({
  name: optionalText,
  legal_name: optionalText,
  website: optionalText,
  description: optionalText,
  use_case: optionalText,
  tax_id: maskedLastFour,
  phone: optionalText,
  address: optionalOf(
    z.object({
      line1: optionalText,
      line2: optionalText,
      city: optionalText,
      state: optionalText,
      postal_code: optionalText,
      country: optionalText,
    }),
  ),
  industry: optionalOf(
    z.object({ mcc: optionalText, sector: optionalText, category: optionalText }),
  ),
  support_channels: optionalOf(
    z.object({ email: optionalText, phone: optionalText, url: optionalText }),
  ),
})

/**
 * An account (interface document, "Account"). Limits are in minor units. The IP address and user
 * agent with which the terms were accepted are left out, because the address is personal data.
 */
export const account = z.object({
  id,
  organization_id: optionalId,
  type: optionalText,
  status: openEnumValue,
  status_detail: stateReason,
  access_level: optionalText,
  business_profile: optionalOf(businessProfile),
  capabilities: optionalOf(
    z.object({
      payment_types: optionalOf(z.object({ charges: capability, payouts: capability })),
      customer_types: optionalOf(z.object({ individuals: capability, businesses: capability })),
      consent_types: optionalOf(z.object({ signed_agreement: capability, internet: capability })),
    }),
  ),
  settings: optionalOf(z.object({ charges: paymentLimits, payouts: paymentLimits })),
  terms_of_service: optionalOf(
    z.object({
      accepted_date: optionalTimestamp,
      agreement_url: optionalText,
      agreement_type: optionalText,
    }),
  ),
  metadata,
  external_id: optionalText,
  created_at: optionalTimestamp,
  updated_at: optionalTimestamp,
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
  'accounts.onboard': { input: accountOnboardingInput, output: account },
  'accounts.simulate': { input: accountSimulationInput, output: account },
}

/**
 * Provider facts 2.14. Limits are in minor units. `company_id`, shown on bank statements, is the
 * tax ID, so only its last four digits are kept.
 */
const accountSettings = z.object({
  charges: paymentLimits,
  payouts: paymentLimits,
  statement_settings: optionalOf(
    z.object({
      company_name: optionalText,
      company_id: maskedLastFour,
      default_descriptor: optionalText,
    }),
  ),
  payment_types: optionalOf(z.object({ charges: optionalText, payouts: optionalText })),
  customer_types: optionalOf(z.object({ individuals: optionalText, businesses: optionalText })),
  consent_types: optionalOf(z.object({ internet: optionalText, signed_agreement: optionalText })),
  configuration: optionalOf(
    z.object({
      allow_data_unmask: optionalBoolean,
      allow_duplicate_email: optionalBoolean,
      allow_customer_identity_skip: optionalBoolean,
      allow_paykey_verification_skip: optionalBoolean,
    }),
  ),
})

export type AccountSettings = z.output<typeof accountSettings>

export const accountSettingsSchemas = {
  'account_settings.get': { input: z.strictObject({ id }), output: accountSettings },
}

import { z } from 'zod'
import {
  enumField,
  externalId,
  metadata,
  patternField,
  textField,
  uuid,
} from '@/sandbox/http/read-body'

const optionalText = (max: number) => textField(max).nullable().default(null)

const websiteSchema = z
  .url({ protocol: /^https?$/, error: 'must be a URL that begins with http:// or https://' })
  .max(500, 'must be at most 500 characters')
const stateSchema = patternField(/^[A-Z]{2}$/, 'must be two capital letters')
const countrySchema = z
  .string('must be a string')
  .regex(/^[A-Z]{2}$/, 'must be two capital letters')

const addressSchema = z.strictObject(
  {
    line1: textField(100),
    line2: optionalText(100),
    city: textField(100),
    state: stateSchema,
    postal_code: textField(20),
    country: countrySchema.default('US'),
  },
  'must be an object',
)

const industrySchema = z
  .strictObject(
    { mcc: optionalText(10), sector: optionalText(100), category: optionalText(100) },
    'must be an object',
  )
  .refine(({ mcc, sector, category }) => Boolean(mcc) || (Boolean(sector) && Boolean(category)), {
    message: 'is required unless sector and category are given',
    path: ['mcc'],
  })

const supportChannelsSchema = z.strictObject(
  {
    email: optionalText(254),
    phone: optionalText(30),
    url: websiteSchema.nullable().default(null),
  },
  'must be an object',
)

/**
 * A missing field becomes null, so that the parsed profile has every field of a stored account's
 * profile.
 */
const businessProfileSchema = z.strictObject(
  {
    name: textField(200),
    website: websiteSchema,
    legal_name: optionalText(200),
    description: optionalText(1_000),
    use_case: optionalText(1_000),
    tax_id: z
      .string('must be a string')
      .regex(/^[0-9]{9}$/, 'must be 9 digits')
      .nullable()
      .default(null),
    phone: optionalText(30),
    address: addressSchema.nullable().default(null),
    industry: industrySchema.nullable().default(null),
    support_channels: supportChannelsSchema.nullable().default(null),
  },
  'is required and must be an object',
)

export const createAccountSchema = z.strictObject({
  organization_id: uuid,
  account_type: enumField(['business']),
  business_profile: businessProfileSchema,
  access_level: enumField(['standard', 'managed']),
  metadata: metadata.nullish(),
  external_id: externalId.nullish(),
})

/**
 * Body of `PUT /v1/accounts/{account_id}`, which replaces the whole profile. `metadata` and
 * `external_id` stay unchanged if missing. Null metadata counts as missing.
 */
export const updateAccountSchema = createAccountSchema.pick({
  business_profile: true,
  metadata: true,
  external_id: true,
})

export const onboardAccountSchema = z.strictObject({
  terms_of_service: z.strictObject(
    {
      accepted_date: z.iso.datetime({ offset: true, error: 'must be an ISO 8601 date-time' }),
      agreement_url: websiteSchema,
      agreement_type: enumField(['embedded', 'direct']).default('embedded'),
      accepted_ip: z.union([z.ipv4(), z.ipv6()], 'must be an IP address').nullable().default(null),
      accepted_user_agent: optionalText(500),
    },
    'is required and must be an object',
  ),
})

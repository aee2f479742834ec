import { z } from 'zod'
import {
  externalIdSchema,
  makeEnumSchema,
  makePatternSchema,
  makeTextSchema,
  metadataInputSchema,
  uuidSchema,
} from '@/sandbox/http/read-body'

const makeOptionalTextSchema = (max: number) => makeTextSchema(max).nullable().default(null)

const websiteSchema = z
  .url({ protocol: /^https?$/, error: 'must be a URL that begins with http:// or https://' })
  .max(500, 'must be at most 500 characters')
const usStateSchema = makePatternSchema(/^[A-Z]{2}$/, 'must be two capital letters')
const countrySchema = z
  .string('must be a string')
  .regex(/^[A-Z]{2}$/, 'must be two capital letters')

const addressSchema = z.strictObject(
  {
    line1: makeTextSchema(100),
    line2: makeOptionalTextSchema(100),
    city: makeTextSchema(100),
    state: usStateSchema,
    postal_code: makeTextSchema(20),
    country: countrySchema.default('US'),
  },
  'must be an object',
)

const industrySchema = z
  .strictObject(
    {
      mcc: makeOptionalTextSchema(10),
      sector: makeOptionalTextSchema(100),
      category: makeOptionalTextSchema(100),
    },
    'must be an object',
  )
  .refine(({ mcc, sector, category }) => Boolean(mcc) || (Boolean(sector) && Boolean(category)), {
    message: 'is required unless sector and category are given',
    path: ['mcc'],
  })

const supportChannelsSchema = z.strictObject(
  {
    email: makeOptionalTextSchema(254),
    phone: makeOptionalTextSchema(30),
    url: websiteSchema.nullable().default(null),
  },
  'must be an object',
)

/** A missing field becomes null, because a stored profile has every field. */
const businessProfileSchema = z.strictObject(
  {
    name: makeTextSchema(200),
    website: websiteSchema,
    legal_name: makeOptionalTextSchema(200),
    description: makeOptionalTextSchema(1_000),
    use_case: makeOptionalTextSchema(1_000),
    tax_id: z
      .string('must be a string')
      .regex(/^[0-9]{9}$/, 'must be 9 digits')
      .nullable()
      .default(null),
    phone: makeOptionalTextSchema(30),
    address: addressSchema.nullable().default(null),
    industry: industrySchema.nullable().default(null),
    support_channels: supportChannelsSchema.nullable().default(null),
  },
  'is required and must be an object',
)

export const createAccountSchema = z.strictObject({
  organization_id: uuidSchema,
  account_type: makeEnumSchema(['business']),
  business_profile: businessProfileSchema,
  access_level: makeEnumSchema(['standard', 'managed']),
  metadata: metadataInputSchema.nullish(),
  external_id: externalIdSchema.nullish(),
})

/** Missing `metadata` or `external_id` stays unchanged. Null metadata counts as missing. */
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
      agreement_type: makeEnumSchema(['embedded', 'direct']).default('embedded'),
      accepted_ip: z.union([z.ipv4(), z.ipv6()], 'must be an IP address').nullable().default(null),
      accepted_user_agent: makeOptionalTextSchema(500),
    },
    'is required and must be an object',
  ),
})

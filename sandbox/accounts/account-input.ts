import { z } from 'zod'
import { enumField, externalId, metadata, pattern, text, uuid } from '@/sandbox/http/read-body'

const optionalText = (max: number) => text(max).nullable().default(null)

const website = z
  .url({ protocol: /^https?$/, error: 'must be a URL that begins with http:// or https://' })
  .max(500, 'must be at most 500 characters')
const state = pattern(/^[A-Z]{2}$/, 'must be two capital letters')
const country = z.string('must be a string').regex(/^[A-Z]{2}$/, 'must be two capital letters')

const address = z.strictObject(
  {
    line1: text(100),
    line2: optionalText(100),
    city: text(100),
    state,
    postal_code: text(20),
    country: country.default('US'),
  },
  'must be an object',
)

const industry = z
  .strictObject({ mcc: optionalText(10), sector: optionalText(100), category: optionalText(100) }, 'must be an object')
  .refine(({ mcc, sector, category }) => Boolean(mcc) || (Boolean(sector) && Boolean(category)), {
    message: 'is required unless sector and category are given',
    path: ['mcc'],
  })

const supportChannels = z.strictObject(
  { email: optionalText(254), phone: optionalText(30), url: website.nullable().default(null) },
  'must be an object',
)

/** A missing field becomes null, so that the parsed profile has every field of a stored account's profile. */
const businessProfile = z.strictObject(
  {
    name: text(200),
    website,
    legal_name: optionalText(200),
    description: optionalText(1_000),
    use_case: optionalText(1_000),
    tax_id: z
      .string('must be a string')
      .regex(/^[0-9]{9}$/, 'must be 9 digits')
      .nullable()
      .default(null),
    phone: optionalText(30),
    address: address.nullable().default(null),
    industry: industry.nullable().default(null),
    support_channels: supportChannels.nullable().default(null),
  },
  'is required and must be an object',
)

export const createBody = z.strictObject({
  organization_id: uuid,
  account_type: enumField(['business']),
  business_profile: businessProfile,
  access_level: enumField(['standard', 'managed']),
  metadata: metadata.nullish(),
  external_id: externalId.nullish(),
})

/**
 * Body of `PUT /v1/accounts/{account_id}`, which replaces the whole profile. Metadata and reference stay unchanged if missing. Null
 * metadata counts as missing.
 */
export const updateBody = createBody.pick({ business_profile: true, metadata: true, external_id: true })

export const onboardBody = z.strictObject({
  terms_of_service: z.strictObject(
    {
      accepted_date: z.iso.datetime({ offset: true, error: 'must be an ISO 8601 date-time' }),
      agreement_url: website,
      agreement_type: enumField(['embedded', 'direct']).default('embedded'),
      accepted_ip: z.union([z.ipv4(), z.ipv6()], 'must be an IP address').nullable().default(null),
      accepted_user_agent: optionalText(500),
    },
    'is required and must be an object',
  ),
})

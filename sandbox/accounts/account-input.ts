import { z } from 'zod'
import { externalId, metadata, text, uuid, word } from '@/sandbox/http/read-body'

const website = z
  .url({ protocol: /^https?$/, error: 'must be a URL that begins with http:// or https://' })
  .max(500, 'must be at most 500 characters')
const state = z.string('is required and must be a string').regex(/^[A-Z]{2}$/, 'must be two capital letters')
const country = z.string('must be a string').regex(/^[A-Z]{2}$/, 'must be two capital letters')

const address = z.strictObject(
  {
    line1: text(100),
    line2: text(100).nullable().default(null),
    city: text(100),
    state,
    postal_code: text(20),
    country: country.default('US'),
  },
  'must be an object',
)

const industry = z
  .strictObject(
    { mcc: text(10).nullable().default(null), sector: text(100).nullable().default(null), category: text(100).nullable().default(null) },
    'must be an object',
  )
  .refine(({ mcc, sector, category }) => Boolean(mcc) || (Boolean(sector) && Boolean(category)), {
    message: 'is required unless sector and category are given',
    path: ['mcc'],
  })

const supportChannels = z.strictObject(
  { email: text(254).nullable().default(null), phone: text(30).nullable().default(null), url: website.nullable().default(null) },
  'must be an object',
)

/** Missing fields become null, so that a parsed profile has the account's shape. */
const businessProfile = z.strictObject(
  {
    name: text(200),
    website,
    legal_name: text(200).nullable().default(null),
    description: text(1_000).nullable().default(null),
    use_case: text(1_000).nullable().default(null),
    tax_id: z
      .string('must be a string')
      .regex(/^[0-9]{9}$/, 'must be 9 digits')
      .nullable()
      .default(null),
    phone: text(30).nullable().default(null),
    address: address.nullable().default(null),
    industry: industry.nullable().default(null),
    support_channels: supportChannels.nullable().default(null),
  },
  'is required and must be an object',
)

/** `POST /v1/accounts` */
export const createBody = z.strictObject({
  organization_id: uuid,
  account_type: word(['business']),
  business_profile: businessProfile,
  access_level: word(['standard', 'managed']),
  metadata: metadata.nullish(),
  external_id: externalId.nullish(),
})

/** `PUT /v1/accounts/{account_id}`: replaces the whole profile. Missing metadata and reference stay unchanged, as does null metadata. */
export const updateBody = createBody.pick({ business_profile: true, metadata: true, external_id: true })

/** `POST /v1/accounts/{account_id}/onboard` */
export const onboardBody = z.strictObject({
  terms_of_service: z.strictObject(
    {
      accepted_date: z.iso.datetime({ offset: true, error: 'must be an ISO 8601 date-time' }),
      agreement_url: website,
      agreement_type: word(['embedded', 'direct']).default('embedded'),
      accepted_ip: z.union([z.ipv4(), z.ipv6()], 'must be an IP address').nullable().default(null),
      accepted_user_agent: text(500).nullable().default(null),
    },
    'is required and must be an object',
  ),
})

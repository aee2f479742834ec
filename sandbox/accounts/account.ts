import { z } from 'zod'
import {
  externalIdSchema,
  makeEnumSchema,
  metadataInputSchema,
  timestampSchema,
  uuidSchema,
} from '@/sandbox/http/read-body'
import { DocTable } from '@/sandbox/store/doc-table'
import type { SqliteStore } from '@/sandbox/store/store'
import { accountReasons, makeStatusDetailSchema } from './verification'

/** Possible statuses of an account or a representative (provider-facts 2.1). */
export const accountStatuses = ['created', 'onboarding', 'active', 'rejected', 'inactive'] as const

const fundingTimes = [
  'immediate',
  'next_day',
  'one_day',
  'two_day',
  'three_day',
  'four_day',
  'five_day',
] as const

export const capabilityStatusSchema = z.enum(['active', 'inactive'])

const capabilitySchema = z
  .strictObject({ capability_status: capabilityStatusSchema })
  .meta({ id: 'Capability' })

/** For charges or for payouts. Amounts are in cents; `monthly_count` is a number of payments. */
export const accountLimitsSchema = z
  .strictObject({
    max_amount: z.int().min(0),
    daily_amount: z.int().min(0),
    monthly_amount: z.int().min(0),
    monthly_count: z.int().min(0),
    funding_time: z.enum(fundingTimes),
    linked_bank_account_id: uuidSchema.nullable(),
  })
  .meta({ id: 'AccountLimits' })

export type AccountLimits = z.infer<typeof accountLimitsSchema>

const nullableTextSchema = z.string().nullable()

const businessProfileSchema = z
  .strictObject({
    name: z.string(),
    website: z.string(),
    legal_name: nullableTextSchema,
    description: nullableTextSchema,
    use_case: nullableTextSchema,
    tax_id: nullableTextSchema,
    phone: nullableTextSchema,
    address: z
      .strictObject({
        line1: z.string(),
        line2: nullableTextSchema,
        city: z.string(),
        state: z.string(),
        postal_code: z.string(),
        country: z.string(),
      })
      .nullable(),
    industry: z
      .strictObject({
        mcc: nullableTextSchema,
        sector: nullableTextSchema,
        category: nullableTextSchema,
      })
      .nullable(),
    support_channels: z
      .strictObject({
        email: nullableTextSchema,
        phone: nullableTextSchema,
        url: nullableTextSchema,
      })
      .nullable(),
  })
  .meta({ id: 'BusinessProfile' })

export const accountSchema = z
  .strictObject({
    id: uuidSchema,
    organization_id: uuidSchema,
    type: z.enum(['business']),
    status: makeEnumSchema(accountStatuses),
    status_detail: makeStatusDetailSchema(accountReasons),
    access_level: z.enum(['standard', 'managed']),
    business_profile: businessProfileSchema,
    capabilities: z.strictObject({
      payment_types: z.strictObject({ charges: capabilitySchema, payouts: capabilitySchema }),
      customer_types: z.strictObject({
        individuals: capabilitySchema,
        businesses: capabilitySchema,
      }),
      consent_types: z.strictObject({
        signed_agreement: capabilitySchema,
        internet: capabilitySchema,
      }),
    }),
    settings: z.strictObject({ charges: accountLimitsSchema, payouts: accountLimitsSchema }),
    terms_of_service: z
      .strictObject({
        accepted_date: timestampSchema,
        agreement_url: z.string(),
        agreement_type: z.enum(['embedded', 'direct']),
        accepted_ip: nullableTextSchema,
        accepted_user_agent: nullableTextSchema,
      })
      .nullable(),
    metadata: metadataInputSchema,
    external_id: externalIdSchema.nullable(),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  })
  .meta({ id: 'Account' })

export type Account = z.infer<typeof accountSchema>

/** Settings that only `GET /v1/account_settings/{account_id}` returns (provider-facts 2.14). */
export const accountConfigurationSchema = z
  .strictObject({
    allow_data_unmask: z.boolean(),
    allow_duplicate_email: z.boolean(),
    allow_customer_identity_skip: z.boolean(),
    allow_paykey_verification_skip: z.boolean(),
  })
  .meta({ id: 'AccountConfiguration' })

export type AccountConfiguration = z.infer<typeof accountConfigurationSchema>

export const defaultAccountConfiguration: AccountConfiguration = {
  allow_data_unmask: false,
  allow_duplicate_email: false,
  allow_customer_identity_skip: false,
  allow_paykey_verification_skip: false,
}

export type HiddenAccountFields = { configuration: AccountConfiguration }

export const createAccountTable = (store: SqliteStore) =>
  new DocTable<Account, HiddenAccountFields>(store, {
    name: 'accounts',
    columns: {
      type: ({ type }) => type,
      status: ({ status }) => status,
      external_id: ({ external_id }) => external_id,
      organization_id: ({ organization_id }) => organization_id,
      name: (account) => account.business_profile.name.toLowerCase(),
      created_at: ({ created_at }) => created_at,
    },
    search: ({ business_profile: { name, legal_name }, external_id, id }) =>
      [name, legal_name, external_id, id].join(' '),
  })

export type AccountTable = ReturnType<typeof createAccountTable>

import { z } from 'zod'
import { enumField, externalId, metadata, timestamp, uuid } from '@/sandbox/http/read-body'
import { DocTable } from '@/sandbox/store/doc-table'
import type { Store } from '@/sandbox/store/store'
import { accountReasons, statusDetail } from './verification'

/** States of accounts and representatives (provider-facts 2.1). */
export const accountStatuses = ['created', 'onboarding', 'active', 'rejected', 'inactive'] as const

const fundingTimes = ['immediate', 'next_day', 'one_day', 'two_day', 'three_day', 'four_day', 'five_day'] as const

export const capabilityStatus = z.enum(['active', 'inactive'])

const capability = z.strictObject({ capability_status: capabilityStatus }).meta({ id: 'Capability' })

/** Limits of one payment type. Amounts are in cents; `monthly_count` is a number of payments. */
export const limits = z
  .strictObject({
    max_amount: z.int().min(0),
    daily_amount: z.int().min(0),
    monthly_amount: z.int().min(0),
    monthly_count: z.int().min(0),
    funding_time: z.enum(fundingTimes),
    linked_bank_account_id: uuid.nullable(),
  })
  .meta({ id: 'AccountLimits' })

export type Limits = z.infer<typeof limits>

const nullableText = z.string().nullable()

const businessProfile = z
  .strictObject({
    name: z.string(),
    website: z.string(),
    legal_name: nullableText,
    description: nullableText,
    use_case: nullableText,
    tax_id: nullableText,
    phone: nullableText,
    address: z
      .strictObject({
        line1: z.string(),
        line2: nullableText,
        city: z.string(),
        state: z.string(),
        postal_code: z.string(),
        country: z.string(),
      })
      .nullable(),
    industry: z.strictObject({ mcc: nullableText, sector: nullableText, category: nullableText }).nullable(),
    support_channels: z.strictObject({ email: nullableText, phone: nullableText, url: nullableText }).nullable(),
  })
  .meta({ id: 'BusinessProfile' })

export const account = z
  .strictObject({
    id: uuid,
    organization_id: uuid,
    type: z.enum(['business']),
    status: enumField(accountStatuses),
    status_detail: statusDetail(accountReasons),
    access_level: z.enum(['standard', 'managed']),
    business_profile: businessProfile,
    capabilities: z.strictObject({
      payment_types: z.strictObject({ charges: capability, payouts: capability }),
      customer_types: z.strictObject({ individuals: capability, businesses: capability }),
      consent_types: z.strictObject({ signed_agreement: capability, internet: capability }),
    }),
    settings: z.strictObject({ charges: limits, payouts: limits }),
    terms_of_service: z
      .strictObject({
        accepted_date: timestamp,
        agreement_url: z.string(),
        agreement_type: z.enum(['embedded', 'direct']),
        accepted_ip: nullableText,
        accepted_user_agent: nullableText,
      })
      .nullable(),
    metadata,
    external_id: externalId.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Account' })

export type Account = z.infer<typeof account>

/** Extra permissions of an account (provider-facts 2.14). API responses show them in the account's settings, not in the account. */
export const configuration = z
  .strictObject({
    allow_data_unmask: z.boolean(),
    allow_duplicate_email: z.boolean(),
    allow_customer_identity_skip: z.boolean(),
    allow_paykey_verification_skip: z.boolean(),
  })
  .meta({ id: 'AccountConfiguration' })

export type Configuration = z.infer<typeof configuration>

export const usualConfiguration: Configuration = {
  allow_data_unmask: false,
  allow_duplicate_email: false,
  allow_customer_identity_skip: false,
  allow_paykey_verification_skip: false,
}

export type AccountSecret = { configuration: Configuration }

export const accountTable = (store: Store) =>
  new DocTable<Account, AccountSecret>(store, {
    name: 'accounts',
    columns: {
      type: ({ type }) => type,
      status: ({ status }) => status,
      external_id: ({ external_id }) => external_id,
      organization_id: ({ organization_id }) => organization_id,
      name: (account) => account.business_profile.name.toLowerCase(),
      created_at: ({ created_at }) => created_at,
    },
    search: ({ business_profile: { name, legal_name }, external_id, id }) => [name, legal_name, external_id, id].join(' '),
  })

export type AccountTable = ReturnType<typeof accountTable>

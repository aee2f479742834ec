import * as z from 'zod'
import { accountOnboarding, accountSimulation, accountUpdate, newAccount } from './account-input.schema'
import { id, lastFour, maybe, maybeId, maybeNumber, maybeTimestamp, metadata, statusDetail, text } from './common.schema'
import { accountStatuses } from './enumerations'
import { oneOf, paging, shortText } from './filter.schema'

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

/** A business as it describes itself. Its contacts are the ones it shows to the public; of the tax id the last four digits are left. */
export const businessProfile = z.object({
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
 * An account (interface document, "Account"); limits are minor units. Who accepted the terms from which device stays behind: the address is
 * a person's.
 */
export const account = z.object({
  id,
  organization_id: text,
  type: text,
  status: z.string(),
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

/** An account as the browser sees it. */
export type Account = z.output<typeof account>

/** Every filter of the list (provider facts 1.8); `type` has one value. */
export const accountsFilter = z.strictObject({
  ...paging(['id', 'name', 'created_at'], 'id', 'asc'),
  search_text: shortText,
  status: oneOf(accountStatuses).optional(),
  type: oneOf(['business']).optional(),
  external_id: shortText,
})

/** What each account operation carries. */
export const accountSchemas = {
  'accounts.list': { input: accountsFilter, output: z.array(account) },
  'accounts.get': { input: z.strictObject({ id }), output: account },
  'accounts.create': { input: newAccount, output: account },
  'accounts.update': { input: accountUpdate, output: account },
  'accounts.onboard': { input: accountOnboarding, output: account },
  'accounts.simulate': { input: accountSimulation, output: account },
}

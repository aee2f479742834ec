import * as z from 'zod'
import { limits } from './accounts.schema'
import { flag, id, lastFour, maybe, text } from './common.schema'

/**
 * What an account may do, as it is in force: limits in minor units, parts that are `active` or `inactive`, and four switches (provider facts
 * 2.14). The company's id on statements is its tax id, so only its last four digits are left.
 */
export const accountSettings = z.object({
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

/** The settings of an account. */
export type AccountSettings = z.output<typeof accountSettings>

/** What the operation on settings carries; `id` is the account's. */
export const accountSettingsSchemas = {
  'account_settings.get': { input: z.strictObject({ id }), output: accountSettings },
}

import { z } from 'zod'
import { type Account, type Configuration, capabilityStatus, configuration, limits } from './account'

const maybe = z.string().nullable()

/** Response of `GET /v1/account_settings/{account_id}`: limits, enabled capabilities, and the configuration. */
export const accountSettings = z
  .strictObject({
    charges: limits,
    payouts: limits,
    statement_settings: z.strictObject({ company_name: maybe, company_id: maybe, default_descriptor: maybe }),
    payment_types: z.strictObject({ charges: capabilityStatus, payouts: capabilityStatus }),
    customer_types: z.strictObject({ individuals: capabilityStatus, businesses: capabilityStatus }),
    consent_types: z.strictObject({ internet: capabilityStatus, signed_agreement: capabilityStatus }),
    configuration,
  })
  .meta({ id: 'AccountSettings' })

export function accountSettingsOf(account: Account, switches: Configuration): z.infer<typeof accountSettings> {
  const { payment_types, customer_types, consent_types } = account.capabilities
  const { name, tax_id } = account.business_profile
  return {
    charges: account.settings.charges,
    payouts: account.settings.payouts,
    statement_settings: {
      // A bank statement line has room for 16 characters of a company's name.
      company_name: name.slice(0, 16).toUpperCase(),
      company_id: tax_id,
      default_descriptor: name.slice(0, 80),
    },
    payment_types: { charges: payment_types.charges.capability_status, payouts: payment_types.payouts.capability_status },
    customer_types: {
      individuals: customer_types.individuals.capability_status,
      businesses: customer_types.businesses.capability_status,
    },
    consent_types: {
      internet: consent_types.internet.capability_status,
      signed_agreement: consent_types.signed_agreement.capability_status,
    },
    configuration: switches,
  }
}

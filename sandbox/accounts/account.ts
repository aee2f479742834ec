/** An amount of a limit is integer cents; `monthly_count` counts payments. */
export type Limits = {
  max_amount: number
  daily_amount: number
  monthly_amount: number
  monthly_count: number
  funding_time: string
  linked_bank_account_id: string
}

type Capability = { capability_status: string }

/** The account as the service gives it (interface document, "Account"). */
export type Account = {
  id: string
  organization_id: string
  type: string
  status: string
  status_detail: { reason: string; source: string; code: string; message: string }
  access_level: string
  business_profile: {
    name: string
    website: string
    legal_name: string
    description: string
    use_case: string
    tax_id: string
    phone: string
    address: { line1: string; line2: string | null; city: string; state: string; postal_code: string; country: string }
    industry: { mcc: string; sector: string; category: string }
    support_channels: { email: string; phone: string; url: string }
  }
  capabilities: {
    payment_types: { charges: Capability; payouts: Capability }
    customer_types: { individuals: Capability; businesses: Capability }
    consent_types: { signed_agreement: Capability; internet: Capability }
  }
  settings: { charges: Limits; payouts: Limits }
  terms_of_service: {
    accepted_date: string
    agreement_url: string
    agreement_type: string
    accepted_ip: string
    accepted_user_agent: string
  } | null
  metadata: Record<string, string>
  external_id: string
  created_at: string
  updated_at: string
}

/** What `GET /v1/account_settings/{account_id}` gives: the limits again, and which parts of the service are on. */
export function accountSettingsOf(account: Account) {
  const { payment_types, customer_types, consent_types } = account.capabilities
  return {
    charges: account.settings.charges,
    payouts: account.settings.payouts,
    statement_settings: {
      company_name: account.business_profile.name.slice(0, 16).toUpperCase(),
      company_id: account.business_profile.tax_id,
      default_descriptor: account.business_profile.name.slice(0, 80),
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
    configuration: {
      allow_data_unmask: false,
      allow_duplicate_email: false,
      allow_customer_identity_skip: false,
      allow_paykey_verification_skip: false,
    },
  }
}

import type { z } from 'zod'
import type { Environment } from '@/sandbox/environment'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import { newId } from '@/sandbox/store/new-id'
import type { Account, Limits } from './account'
import { usualConfiguration } from './account'
import type { createBody } from './account-input'
import { detailOf } from './verification'

/** Initial limits of an account, in cents: $5,000 per payment. A capability request raises them. */
const usualLimits: Limits = {
  ...{ max_amount: 500_000, daily_amount: 5_000_000, monthly_amount: 50_000_000, monthly_count: 1_000 },
  ...{ funding_time: 'one_day', linked_bank_account_id: null },
}

/**
 * All capabilities are on in the sandbox environment, so that test money moves without onboarding. In production each must be requested.
 */
export function usualCapabilities(environment: Environment): Account['capabilities'] {
  const initialCapability = { capability_status: environment === 'sandbox' ? 'active' : 'inactive' } as const
  return {
    payment_types: { charges: { ...initialCapability }, payouts: { ...initialCapability } },
    customer_types: { individuals: { ...initialCapability }, businesses: { ...initialCapability } },
    consent_types: { signed_agreement: { ...initialCapability }, internet: { ...initialCapability } },
  }
}

/** Creates and announces an account, as `POST /v1/accounts`. The organization must exist. Must run in a transaction. */
export function newAccount(sandbox: Sandbox, input: z.infer<typeof createBody>, now: number): Account {
  const account: Account = {
    id: newId(now),
    organization_id: input.organization_id.toLowerCase(),
    type: input.account_type,
    status: 'created',
    status_detail: detailOf('unverified'),
    access_level: input.access_level,
    business_profile: input.business_profile,
    capabilities: usualCapabilities(sandbox.environment),
    settings: { charges: { ...usualLimits }, payouts: { ...usualLimits } },
    terms_of_service: null,
    metadata: input.metadata ?? {},
    external_id: input.external_id ?? null,
    ...{ created_at: iso(now), updated_at: iso(now) },
  }
  sandbox.accounts.insert(null, account, { configuration: usualConfiguration })
  sandbox.events.created({ resource: 'account', accountId: account.id, data: account }, now)
  return account
}

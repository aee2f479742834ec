import type { z } from 'zod'
import type { Environment } from '@/sandbox/environment'
import { defineMachine, requireMove } from '@/sandbox/machine'
import type { Sandbox } from '@/sandbox/sandbox'
import { makeTimestamps } from '@/sandbox/store/clock'
import type { TableEntry } from '@/sandbox/store/doc-table'
import { newId } from '@/sandbox/store/store'
import {
  type Account,
  type AccountLimits,
  accountStatuses,
  defaultAccountConfiguration,
  type HiddenAccountFields,
} from './account'
import type { createAccountSchema } from './account-input'
import {
  type AccountReason,
  type MoveReason,
  setVerificationStatus,
  toStatusDetail,
} from './verification'

/**
 * Clients request onboarding and the simulations over the API. The service's compliance staff
 * decides `review`, `verify`, `reject` and `deactivate` (provider-facts 3.4).
 */
export const accountMachine = defineMachine({
  noun: 'account',
  states: accountStatuses,
  moves: {
    onboard: { by: 'ask', from: ['created'], to: 'onboarding', done: 'onboarded' },
    simulate_onboarding: {
      by: 'ask',
      from: ['created'],
      to: 'onboarding',
      done: 'simulated as onboarding',
    },
    simulate_active: {
      by: 'ask',
      from: ['created', 'onboarding'],
      to: 'active',
      done: 'simulated as active',
    },
    review: { by: 'clock', from: ['onboarding'], to: 'onboarding', done: 'reviewed' },
    verify: { by: 'clock', from: ['onboarding'], to: 'active', done: 'verified' },
    reject: { by: 'clock', from: ['onboarding'], to: 'rejected', done: 'rejected' },
    deactivate: { by: 'clock', from: ['active'], to: 'inactive', done: 'deactivated' },
  },
})

export type AccountMove = keyof typeof accountMachine.moves

export type AccountEntry = TableEntry<Account, HiddenAccountFields>

export function saveAccount({ accounts, events }: Sandbox, entry: AccountEntry, now: number): void {
  accounts.save(entry)
  events.changed({ resource: 'account', accountId: entry.doc.id, data: entry.doc }, now)
}

export function moveAccount(
  sandbox: Sandbox,
  entry: AccountEntry,
  moveName: AccountMove,
  now: number,
  moveReason: MoveReason<AccountReason> = {},
): AccountEntry {
  requireMove(accountMachine, moveName, entry.doc.status)
  setVerificationStatus(entry.doc, accountMachine.moves[moveName].to, moveReason, now)
  saveAccount(sandbox, entry, now)
  return entry
}

/** Initial limits of an account, in cents: $5,000 per payment. A capability request raises them. */
const initialLimits: AccountLimits = {
  ...{
    max_amount: 500_000,
    daily_amount: 5_000_000,
    monthly_amount: 50_000_000,
    monthly_count: 1_000,
  },
  ...{ funding_time: 'one_day', linked_bank_account_id: null },
}

/**
 * All capabilities are active in the sandbox environment, so that test money moves without
 * onboarding.
 */
export function createInitialCapabilities(environment: Environment): Account['capabilities'] {
  const initialCapability = {
    capability_status: environment === 'sandbox' ? 'active' : 'inactive',
  } as const
  return {
    payment_types: { charges: { ...initialCapability }, payouts: { ...initialCapability } },
    customer_types: { individuals: { ...initialCapability }, businesses: { ...initialCapability } },
    consent_types: {
      signed_agreement: { ...initialCapability },
      internet: { ...initialCapability },
    },
  }
}

/** Also writes the `created` event. The organization must exist. Must run in a transaction. */
export function createAccount(
  sandbox: Sandbox,
  input: z.infer<typeof createAccountSchema>,
  now: number,
): AccountEntry {
  const account: Account = {
    id: newId(now),
    organization_id: input.organization_id.toLowerCase(),
    type: input.account_type,
    status: 'created',
    status_detail: toStatusDetail('unverified'),
    access_level: input.access_level,
    business_profile: input.business_profile,
    capabilities: createInitialCapabilities(sandbox.environment),
    settings: { charges: { ...initialLimits }, payouts: { ...initialLimits } },
    terms_of_service: null,
    metadata: input.metadata ?? {},
    external_id: input.external_id ?? null,
    ...makeTimestamps(now),
  }
  sandbox.events.created({ resource: 'account', accountId: account.id, data: account }, now)
  return sandbox.accounts.insert(null, account, { configuration: defaultAccountConfiguration })
}

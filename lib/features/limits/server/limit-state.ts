import 'server-only'
import { type LimitedPaymentType, type LimitSet, toLimitSet } from '@/lib/domain/limit-labels'
import { isFieldUnreadable, whyFieldsUnreadable } from '@/lib/domain/unreadable-rules'
import { createFieldError } from '@/lib/errors'
import { isCompleteRead } from '@/lib/features/limits/tracking'
import type { AccountSettings } from '@/lib/operations/accounts.schema'
import type { CapabilityRequest } from '@/lib/operations/capability-requests.schema'
import { schemasByOperation } from '@/lib/operations/registry'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { readMirrorList } from '@/lib/server/http/operation-reads'
import { readMirrorRows } from '@/lib/server/mirror/query'
import { readService } from '@/lib/server/service/service-read'

/** A value is null if not all of it could be read at the service. */
export type PartialLimitState = {
  limits: Record<LimitedPaymentType, LimitSet> | null
  capabilities: readonly CapabilityRequest[] | null
}

export type AccountLimitState = {
  settings: AccountSettings
  capabilities: readonly CapabilityRequest[]
  /** True if every capability request could be parsed and has a type and a state. */
  whole: boolean
  snapshot: string | undefined
}

export function requireAccountId({ accountId }: ScopedAccount): string {
  if (!accountId) throw createFieldError('account', 'Name the account whose limits this is about.')
  return accountId
}

const newestFirstPaging = { page_size: 100, sort_by: 'created_at', sort_order: 'desc' } as const

export async function readLimitsAtService(scope: ScopedAccount): Promise<AccountLimitState> {
  const [settings, capabilities] = await Promise.all([
    readService('account_settings.get', { id: requireAccountId(scope) }, scope),
    readService('capability_requests.list', newestFirstPaging, scope),
  ])
  return {
    settings: settings.data,
    capabilities: capabilities.data,
    whole: isCompleteRead(capabilities),
    snapshot: settings.meta.snapshot,
  }
}

/** A value is null if not all of it could be parsed. */
export const toPartialLimitState = ({
  settings,
  capabilities,
  whole,
}: AccountLimitState): PartialLimitState => ({
  limits: whyFieldsUnreadable('capability_requests.create', settings)
    ? null
    : { charges: toLimitSet(settings.charges), payouts: toLimitSet(settings.payouts) },
  capabilities: whole ? capabilities : null,
})

/** The mirror, our copy of the service's data, may be outdated: use it for lists only. */
export async function readMirroredLimitState(
  actor: Actor,
  scope: ScopedAccount,
): Promise<PartialLimitState> {
  const [[account], capabilities] = await Promise.all([
    readMirrorRows(actor, 'accounts.list', [requireAccountId(scope)], scope),
    readMirrorList(
      actor,
      'capability_requests.list',
      schemasByOperation['capability_requests.list'].input.parse(newestFirstPaging),
      scope,
    ),
  ])
  const accountSettings = isFieldUnreadable(account?.object, 'settings')
    ? undefined
    : account?.object.settings
  const mirroredLimits = accountSettings
    ? { charges: toLimitSet(accountSettings.charges), payouts: toLimitSet(accountSettings.payouts) }
    : null
  return {
    limits: mirroredLimits,
    capabilities: isCompleteRead(capabilities) ? capabilities.data : null,
  }
}

export const unreadLimitState: PartialLimitState = { limits: null, capabilities: null }

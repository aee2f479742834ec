import 'server-only'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import type { ServiceSettings, UnreadableFieldCount } from '@/lib/operations/service-check'
import { recordRefusal } from '@/lib/server/audit/refusals'
import { getRolesIn, requireScope } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { env } from '@/lib/server/config/env'
import { getIntegration } from '@/lib/server/config/integration'
import type { DeskOperationHandlers } from '@/lib/server/http/desk-call'
import { listCountedUnreadableFields } from '@/lib/server/service/answer'
import { getKeyFingerprint } from '@/lib/server/service/client'
import { checkService } from '@/lib/server/service/doctor/check-service'
import { readBudget } from '@/lib/server/service/rate-limit'

/** A role for single accounts is not enough. */
function requirePlatformAdmin(actor: Actor, environment: Environment): void {
  if (getRolesIn(actor.grants, environment, null).includes('admin')) return
  throw new AppError('forbidden', 'Only an admin of the whole platform can open the settings.')
}

/** A refusal is recorded in the audit. */
export async function canOpenSettings(actor: Actor, environment: Environment): Promise<boolean> {
  try {
    requirePlatformAdmin(actor, environment)
    return true
  } catch (error) {
    await recordRefusal(error, { name: 'settings.open', actor, environment })
    return false
  }
}

/** Contains no secrets. */
export function readServiceSettings(environment: Environment): ServiceSettings {
  const { services, rateLimits, webhooks, accountHeader, accountPrefix, amountUnit, ...rest } =
    env()
  const { capabilityRequestsPath, listStyle, signedConsent, embedded } = rest
  return {
    origin: new URL(services[environment]?.url ?? '').origin,
    integration: getIntegration(environment),
    accountHeader,
    accountPrefix,
    amountUnit,
    capabilityRequestsPath,
    listStyle,
    signedConsent,
    hasWebhookSecret: webhooks[environment].secrets.length > 0,
    keyFingerprint: getKeyFingerprint(environment),
    rateLimit: rateLimits[environment],
    embedded,
  }
}

/**
 * The counts are those of this server process only, for all environments. Other processes have
 * their own.
 */
export const listUnreadableFieldCounts = (): UnreadableFieldCount[] =>
  listCountedUnreadableFields().map(({ last, ...part }) => ({
    ...part,
    last_at: new Date(last).toISOString(),
  }))

/**
 * Checks an environment's settings with read requests to its service. Each request counts against
 * the person's quota and the rate limit that all instances share. Stops if the browser disconnects.
 */
export const serviceCheckHandlers: DeskOperationHandlers<'service.check'> = {
  'service.check': async ({ request, environment, actor }) => {
    const serviceReport = await checkService(requireScope(actor, environment, null), request.signal)
    return { data: serviceReport, meta: { read_at: serviceReport.started_at } }
  },
}

/** Counts all instances together. Sends no request to the service. */
export const rateBudgetHandlers: DeskOperationHandlers<'rate_budget.read'> = {
  'rate_budget.read': async ({ environment }) => ({ data: await readBudget(environment) }),
}

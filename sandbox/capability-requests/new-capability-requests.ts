import type { Account, Limits } from '@/sandbox/accounts/account'
import type { AccountEntry } from '@/sandbox/accounts/account-machine'
import { type ProblemItem, unprocessable } from '@/sandbox/http/problem'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import { newId } from '@/sandbox/store/new-id'
import type { RequestedChanges } from './capability-request-input'
import { adjustableLimits, type CapabilityRequest, capabilityCategories, capabilityTypes } from './capability-request-store'

type RequestedPayment = NonNullable<RequestedChanges['charges']>

const ladder = [
  ['max_amount', 'daily_amount'],
  ['daily_amount', 'monthly_amount'],
] as const

/**
 * Returns the errors in the limits of one payment type: a limit must not exceed that of a longer period. Limits not requested keep their
 * value.
 */
function crossed(type: 'charges' | 'payouts', requested: RequestedPayment, current: Limits): ProblemItem[] {
  return ladder.flatMap(([less, more]) => {
    if (requested[less] === undefined && requested[more] === undefined) return []
    if ((requested[less] ?? current[less]) <= (requested[more] ?? current[more])) return []
    return requested[less] === undefined
      ? [{ reference: `${type}.${more}`, detail: `must not be less than ${less}` }]
      : [{ reference: `${type}.${less}`, detail: `must not be more than ${more}` }]
  })
}

function requireLadder(changes: RequestedChanges, { settings }: Account): void {
  const items = (['charges', 'payouts'] as const).flatMap((type) => {
    const requested = changes[type]
    return requested?.enable ? crossed(type, requested, settings[type]) : []
  })
  if (items.length > 0) throw unprocessable('The limits do not fit together.', items)
}

const settingsOf = (requested: RequestedPayment): CapabilityRequest['settings'] => {
  const limitEntries = adjustableLimits.flatMap((name) => (requested[name] === undefined ? [] : [[name, requested[name]] as const]))
  return limitEntries.length === 0 ? null : Object.fromEntries(limitEntries)
}

/**
 * Creates and announces one request in review per requested capability. Throws a 422 for limits that contradict each other. Must run in a
 * transaction.
 */
export function newCapabilityRequests(
  sandbox: Sandbox,
  { n, doc }: AccountEntry,
  changes: RequestedChanges,
  now: number,
): CapabilityRequest[] {
  requireLadder(changes, doc)
  return capabilityTypes.flatMap((type) => {
    const requested = changes[type]
    if (!requested) return []
    const newRequest: CapabilityRequest = {
      id: newId(now),
      ...{ account_id: doc.id, type, category: capabilityCategories[type], settings: settingsOf(requested) },
      ...{ status: 'in_review', enable: requested.enable, created_at: iso(now), updated_at: iso(now) },
    }
    sandbox.capabilityRequests.insert(n, newRequest, null)
    sandbox.events.created({ resource: 'capability_request', accountId: doc.id, data: newRequest }, now)
    return [newRequest]
  })
}

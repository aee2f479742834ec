import { formatRoles } from '@/lib/domain/permissions'
import { evidenceRoles, type Role } from '@/lib/operations/define'
import { getServiceOperation } from '@/lib/operations/service-operations'

/** In display order, the most urgent first. */
export const queueIds = [
  'outcomes',
  'approvals',
  'payouts_held',
  'charges_held',
  'paykeys_review',
  'customers_review',
  'paykeys_unblockable',
  'returned',
  'accounts_created',
  'capability_requests',
  'accounts_onboarding',
] as const

export type QueueId = (typeof queueIds)[number]

/** `who`: the roles that can process its rows; null if the queue waits for the provider. */
export type QueueLabels = {
  title: string
  who: readonly Role[] | null
  /** True if people process the rows one after another, directly from the list. */
  queue?: true
}

const getAllowedRoles = (operation: Parameters<typeof getServiceOperation>[0]) =>
  getServiceOperation(operation).allow

export const queueLabels: Readonly<Record<QueueId, QueueLabels>> = {
  outcomes: { title: 'Outcome unknown', who: evidenceRoles },
  approvals: { title: 'Awaiting approval', who: evidenceRoles },
  payouts_held: { title: 'Held payouts', who: getAllowedRoles('payouts.release'), queue: true },
  charges_held: { title: 'Held charges', who: getAllowedRoles('charges.release'), queue: true },
  paykeys_review: {
    title: 'Paykeys in review',
    who: getAllowedRoles('paykeys.decide'),
    queue: true,
  },
  customers_review: {
    title: 'Customers in review',
    who: getAllowedRoles('customers.decide'),
    queue: true,
  },
  paykeys_unblockable: {
    title: 'Paykeys eligible to unblock',
    who: getAllowedRoles('paykeys.unblock'),
    queue: true,
  },
  returned: { title: 'Failed and reversed, last 7 days', who: getAllowedRoles('payouts.resubmit') },
  accounts_created: { title: 'Accounts to onboard', who: getAllowedRoles('accounts.onboard') },
  capability_requests: { title: 'Capability requests open', who: null },
  accounts_onboarding: { title: 'Accounts being onboarded', who: null },
}

export const canProcessQueue = (id: QueueId, personRoles: readonly Role[]): boolean =>
  queueLabels[id].who?.some((role) => personRoles.includes(role)) ?? false

export function formatWaitingRoles(id: QueueId): string {
  const { who } = queueLabels[id]
  return who ? formatRoles(who) : 'the provider’s compliance'
}

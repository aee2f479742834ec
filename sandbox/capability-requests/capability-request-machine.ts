import type { Account, Limits } from '@/sandbox/accounts/account'
import { type AccountEntry, saveAccount } from '@/sandbox/accounts/account-machine'
import { type ProblemItem, unprocessable } from '@/sandbox/http/problem'
import { defineMachine, requireMove } from '@/sandbox/machine'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso, timesAt } from '@/sandbox/store/clock'
import { newId } from '@/sandbox/store/store'
import type { RequestedChanges } from './capability-request-input'
import {
  adjustableLimits,
  type CapabilityRequest,
  type CapabilityRequestEntry,
  capabilityCategories,
  capabilityRequestStatuses,
  capabilityTypes,
} from './capability-request-store'

/**
 * State machine of a capability request (provider-facts 3.5). Clients cannot request a move: compliance staff decides. A granted request
 * ends as `active` or `inactive`, with or without `approved` in between.
 */
export const capabilityRequestMachine = defineMachine({
  noun: 'capability request',
  states: capabilityRequestStatuses,
  moves: {
    review: { by: 'clock', from: ['in_review'], to: 'reviewing', done: 'taken up' },
    approve: { by: 'clock', from: ['in_review', 'reviewing'], to: 'approved', done: 'approved' },
    activate: { by: 'clock', from: ['in_review', 'reviewing', 'approved'], to: 'active', done: 'activated' },
    deactivate: { by: 'clock', from: ['in_review', 'reviewing', 'approved'], to: 'inactive', done: 'deactivated' },
    reject: { by: 'clock', from: ['in_review', 'reviewing'], to: 'rejected', done: 'rejected' },
  },
})

type CapabilityRequestMove = keyof typeof capabilityRequestMachine.moves

function findCapability({ capabilities }: AccountEntry['doc'], type: CapabilityRequest['type']) {
  return { ...capabilities.payment_types, ...capabilities.customer_types, ...capabilities.consent_types }[type]
}

function applyRequest(sandbox: Sandbox, { account, doc }: CapabilityRequestEntry, now: number): void {
  const owner = account === null ? undefined : sandbox.accounts.at(account)
  if (!owner) return
  findCapability(owner.doc, doc.type).capability_status = doc.enable ? 'active' : 'inactive'
  if (doc.type === 'charges' || doc.type === 'payouts') Object.assign(owner.doc.settings[doc.type], doc.settings)
  owner.doc.updated_at = iso(now)
  saveAccount(sandbox, owner, now)
}

const grantingMoves: readonly CapabilityRequestMove[] = ['approve', 'activate', 'deactivate']

export function moveCapabilityRequest(sandbox: Sandbox, entry: CapabilityRequestEntry, name: CapabilityRequestMove, now: number): void {
  const { doc } = entry
  requireMove(capabilityRequestMachine, name, doc.status)
  if (name === (doc.enable ? 'deactivate' : 'activate')) {
    const [requested, end] = doc.enable ? ['on', 'active'] : ['off', 'inactive']
    throw unprocessable(`A capability request to switch ${requested} can only become ${end}.`)
  }
  const isGranted = grantingMoves.includes(name) && doc.status !== 'approved'
  doc.status = capabilityRequestMachine.moves[name].to
  doc.updated_at = iso(now)
  sandbox.capabilityRequests.save(entry)
  sandbox.events.changed({ resource: 'capability_request', accountId: doc.account_id, data: doc }, now)
  if (isGranted) applyRequest(sandbox, entry, now)
}

type RequestedPayment = NonNullable<RequestedChanges['charges']>

const limitPairs = [
  ['max_amount', 'daily_amount'],
  ['daily_amount', 'monthly_amount'],
] as const

/**
 * Returns errors if a limit of one payment type exceeds that of a longer period. A limit missing from the request keeps its current value.
 */
function findCrossedLimits(type: 'charges' | 'payouts', requested: RequestedPayment, current: Limits): ProblemItem[] {
  return limitPairs.flatMap(([less, more]) => {
    if (requested[less] === undefined && requested[more] === undefined) return []
    if ((requested[less] ?? current[less]) <= (requested[more] ?? current[more])) return []
    return requested[less] === undefined
      ? [{ reference: `${type}.${more}`, detail: `must not be less than ${less}` }]
      : [{ reference: `${type}.${less}`, detail: `must not be more than ${more}` }]
  })
}

function requireLimitOrder(changes: RequestedChanges, { settings }: Account): void {
  const items = (['charges', 'payouts'] as const).flatMap((type) => {
    const requested = changes[type]
    return requested?.enable ? findCrossedLimits(type, requested, settings[type]) : []
  })
  if (items.length > 0) throw unprocessable('The limits do not fit together.', items)
}

const toRequestedLimits = (requested: RequestedPayment): CapabilityRequest['settings'] => {
  const limitEntries = adjustableLimits.flatMap((name) => (requested[name] === undefined ? [] : [[name, requested[name]] as const]))
  return limitEntries.length === 0 ? null : Object.fromEntries(limitEntries)
}

export function makeCapabilityRequests(
  sandbox: Sandbox,
  { n, doc }: AccountEntry,
  changes: RequestedChanges,
  now: number,
): CapabilityRequest[] {
  requireLimitOrder(changes, doc)
  return capabilityTypes.flatMap((type) => {
    const requested = changes[type]
    if (!requested) return []
    const newRequest: CapabilityRequest = {
      id: newId(now),
      ...{ account_id: doc.id, type, category: capabilityCategories[type], settings: toRequestedLimits(requested) },
      ...{ status: 'in_review', enable: requested.enable, ...timesAt(now) },
    }
    sandbox.capabilityRequests.insert(n, newRequest, null)
    sandbox.events.created({ resource: 'capability_request', accountId: doc.id, data: newRequest }, now)
    return [newRequest]
  })
}

import { type AccountEntry, saveAccount } from '@/sandbox/accounts/account-machine'
import { unprocessable } from '@/sandbox/http/problem'
import { machine, requireMove } from '@/sandbox/machine'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import { type CapabilityRequest, type CapabilityRequestEntry, capabilityRequestStatuses } from './capability-request-store'

/**
 * State machine of a capability request (provider-facts 3.5). No move can be requested: compliance decides. A granted request becomes
 * `approved` and then `active` or `inactive` once in force, or directly so.
 */
export const capabilityRequestMachine = machine({
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

export type CapabilityRequestMove = keyof typeof capabilityRequestMachine.moves

function leafOf({ capabilities }: AccountEntry['doc'], type: CapabilityRequest['type']) {
  return { ...capabilities.payment_types, ...capabilities.customer_types, ...capabilities.consent_types }[type]
}

/** Applies a granted request: switches the capability and sets the requested limits. */
function apply(sandbox: Sandbox, { account, doc }: CapabilityRequestEntry, now: number): void {
  const owner = account === null ? undefined : sandbox.accounts.at(account)
  if (!owner) return
  leafOf(owner.doc, doc.type).capability_status = doc.enable ? 'active' : 'inactive'
  if (doc.type === 'charges' || doc.type === 'payouts') Object.assign(owner.doc.settings[doc.type], doc.settings)
  owner.doc.updated_at = iso(now)
  saveAccount(sandbox, owner, now)
}

const granting: readonly CapabilityRequestMove[] = ['approve', 'activate', 'deactivate']

/**
 * Makes a move and announces it; the first granting move changes the account. Throws the state machine's 422, and one if the move's status
 * contradicts `enable`.
 */
export function moveCapabilityRequest(sandbox: Sandbox, entry: CapabilityRequestEntry, name: CapabilityRequestMove, now: number): void {
  const { doc } = entry
  requireMove(capabilityRequestMachine, name, doc.status)
  if (name === (doc.enable ? 'deactivate' : 'activate')) {
    const [requested, end] = doc.enable ? ['on', 'active'] : ['off', 'inactive']
    throw unprocessable(`A capability request to switch ${requested} can only become ${end}.`)
  }
  const granted = granting.includes(name) && doc.status !== 'approved'
  doc.status = capabilityRequestMachine.moves[name].to
  doc.updated_at = iso(now)
  sandbox.capabilityRequests.save(entry)
  sandbox.events.changed({ resource: 'capability_request', accountId: doc.account_id, data: doc }, now)
  if (granted) apply(sandbox, entry, now)
}

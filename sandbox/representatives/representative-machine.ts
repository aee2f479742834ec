import { accountStatuses } from '@/sandbox/accounts/account'
import { type MoveReason, setVerificationStatus } from '@/sandbox/accounts/verification'
import { defineMachine, requireMove } from '@/sandbox/machine'
import type { Sandbox } from '@/sandbox/sandbox'
import type { Representative, RepresentativeEntry } from './representative-store'

/**
 * State machine of a representative (provider-facts 3.4). Clients cannot request a move. `onboard` follows the account's onboarding, and
 * `verify` its simulated activation. Compliance staff can also make `verify`, and decides all other moves. A representative added after
 * onboarding is verified directly from `created`.
 */
export const representativeMachine = defineMachine({
  noun: 'representative',
  states: accountStatuses,
  moves: {
    onboard: { by: 'clock', from: ['created'], to: 'onboarding', done: 'onboarded' },
    review: { by: 'clock', from: ['onboarding'], to: 'onboarding', done: 'reviewed' },
    verify: { by: 'clock', from: ['created', 'onboarding'], to: 'active', done: 'verified' },
    reject: { by: 'clock', from: ['onboarding'], to: 'rejected', done: 'rejected' },
    deactivate: { by: 'clock', from: ['active'], to: 'inactive', done: 'deactivated' },
  },
})

type RepresentativeMove = keyof typeof representativeMachine.moves

const endedStatuses: readonly string[] = ['rejected', 'inactive']

export const listRepresentatives = ({ representatives }: Sandbox, account: number): RepresentativeEntry[] =>
  representatives.find({ column: 'account', is: account }).filter(({ doc }) => !endedStatuses.includes(doc.status))

export function saveRepresentative({ representatives, events }: Sandbox, entry: RepresentativeEntry, now: number): void {
  representatives.save(entry)
  events.changed({ resource: 'representative', accountId: entry.doc.account_id, data: entry.doc }, now)
}

export function moveRepresentative(
  sandbox: Sandbox,
  entry: RepresentativeEntry,
  name: RepresentativeMove,
  now: number,
  moveReason: MoveReason<Representative['status_detail']['reason']> = {},
): RepresentativeEntry {
  requireMove(representativeMachine, name, entry.doc.status)
  setVerificationStatus(entry.doc, representativeMachine.moves[name].to, moveReason, now)
  saveRepresentative(sandbox, entry, now)
  return entry
}

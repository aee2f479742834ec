import { accountStatuses } from '@/sandbox/accounts/account'
import { type MoveReason, setVerificationStatus } from '@/sandbox/accounts/verification'
import { defineMachine, requireMove } from '@/sandbox/machine'
import type { Sandbox } from '@/sandbox/sandbox'
import type { Representative, RepresentativeEntry } from './representative-store'

/**
 * State machine of a representative (provider-facts 3.4). Clients cannot request a move: `onboard`
 * and `verify` follow the account, and compliance staff decide the other moves. A representative
 * added after the onboarding goes directly from `created` to `active`.
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

export const listUnendedRepresentatives = (
  { representatives }: Sandbox,
  accountRowNumber: number,
): RepresentativeEntry[] =>
  representatives
    .find({ column: 'account', is: accountRowNumber })
    .filter(({ doc }) => !endedStatuses.includes(doc.status))

export function saveRepresentative(
  { representatives, events }: Sandbox,
  entry: RepresentativeEntry,
  now: number,
): void {
  representatives.save(entry)
  events.changed(
    { resource: 'representative', accountId: entry.doc.account_id, data: entry.doc },
    now,
  )
}

export function moveRepresentative(
  sandbox: Sandbox,
  entry: RepresentativeEntry,
  moveName: RepresentativeMove,
  now: number,
  moveReason: MoveReason<Representative['status_detail']['reason']> = {},
): RepresentativeEntry {
  requireMove(representativeMachine, moveName, entry.doc.status)
  setVerificationStatus(entry.doc, representativeMachine.moves[moveName].to, moveReason, now)
  saveRepresentative(sandbox, entry, now)
  return entry
}

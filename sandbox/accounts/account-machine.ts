import { machine, requireMove } from '@/sandbox/machine'
import type { Sandbox } from '@/sandbox/sandbox'
import type { Entry } from '@/sandbox/store/doc-table'
import { type Account, type AccountSecret, accountStatuses } from './account'
import { enterStage, type Reason, reasonsOf } from './verification'

/**
 * State machine of an account (provider-facts 3.4). Onboarding and the two simulations are requested over the API. `review`, `verify`,
 * `reject` and `deactivate` are decisions of the service's compliance.
 */
export const accountMachine = machine({
  noun: 'account',
  states: accountStatuses,
  moves: {
    onboard: { by: 'ask', from: ['created'], to: 'onboarding', done: 'onboarded' },
    simulate_onboarding: { by: 'ask', from: ['created'], to: 'onboarding', done: 'simulated as onboarding' },
    simulate_active: { by: 'ask', from: ['created', 'onboarding'], to: 'active', done: 'simulated as active' },
    review: { by: 'clock', from: ['onboarding'], to: 'onboarding', done: 'reviewed' },
    verify: { by: 'clock', from: ['onboarding'], to: 'active', done: 'verified' },
    reject: { by: 'clock', from: ['onboarding'], to: 'rejected', done: 'rejected' },
    deactivate: { by: 'clock', from: ['active'], to: 'inactive', done: 'deactivated' },
  },
})

export type AccountMove = keyof typeof accountMachine.moves

export type AccountEntry = Entry<Account, AccountSecret>

/** Saves a changed account and announces it. Must run in a transaction. */
export function saveAccount({ accounts, events }: Sandbox, entry: AccountEntry, now: number): void {
  accounts.save(entry)
  events.changed({ resource: 'account', accountId: entry.doc.id, data: entry.doc }, now)
}

/** Makes a move, with the target's default reason unless one is given. Throws the state machine's 422. Returns the previous status. */
export function moveAccount(
  sandbox: Sandbox,
  entry: AccountEntry,
  name: AccountMove,
  now: number,
  why: { reason?: Reason | undefined; message?: string | undefined } = {},
): Account['status'] {
  const from = entry.doc.status
  requireMove(accountMachine, name, from)
  const status = accountMachine.moves[name].to
  enterStage(entry.doc, { status, reason: why.reason ?? reasonsOf[status][0], message: why.message }, now)
  saveAccount(sandbox, entry, now)
  return from
}

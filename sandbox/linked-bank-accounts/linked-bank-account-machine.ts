import { saveAccount } from '@/sandbox/accounts/account-machine'
import { type MoveReason, setVerificationStatus } from '@/sandbox/accounts/verification'
import { defineMachine, requireMove } from '@/sandbox/machine'
import { platformId } from '@/sandbox/organizations/organization-store'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import { type LinkedBankAccount, type LinkedBankAccountEntry, linkedBankAccountStatuses } from './linked-bank-account-store'

const statuses = [...linkedBankAccountStatuses, 'stuck'] as const

type LinkedBankAccountState = (typeof statuses)[number]

/**
 * State machine of a linked bank account (provider-facts 1.10, 3.4). Clients request `update` and `cancel`. `onboard` follows the account's
 * onboarding, and `verify` its simulated activation. Compliance staff can also make `verify`, and decides all other moves. In API
 * responses, `stuck` is the status `onboarding` with the reason `stuck`. It is a state of its own here, because it allows `update`.
 */
export const linkedBankAccountMachine = defineMachine({
  noun: 'linked bank account',
  states: statuses,
  moves: {
    update: { by: 'ask', from: ['created', 'stuck'], to: 'same', done: 'updated' },
    cancel: { by: 'ask', from: ['created'], to: 'canceled', done: 'canceled' },
    onboard: { by: 'clock', from: ['created'], to: 'onboarding', done: 'onboarded' },
    review: { by: 'clock', from: ['onboarding', 'stuck'], to: 'onboarding', done: 'reviewed' },
    verify: { by: 'clock', from: ['created', 'onboarding', 'stuck'], to: 'active', done: 'verified' },
    reject: { by: 'clock', from: ['onboarding', 'stuck'], to: 'rejected', done: 'rejected' },
    deactivate: { by: 'clock', from: ['active'], to: 'inactive', done: 'deactivated' },
  },
})

type LinkedBankAccountMove = Exclude<keyof typeof linkedBankAccountMachine.moves, 'update'>

export const getLinkedBankAccountState = ({ status, status_detail }: LinkedBankAccount): LinkedBankAccountState =>
  status === 'onboarding' && status_detail.reason === 'stuck' ? 'stuck' : status

const liveStatuses: readonly string[] = ['created', 'onboarding', 'active']

export const listLinkedBankAccounts = ({ linkedBankAccounts }: Sandbox, account: number | null): LinkedBankAccountEntry[] =>
  linkedBankAccounts.find({ column: 'account', is: account }).filter(({ doc }) => liveStatuses.includes(doc.status))

/** Sets the linked bank account of each payment type in an account's settings; null if there is none. */
export function updateAccountSettings(sandbox: Sandbox, account: number | null, now: number): void {
  const owner = account === null ? undefined : sandbox.accounts.at(account)
  if (!owner) return
  const linked = listLinkedBankAccounts(sandbox, account)
  let changed = false
  for (const type of ['charges', 'payouts'] as const) {
    const id = linked.find(({ doc }) => doc.purposes.includes(type))?.doc.id ?? null
    const limits = owner.doc.settings[type]
    changed ||= limits.linked_bank_account_id !== id
    limits.linked_bank_account_id = id
  }
  if (!changed) return
  owner.doc.updated_at = iso(now)
  saveAccount(sandbox, owner, now)
}

export const getOwnerId = ({ account_id }: LinkedBankAccount): string => account_id ?? platformId

export function saveLinkedBankAccount({ linkedBankAccounts, events }: Sandbox, entry: LinkedBankAccountEntry, now: number): void {
  linkedBankAccounts.save(entry)
  events.changed({ resource: 'linked_bank_account', accountId: getOwnerId(entry.doc), data: entry.doc }, now)
}

export function moveLinkedBankAccount(
  sandbox: Sandbox,
  entry: LinkedBankAccountEntry,
  name: LinkedBankAccountMove,
  now: number,
  moveReason: MoveReason<LinkedBankAccount['status_detail']['reason']> = {},
): LinkedBankAccountEntry {
  const { doc } = entry
  requireMove(linkedBankAccountMachine, name, getLinkedBankAccountState(doc))
  const { to } = linkedBankAccountMachine.moves[name]
  // `LinkedBankAccountMove` excludes the only move with target `same`, but TypeScript cannot infer that.
  setVerificationStatus(doc, to === 'same' ? doc.status : to, moveReason, now)
  saveLinkedBankAccount(sandbox, entry, now)
  updateAccountSettings(sandbox, entry.account, now)
  return entry
}

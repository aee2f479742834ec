import { saveAccount } from '@/sandbox/accounts/account-machine'
import { type MoveReason, setVerificationStatus } from '@/sandbox/accounts/verification'
import { defineMachine, requireMove } from '@/sandbox/machine'
import { platformId } from '@/sandbox/organizations/organization-store'
import type { Sandbox } from '@/sandbox/sandbox'
import { toIsoTime } from '@/sandbox/store/clock'
import {
  type LinkedBankAccount,
  type LinkedBankAccountEntry,
  linkedBankAccountStatuses,
} from './linked-bank-account-store'

const linkedBankAccountStates = [...linkedBankAccountStatuses, 'stuck'] as const

type LinkedBankAccountState = (typeof linkedBankAccountStates)[number]

/**
 * State machine of a linked bank account (provider-facts 1.10, 3.4). `onboard` and `verify` follow
 * the onboarding and simulated activation of the account. The control plane simulates the moves of
 * the provider's compliance staff. `stuck` is a separate state because it allows `update`, unlike
 * `onboarding`. API responses show it as `onboarding` with the reason `stuck`.
 */
export const linkedBankAccountMachine = defineMachine({
  noun: 'linked bank account',
  states: linkedBankAccountStates,
  moves: {
    update: { by: 'ask', from: ['created', 'stuck'], to: 'same', done: 'updated' },
    cancel: { by: 'ask', from: ['created'], to: 'canceled', done: 'canceled' },
    onboard: { by: 'clock', from: ['created'], to: 'onboarding', done: 'onboarded' },
    review: { by: 'clock', from: ['onboarding', 'stuck'], to: 'onboarding', done: 'reviewed' },
    verify: {
      by: 'clock',
      from: ['created', 'onboarding', 'stuck'],
      to: 'active',
      done: 'verified',
    },
    reject: { by: 'clock', from: ['onboarding', 'stuck'], to: 'rejected', done: 'rejected' },
    deactivate: { by: 'clock', from: ['active'], to: 'inactive', done: 'deactivated' },
  },
})

type LinkedBankAccountMove = Exclude<keyof typeof linkedBankAccountMachine.moves, 'update'>

export const getLinkedBankAccountState = ({
  status,
  status_detail,
}: LinkedBankAccount): LinkedBankAccountState =>
  status === 'onboarding' && status_detail.reason === 'stuck' ? 'stuck' : status

const liveStatuses: readonly string[] = ['created', 'onboarding', 'active']

export const listLiveLinkedBankAccounts = (
  { linkedBankAccounts }: Sandbox,
  account: number | null,
): LinkedBankAccountEntry[] =>
  linkedBankAccounts
    .find({ column: 'account', is: account })
    .filter(({ doc }) => liveStatuses.includes(doc.status))

/**
 * Stores the ids of the linked bank accounts for charges and payouts in the account's settings.
 * Does nothing for the platform (`account` is null), because it has no such settings.
 */
export function updateLinkedBankAccountSettings(
  sandbox: Sandbox,
  account: number | null,
  now: number,
): void {
  const accountEntry = account === null ? undefined : sandbox.accounts.at(account)
  if (!accountEntry) return
  const liveBankAccounts = listLiveLinkedBankAccounts(sandbox, account)
  let hasChanged = false
  for (const type of ['charges', 'payouts'] as const) {
    const linkedBankAccountId =
      liveBankAccounts.find(({ doc }) => doc.purposes.includes(type))?.doc.id ?? null
    const limits = accountEntry.doc.settings[type]
    hasChanged ||= limits.linked_bank_account_id !== linkedBankAccountId
    limits.linked_bank_account_id = linkedBankAccountId
  }
  if (!hasChanged) return
  accountEntry.doc.updated_at = toIsoTime(now)
  saveAccount(sandbox, accountEntry, now)
}

export const getAccountOrPlatformId = ({ account_id }: LinkedBankAccount): string =>
  account_id ?? platformId

export function saveLinkedBankAccount(
  { linkedBankAccounts, events }: Sandbox,
  entry: LinkedBankAccountEntry,
  now: number,
): void {
  linkedBankAccounts.save(entry)
  events.changed(
    {
      resource: 'linked_bank_account',
      accountId: getAccountOrPlatformId(entry.doc),
      data: entry.doc,
    },
    now,
  )
}

export function moveLinkedBankAccount(
  sandbox: Sandbox,
  entry: LinkedBankAccountEntry,
  move: LinkedBankAccountMove,
  now: number,
  moveReason: MoveReason<LinkedBankAccount['status_detail']['reason']> = {},
): LinkedBankAccountEntry {
  const { doc } = entry
  requireMove(linkedBankAccountMachine, move, getLinkedBankAccountState(doc))
  const { to } = linkedBankAccountMachine.moves[move]
  // Only the move `update` has the target `same`, and `move` is never `update`. TypeScript cannot
  // infer this.
  setVerificationStatus(doc, to === 'same' ? doc.status : to, moveReason, now)
  saveLinkedBankAccount(sandbox, entry, now)
  updateLinkedBankAccountSettings(sandbox, entry.account, now)
  return entry
}

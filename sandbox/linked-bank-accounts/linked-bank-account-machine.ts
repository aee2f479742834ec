import type { z } from 'zod'
import { saveAccount } from '@/sandbox/accounts/account-machine'
import { detailOf, enterStage, reasonsOf } from '@/sandbox/accounts/verification'
import { unprocessable } from '@/sandbox/http/problem'
import { machine, requireMove } from '@/sandbox/machine'
import { objectOperation } from '@/sandbox/operation'
import { platformId } from '@/sandbox/organizations/organization-store'
import { bankNameOf } from '@/sandbox/paykeys/bank-names'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import { newId } from '@/sandbox/store/store'
import { createBody } from './linked-bank-account-input'
import {
  type LinkedBankAccount,
  type LinkedBankAccountEntry,
  linkedBankAccount,
  linkedBankAccountPurposes,
  linkedBankAccountStatuses,
  type Purpose,
} from './linked-bank-account-store'

const statuses = [...linkedBankAccountStatuses, 'stuck'] as const

/** A status, or `stuck` for the stuck part of onboarding. */
export type LinkedBankAccountState = (typeof statuses)[number]

/**
 * State machine of a linked bank account (provider-facts 1.10, 3.4). `stuck` is `onboarding` with that reason, a separate state because it
 * can be edited. Update and cancel are requested; the account's onboarding and simulation also move it, the rest are compliance's
 * decisions.
 */
export const linkedBankAccountMachine = machine({
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

export type LinkedBankAccountMove = Exclude<keyof typeof linkedBankAccountMachine.moves, 'update'>

export const stateOf = ({ status, status_detail }: LinkedBankAccount): LinkedBankAccountState =>
  status === 'onboarding' && status_detail.reason === 'stuck' ? 'stuck' : status

const live: readonly string[] = ['created', 'onboarding', 'active']

/** Returns the pending and active linked bank accounts of an account (null: of the platform). */
export const linkedBankAccountsOf = ({ linkedBankAccounts }: Sandbox, account: number | null): LinkedBankAccountEntry[] =>
  linkedBankAccounts.find({ column: 'account', is: account }).filter(({ doc }) => live.includes(doc.status))

/** Updates the linked bank account of each payment type in an account's settings; null if there is none. */
export function pointSettings(sandbox: Sandbox, account: number | null, now: number): void {
  const owner = account === null ? undefined : sandbox.accounts.at(account)
  if (!owner) return
  const linked = linkedBankAccountsOf(sandbox, account)
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

/** Returns the owner for events and journal rows: the account, or the platform. */
export const ownerOf = ({ account_id }: LinkedBankAccount): string => account_id ?? platformId

/** Saves a changed linked bank account and announces it. Must run in a transaction. */
export function saveLinkedBankAccount({ linkedBankAccounts, events }: Sandbox, entry: LinkedBankAccountEntry, now: number): void {
  linkedBankAccounts.save(entry)
  events.changed({ resource: 'linked_bank_account', accountId: ownerOf(entry.doc), data: entry.doc }, now)
}

/** Makes a move, with the target's default reason unless one is given. Throws the state machine's 422. Returns the previous status. */
export function moveLinkedBankAccount(
  sandbox: Sandbox,
  entry: LinkedBankAccountEntry,
  name: LinkedBankAccountMove,
  now: number,
  why: { reason?: LinkedBankAccount['status_detail']['reason'] | undefined; message?: string | undefined } = {},
): LinkedBankAccount['status'] {
  const from = entry.doc.status
  requireMove(linkedBankAccountMachine, name, stateOf(entry.doc))
  const { to } = linkedBankAccountMachine.moves[name]
  // The moves allowed here never have the target `same`; the type cannot show that.
  const status = to === 'same' ? from : to
  enterStage(entry.doc, { status, reason: why.reason ?? reasonsOf[status][0], message: why.message }, now)
  saveLinkedBankAccount(sandbox, entry, now)
  pointSettings(sandbox, entry.account, now)
  return from
}

type Input = z.infer<typeof createBody>

export const maskedBankAccount = (given: Input['bank_account']): LinkedBankAccount['bank_account'] => ({
  institution_name: bankNameOf(given.routing_number) ?? `Bank ${given.routing_number}`,
  account_holder: given.account_holder,
  routing_number: given.routing_number,
  account_mask: given.account_number.slice(-4),
})

/** Returns number and id of the owning account, both null for the platform. Throws a 422 for an unknown one. */
function ownerRequested({ accounts }: Sandbox, { account_id, platform_id }: Input): { n: number | null; id: string | null } {
  if (platform_id && platform_id.toLowerCase() !== platformId) {
    throw unprocessable('There is no such platform.', [{ reference: 'platform_id', detail: 'is not the platform of this API key' }])
  }
  if (!account_id) return { n: null, id: null }
  const entry = accounts.get(account_id)
  if (!entry) throw unprocessable('There is no such account.', [{ reference: 'account_id', detail: 'is not an account of this platform' }])
  return { n: entry.n, id: entry.doc.id }
}

/** Throws a 422 if a purpose already has a linked bank account; so there are three at most (provider-facts 1.10). */
function requireFreePurposes(sandbox: Sandbox, owner: number | null, requested: readonly Purpose[]): void {
  const takenPurposes = linkedBankAccountsOf(sandbox, owner).flatMap(({ doc }) => doc.purposes)
  const twice = requested.filter((purpose) => takenPurposes.includes(purpose))
  if (twice.length === 0) return
  const detail = `another linked bank account already serves ${twice.join(', ')}`
  throw unprocessable('There may be one linked bank account for each purpose.', [{ reference: 'purposes', detail }])
}

/** `POST /v1/linked_bank_accounts` */
export const createLinkedBankAccount = objectOperation({
  id: 'linked_bank_accounts.create',
  method: 'POST',
  path: '/v1/linked_bank_accounts',
  summary: 'Link a bank account to an account, or to the platform',
  account: 'forbidden',
  status: 201,
  input: createBody,
  output: linkedBankAccount,
  handle: ({ sandbox, input, now, effect }) => {
    const owner = ownerRequested(sandbox, input)
    const purposes = [...(input.purposes ?? linkedBankAccountPurposes)]
    requireFreePurposes(sandbox, owner.n, purposes)
    const newBankAccount: LinkedBankAccount = {
      id: newId(now),
      ...{ account_id: owner.id, platform_id: owner.id === null ? platformId : null },
      ...{ status: 'created', status_detail: detailOf('unverified') },
      bank_account: maskedBankAccount(input.bank_account),
      ...{ purposes, description: input.description ?? null, metadata: input.metadata ?? {} },
      ...{ created_at: iso(now), updated_at: iso(now) },
    }
    sandbox.linkedBankAccounts.insert(owner.n, newBankAccount, { account_number: input.bank_account.account_number })
    sandbox.events.created({ resource: 'linked_bank_account', accountId: ownerOf(newBankAccount), data: newBankAccount }, now)
    pointSettings(sandbox, owner.n, now)
    effect({ target_id: newBankAccount.id, account_id: ownerOf(newBankAccount), from: '', to: newBankAccount.status })
    return newBankAccount
  },
})

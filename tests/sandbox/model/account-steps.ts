import { accountMachine } from '@/sandbox/accounts/account-machine'
import { linkedBankAccountMachine } from '@/sandbox/linked-bank-accounts/linked-bank-account-machine'
import type { Machine } from '@/sandbox/machine'
import { representativeMachine } from '@/sandbox/representatives/representative-machine'

export type Kind = 'account' | 'representative' | 'linked_bank_account'

/** Steps of a sequence: API requests, and decisions of compliance staff. */
export type AccountStep =
  | 'onboard'
  | 'simulate'
  | 'simulate_onboarding'
  | 'simulate_active'
  | 'update_account'
  | 'update_representative'
  | 'update_bank'
  | 'cancel_bank'
  | 'repeat'
  | { decide: Kind; status: 'onboarding' | 'active' | 'rejected' | 'inactive'; stuck: boolean }

export const decisionMoves = { onboarding: 'review', active: 'verify', rejected: 'reject', inactive: 'deactivate' } as const

export const kinds = ['account', 'representative', 'linked_bank_account'] as const

export const tables: Readonly<Record<Kind, Machine>> = {
  account: accountMachine,
  representative: representativeMachine,
  linked_bank_account: linkedBankAccountMachine,
}

/** The step that requests each move. `findDecision` has the moves by decisions; no step requests any other. */
const stepsByKind: Readonly<Record<Kind, Readonly<Record<string, AccountStep>>>> = {
  account: { onboard: 'onboard', simulate_onboarding: 'simulate_onboarding', simulate_active: 'simulate_active' },
  representative: {},
  linked_bank_account: { update: 'update_bank', cancel: 'cancel_bank' },
}

function findDecision(kind: Kind, move: string): AccountStep | undefined {
  const statuses = ['onboarding', 'active', 'rejected', 'inactive'] as const
  const status = statuses.find((one) => decisionMoves[one] === move)
  return status && { decide: kind, status, stuck: false }
}

/** Returns the step that requests a move; undefined if there is none. */
export const findStep = (kind: Kind, move: string): AccountStep | undefined => stepsByKind[kind][move] ?? findDecision(kind, move)

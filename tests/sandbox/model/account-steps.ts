import { accountMachine } from '@/sandbox/accounts/account-machine'
import { linkedBankAccountMachine } from '@/sandbox/linked-bank-accounts/linked-bank-account-machine'
import type { StateMachine } from '@/sandbox/machine'
import { representativeMachine } from '@/sandbox/representatives/representative-machine'

export type ObjectKind = 'account' | 'representative' | 'linked_bank_account'

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
  | {
      decide: ObjectKind
      status: 'onboarding' | 'active' | 'rejected' | 'inactive'
      stuck: boolean
    }

export const moveByDecidedStatus = {
  onboarding: 'review',
  active: 'verify',
  rejected: 'reject',
  inactive: 'deactivate',
} as const

export const objectKinds = ['account', 'representative', 'linked_bank_account'] as const

export const machinesByKind: Readonly<Record<ObjectKind, StateMachine>> = {
  account: accountMachine,
  representative: representativeMachine,
  linked_bank_account: linkedBankAccountMachine,
}

/**
 * The step that requests each move. Moves by a compliance decision are in `findDecisionStep`. No
 * step can request the remaining moves.
 */
const stepsByKind: Readonly<Record<ObjectKind, Readonly<Record<string, AccountStep>>>> = {
  account: {
    onboard: 'onboard',
    simulate_onboarding: 'simulate_onboarding',
    simulate_active: 'simulate_active',
  },
  representative: {},
  linked_bank_account: { update: 'update_bank', cancel: 'cancel_bank' },
}

function findDecisionStep(kind: ObjectKind, move: string): AccountStep | undefined {
  const statuses = ['onboarding', 'active', 'rejected', 'inactive'] as const
  const status = statuses.find((one) => moveByDecidedStatus[one] === move)
  return status && { decide: kind, status, stuck: false }
}

/** Returns the step that requests a move; undefined if there is none. */
export const findStep = (kind: ObjectKind, move: string): AccountStep | undefined =>
  stepsByKind[kind][move] ?? findDecisionStep(kind, move)

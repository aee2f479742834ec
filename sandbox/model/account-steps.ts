import { accountMachine } from '@/sandbox/accounts/account-machine'
import { linkedBankAccountMachine } from '@/sandbox/linked-bank-accounts/linked-bank-account-machine'
import type { Machine } from '@/sandbox/machine'
import { representativeMachine } from '@/sandbox/representatives/representative-machine'

export type Kind = 'account' | 'representative' | 'linked_bank_account'

/** What can happen to them: what is asked for, and what compliance decides. */
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

export const decisions = { onboarding: 'review', active: 'verify', rejected: 'reject', inactive: 'deactivate' } as const

export const kinds = ['account', 'representative', 'linked_bank_account'] as const

export const tables: Readonly<Record<Kind, Machine>> = {
  account: accountMachine,
  representative: representativeMachine,
  linked_bank_account: linkedBankAccountMachine,
}

/** The steps that ask for a move of each; the rest are decisions, or nobody's to ask for. */
const stepsOf: Readonly<Record<Kind, Readonly<Record<string, AccountStep>>>> = {
  account: { onboard: 'onboard', simulate_onboarding: 'simulate_onboarding', simulate_active: 'simulate_active' },
  representative: {},
  linked_bank_account: { update: 'update_bank', cancel: 'cancel_bank' },
}

function decisionOf(kind: Kind, move: string): AccountStep | undefined {
  const statuses = ['onboarding', 'active', 'rejected', 'inactive'] as const
  const status = statuses.find((one) => decisions[one] === move)
  return status && { decide: kind, status, stuck: false }
}

/** The step that asks for a move of one of them; undefined when nobody can. */
export const stepFor = (kind: Kind, move: string): AccountStep | undefined => stepsOf[kind][move] ?? decisionOf(kind, move)

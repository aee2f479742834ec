import type { Paykey, PaykeyStatus } from './paykey-schema'
import type { PaykeyStateMove } from './paykey-store'

export type PaykeyCause = Omit<Paykey['status_details'], 'changed_at'>

const system = { source: 'system', code: null } as const
const watchtower = { source: 'watchtower', code: null } as const
const person = { source: 'user_action', code: null } as const

/** Default cause of each move (provider-facts 3.3). */
export const paykeyCauses = {
  pass: { ...system, reason: 'ok', message: 'Bank account verified' },
  flag: { ...watchtower, reason: 'require_review', message: 'Account holder and customer name differ' },
  fail: { ...watchtower, reason: 'failed_verification', message: 'Verification failed' },
  block: { ...watchtower, reason: 'blocked_by_system', message: 'Blocked after a return' },
  close: { ...watchtower, reason: 'blocked_by_system', message: 'Permanently blocked after a return' },
  approve: { ...person, reason: 'ok', message: 'Approved after a review' },
  reject: { ...person, reason: 'failed_verification', message: 'Rejected after a review' },
  cancel: { ...person, reason: 'cancel_request', message: 'Cancelled on request' },
  unblock: { ...person, reason: 'user_request', message: 'Unblocked on request' },
} as const satisfies Readonly<Record<PaykeyStateMove, PaykeyCause>>

/** Cause of a block, by return code (provider-facts 2.20). */
export const blockCauses = {
  R29: { reason: 'disputed', source: 'customer_dispute', message: 'Corporate customer advises the entry is not authorized', code: 'R29' },
  R05: { reason: 'disputed', source: 'customer_dispute', message: 'Unauthorized debit to a consumer account', code: 'R05' },
  R02: { reason: 'closed_bank_account', source: 'bank_decline', message: 'Account closed', code: 'R02' },
} as const satisfies Readonly<Record<string, PaykeyCause>>

const pendingCause: PaykeyCause = { ...system, reason: 'validating', message: 'Being verified' }

export type PaykeyState = { status: PaykeyStatus; cause: PaykeyCause }

/**
 * Statuses with their default causes, by the names that seed and control plane use. `blocked`, `disputed` and `closed` are the blocks after
 * R29, R05 and R02.
 */
export const paykeyStates = {
  active: { status: 'active', cause: paykeyCauses.pass },
  pending: { status: 'pending', cause: pendingCause },
  review: { status: 'review', cause: paykeyCauses.flag },
  blocked: { status: 'blocked', cause: blockCauses.R29 },
  disputed: { status: 'blocked', cause: blockCauses.R05 },
  closed: { status: 'blocked', cause: blockCauses.R02 },
  inactive: { status: 'inactive', cause: paykeyCauses.cancel },
  rejected: { status: 'rejected', cause: paykeyCauses.fail },
} as const satisfies Readonly<Record<string, PaykeyState>>

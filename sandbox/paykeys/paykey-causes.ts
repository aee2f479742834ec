import type { Paykey, PaykeyStatus } from './paykey-schema'
import type { PaykeyStateMove } from './paykey-store'

export type PaykeyCause = Omit<Paykey['status_details'], 'changed_at'>

const systemCause = { source: 'system', code: null } as const
const watchtowerCause = { source: 'watchtower', code: null } as const
const userActionCause = { source: 'user_action', code: null } as const

/** Default causes in the `status_details` of a paykey (provider-facts 3.3). */
export const causeByPaykeyMove = {
  pass: { ...systemCause, reason: 'ok', message: 'Bank account verified' },
  flag: {
    ...watchtowerCause,
    reason: 'require_review',
    message: 'Account holder and customer name differ',
  },
  fail: { ...watchtowerCause, reason: 'failed_verification', message: 'Verification failed' },
  block: { ...watchtowerCause, reason: 'blocked_by_system', message: 'Blocked after a return' },
  close: {
    ...watchtowerCause,
    reason: 'blocked_by_system',
    message: 'Permanently blocked after a return',
  },
  approve: { ...userActionCause, reason: 'ok', message: 'Approved after a review' },
  reject: { ...userActionCause, reason: 'failed_verification', message: 'Rejected after a review' },
  cancel: { ...userActionCause, reason: 'cancel_request', message: 'Cancelled on request' },
  unblock: { ...userActionCause, reason: 'user_request', message: 'Unblocked on request' },
} as const satisfies Readonly<Record<PaykeyStateMove, PaykeyCause>>

/** Cause of a paykey's block, by the return code of the returned payment (provider-facts 2.20). */
export const blockCauseByReturnCode = {
  R29: {
    reason: 'disputed',
    source: 'customer_dispute',
    message: 'Corporate customer advises the entry is not authorized',
    code: 'R29',
  },
  R05: {
    reason: 'disputed',
    source: 'customer_dispute',
    message: 'Unauthorized debit to a consumer account',
    code: 'R05',
  },
  R02: {
    reason: 'closed_bank_account',
    source: 'bank_decline',
    message: 'Account closed',
    code: 'R02',
  },
} as const satisfies Readonly<Record<string, PaykeyCause>>

const pendingCause: PaykeyCause = {
  ...systemCause,
  reason: 'validating',
  message: 'Being verified',
}

export type PaykeyState = { status: PaykeyStatus; cause: PaykeyCause }

/**
 * States of a paykey, each with its cause. The seed and the control plane select a state by its
 * key. The keys `blocked`, `disputed` and `closed` all stand for the status `blocked`.
 */
export const paykeyStates = {
  active: { status: 'active', cause: causeByPaykeyMove.pass },
  pending: { status: 'pending', cause: pendingCause },
  review: { status: 'review', cause: causeByPaykeyMove.flag },
  blocked: { status: 'blocked', cause: blockCauseByReturnCode.R29 },
  disputed: { status: 'blocked', cause: blockCauseByReturnCode.R05 },
  closed: { status: 'blocked', cause: blockCauseByReturnCode.R02 },
  inactive: { status: 'inactive', cause: causeByPaykeyMove.cancel },
  rejected: { status: 'rejected', cause: causeByPaykeyMove.fail },
} as const satisfies Readonly<Record<string, PaykeyState>>

import { z } from 'zod'
import { toIsoTime } from '@/sandbox/store/clock'

/** Reasons for the status of a representative or linked bank account (provider-facts 2.1). */
export const verificationReasons = [
  'unverified',
  'new',
  'in_review',
  'pending',
  'stuck',
  'verified',
  'failed_verification',
  'disabled',
] as const

export const accountReasons = [...verificationReasons, 'terminated'] as const

export type AccountReason = (typeof accountReasons)[number]

export const makeStatusDetailSchema = <const R extends readonly [string, ...string[]]>(
  reasons: R,
) =>
  z.strictObject({
    reason: z.enum(reasons),
    source: z.enum(['watchtower']),
    code: z.string(),
    message: z.string(),
  })

type VerificationFields<Status extends string, R extends AccountReason> = {
  status: Status
  status_detail: { reason: R; source: 'watchtower'; code: string; message: string }
  updated_at: string
}

const messageByReason: Readonly<Record<AccountReason, string>> = {
  unverified: 'Created and not verified yet',
  new: 'New',
  pending: 'Waits for verification',
  in_review: 'Is being reviewed',
  stuck: 'More information is needed before the review can go on',
  verified: 'Verified',
  failed_verification: 'Verification failed',
  disabled: 'Switched off',
  terminated: 'Permanently ended',
}

/** Possible reasons for each status. The first one is the default (provider-facts 3.4). */
export const reasonsByStatus = {
  created: ['unverified'],
  onboarding: ['pending', 'in_review', 'stuck'],
  active: ['verified'],
  rejected: ['failed_verification'],
  inactive: ['disabled', 'terminated'],
  canceled: ['disabled'],
} as const satisfies Record<string, readonly AccountReason[]>

/**
 * Reason and text of a status change. By default, the first reason of the new status in
 * `reasonsByStatus`, with its standard text.
 */
export type MoveReason<R extends AccountReason> = {
  reason?: R | undefined
  message?: string | undefined
}

export const toStatusDetail = <R extends AccountReason>(
  reason: R,
  message?: string,
): VerificationFields<string, R>['status_detail'] => ({
  ...{ reason, source: 'watchtower', code: '' },
  message: message ?? messageByReason[reason],
})

/**
 * Changes `doc` in place. The caller must check first that the status change is allowed, and must
 * save the object afterwards.
 */
export function setVerificationStatus<Status extends keyof typeof reasonsByStatus>(
  doc: VerificationFields<Status, AccountReason>,
  status: Status,
  { reason = reasonsByStatus[status][0], message }: MoveReason<AccountReason>,
  now: number,
): void {
  doc.status = status
  doc.status_detail = toStatusDetail(reason, message)
  doc.updated_at = toIsoTime(now)
}

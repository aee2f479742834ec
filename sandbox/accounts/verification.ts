import { z } from 'zod'
import { iso } from '@/sandbox/store/clock'

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

export type Reason = (typeof accountReasons)[number]

export const statusDetail = <const R extends readonly [string, ...string[]]>(reasons: R) =>
  z.strictObject({ reason: z.enum(reasons), source: z.enum(['watchtower']), code: z.string(), message: z.string() })

/** The fields of a document that a verification changes. */
type VerifiedFields<Status extends string, R extends Reason> = {
  status: Status
  status_detail: { reason: R; source: 'watchtower'; code: string; message: string }
  updated_at: string
}

const messages: Readonly<Record<Reason, string>> = {
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

/** Possible reasons of each status, the default first (provider-facts 3.4). */
export const reasonsByStatus = {
  created: ['unverified'],
  onboarding: ['pending', 'in_review', 'stuck'],
  active: ['verified'],
  rejected: ['failed_verification'],
  inactive: ['disabled', 'terminated'],
  canceled: ['disabled'],
} as const satisfies Record<string, readonly Reason[]>

/** Reason and message of a move. A missing reason is the status's first one; a missing message is the reason's standard text. */
export type MoveReason<R extends Reason> = { reason?: R | undefined; message?: string | undefined }

export const toStatusDetail = <R extends Reason>(reason: R, message?: string): VerifiedFields<string, R>['status_detail'] => ({
  ...{ reason, source: 'watchtower', code: '' },
  message: message ?? messages[reason],
})

/** Sets a document's status and its details, in place. The caller first checks the state machine, and afterwards saves the document. */
export function setVerificationStatus<Status extends keyof typeof reasonsByStatus>(
  doc: VerifiedFields<Status, Reason>,
  status: Status,
  { reason = reasonsByStatus[status][0], message }: MoveReason<Reason>,
  now: number,
): void {
  doc.status = status
  doc.status_detail = toStatusDetail(reason, message)
  doc.updated_at = iso(now)
}

import type { CheckResult } from '@/lib/domain/check'
import type { DecisionReason } from '@/lib/domain/reasons'
import { findOwnValue } from '@/lib/domain/service-words'
import type { Warning } from '@/lib/domain/warnings'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'

export type PaykeyDecision = 'approve' | 'reject' | 'unblock' | 'cancel'

/**
 * The reason of a cancellation is sent to the service, so its template must not contain personal
 * data. The other reasons are stored only in Paydesk's action log (product 4.9).
 */
export const paykeyReasons: Readonly<Record<PaykeyDecision, readonly DecisionReason[]>> = {
  approve: [
    {
      code: 'OWNER_MATCHED',
      label: 'Owner matches',
      template: 'The account belongs to the customer; any name difference is explained.',
    },
    {
      code: 'BANK_CONFIRMED',
      label: 'Bank confirmed',
      template: 'The bank confirmed the account and its holder.',
    },
    {
      code: 'MANUAL_ENTRY_VERIFIED',
      label: 'Entered details verified',
      template: 'The entered details were compared with a bank document.',
    },
  ],
  reject: [
    {
      code: 'OWNER_MISMATCH',
      label: 'Owner does not match',
      template: 'The account belongs to someone other than the customer.',
    },
    {
      code: 'BANK_DENIED',
      label: 'Bank did not confirm',
      template: 'The bank did not confirm the account or its holder.',
    },
    {
      code: 'DOCUMENT_MISSING',
      label: 'No document received',
      template: 'The requested document was not received in time.',
    },
    {
      code: 'RISK_SIGNAL',
      label: 'Risk signal',
      template: 'A risk signal advises against using this bank account.',
    },
  ],
  unblock: [
    {
      code: 'BANK_ALLOWLIST_DONE',
      label: 'Bank allow-listed our ACH company ID',
      template: 'The customer’s bank has allow-listed our ACH company ID.',
    },
    {
      code: 'RETURN_EXPLAINED',
      label: 'Return is explained',
      template: 'The cause of the return was found and resolved with the customer.',
    },
  ],
  cancel: [
    {
      code: 'CUSTOMER_REQUEST',
      label: 'Customer request',
      template: 'The customer no longer wants this bank account used.',
    },
    {
      code: 'ACCOUNT_CLOSED',
      label: 'Bank account is closed',
      template: 'The bank account was closed or replaced by another one.',
    },
    {
      code: 'BLOCKED_AFTER_RETURN',
      label: 'Blocked after a return',
      template: 'The bank account is blocked after a return.',
    },
    {
      code: 'CONNECTED_IN_ERROR',
      label: 'Connected in error',
      template: 'The bank account was connected by mistake.',
    },
    {
      code: 'RISK_SIGNAL',
      label: 'Risk signal',
      template: 'A risk signal advises against using this bank account.',
    },
  ],
}

/** Leaves out the reasons that the source or the status of the paykey contradicts. */
export const listPaykeyReasons = (
  decision: PaykeyDecision,
  { source, status }: Pick<PaykeySummary, 'source' | 'status'>,
): readonly DecisionReason[] =>
  paykeyReasons[decision].filter(
    ({ code }) =>
      !(code === 'MANUAL_ENTRY_VERIFIED' && source !== undefined && source !== 'bank_account') &&
      !(code === 'BLOCKED_AFTER_RETURN' && status !== 'blocked'),
  )

/** By the id of a check: the warning that an approval gets if the check did not pass. */
const warningCodeByCheckId = {
  names: 'approve_names',
  customer: 'approve_customer',
  expiry: 'approve_expiry',
  alike: 'approve_alike',
} as const

const warningsByDecision: Readonly<Record<Exclude<PaykeyDecision, 'approve'>, readonly Warning[]>> =
  {
    reject: [{ code: 'reject_paykey' }],
    unblock: [{ code: 'unblock_cause' }, { code: 'unblock_bank' }],
    cancel: [{ code: 'cancel_paykey' }],
  }

export function listPaykeyWarnings(
  decision: PaykeyDecision,
  checks: readonly CheckResult[],
): readonly Warning[] {
  if (decision !== 'approve') return warningsByDecision[decision]
  return checks.flatMap(({ id, result }) => {
    const warningCode = findOwnValue(warningCodeByCheckId, id)
    return warningCode && result !== 'pass' && result !== 'loading'
      ? [{ code: warningCode, detail: result }]
      : []
  })
}

export const isApprovalCheckLoading = (checks: readonly CheckResult[]): boolean =>
  checks.some(
    ({ id, result }) =>
      result === 'loading' && findOwnValue(warningCodeByCheckId, id) !== undefined,
  )

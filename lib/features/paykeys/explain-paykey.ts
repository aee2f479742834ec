import { findReturnCode } from '@/lib/domain/return-codes'
import { getStatusWords, isKnownStatus } from '@/lib/domain/status'
import type { Paykey } from '@/lib/operations/paykeys.schema'

/** `line`: cause, `follows`: consequence, `clears`: next step, `who`: the role that can take it. */
export type PaykeyExplanation = {
  line: string
  follows: string
  clears: string | null
  who: string | null
}

type ExplainedPaykey = Pick<Paykey, 'status' | 'status_details' | 'unblock_eligible'>

const deciderRolesText = 'a reviewer or an admin'

function explainBlockedPaykey({
  status_details,
  unblock_eligible,
}: ExplainedPaykey): PaykeyExplanation {
  const returnCode = status_details?.code
  const returnCodeMeaning = findReturnCode(returnCode)?.meaning
  const causeText = returnCode
    ? `a return with ${returnCode}${returnCodeMeaning ? `: ${returnCodeMeaning.charAt(0).toLowerCase()}${returnCodeMeaning.slice(1)}` : ''}`
    : 'a return'
  const summaryLine = `Blocked after ${causeText}`
  const effectText =
    'Payments on this paykey fail at once, and the bank account cannot be reconnected.'
  if (unblock_eligible === true) {
    return {
      line: summaryLine,
      follows: effectText,
      clears: 'Have the bank allow-list our ACH company ID, then unblock (possible once).',
      who: deciderRolesText,
    }
  }
  if (unblock_eligible === false) {
    return {
      line: summaryLine,
      follows: effectText,
      clears: 'Ask the customer to connect another bank account.',
      who: 'an operator or an admin',
    }
  }
  return {
    line: summaryLine,
    follows: effectText,
    clears:
      'The service does not say whether this paykey is eligible to unblock. Ask the provider.',
    who: deciderRolesText,
  }
}

const explainersByStatus: Readonly<Record<string, (seen: ExplainedPaykey) => PaykeyExplanation>> = {
  review: () => ({
    line: 'Awaiting review',
    follows: 'Payments on this paykey stay on hold until the paykey is approved or rejected.',
    clears: 'Approve or reject the paykey.',
    who: deciderRolesText,
  }),
  pending: () => ({
    line: 'Being verified',
    follows: 'Payments on this paykey wait until the verification ends.',
    clears: 'No action needed: the verification is running.',
    who: null,
  }),
  active: () => ({
    line: 'Active',
    follows: 'Charges and payouts can be created.',
    clears: null,
    who: null,
  }),
  blocked: explainBlockedPaykey,
  rejected: () => ({
    line: 'Permanently rejected',
    follows: 'No payment can be made on this paykey.',
    clears: 'Ask the customer to connect another bank account.',
    who: 'an operator or an admin',
  }),
  inactive: () => ({
    line: 'Permanently deactivated',
    follows: 'No payment can be made on this paykey.',
    clears: 'Ask the customer to reconnect the bank account.',
    who: 'an operator or an admin',
  }),
}

/** Provider facts 3.3. An unknown status is shown with its raw text. */
export function explainPaykey(paykey: ExplainedPaykey): PaykeyExplanation {
  const explainStatus = isKnownStatus('paykey', paykey.status)
    ? explainersByStatus[paykey.status]
    : undefined
  if (explainStatus) return explainStatus(paykey)
  const { meaning } = getStatusWords('paykey', paykey.status)
  const unknownStatusLine =
    paykey.status === '' ? 'The status could not be read' : `The service reports “${paykey.status}”`
  return {
    line: unknownStatusLine,
    follows: meaning,
    clears: 'Ask the provider what it means.',
    who: null,
  }
}

/**
 * The service reads a balance only through a bank login. Bank details that were typed, or that came
 * as a tokenized account number (`tan`), have none (provider facts 2.8).
 */
export const canReadBalance = (source: string | undefined): boolean =>
  source !== 'bank_account' && source !== 'tan'

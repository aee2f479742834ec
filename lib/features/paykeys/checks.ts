import { formatDuration, formatRelativeTime, parseTime } from '@/lib/dates'
import { type CheckResult, type ReadResult, toCheckResult } from '@/lib/domain/check'
import { getStatusWords, isKnownStatus, statusText } from '@/lib/domain/status'
import { getVerdictWords, toScoreWords } from '@/lib/domain/verification'
import { type AmountUnit, moneyText, toMinorUnits } from '@/lib/money'
import type { ActionView } from '@/lib/operations/answer'
import type { Customer } from '@/lib/operations/customers.schema'
import type { Paykey, PaykeyReview, PaykeySummary } from '@/lib/operations/paykeys.schema'
import { canReadBalance } from './explain-paykey'
import { wasUnblockedInPaydesk } from './rules'

/** `alike`: the paykeys that seem to be on the same bank account. */
export type PaykeyCheckFacts = {
  paykey: Paykey
  readAt: string
  now: number
  unit: AmountUnit
  review: ReadResult<PaykeyReview>
  customer: ReadResult<Customer>
  alike: ReadResult<readonly PaykeySummary[]>
  actions: readonly ActionView[]
}

type PaykeyFinding = Pick<CheckResult, 'result' | 'sentence'> & { at?: string | null }

const dayMs = 24 * 60 * 60 * 1000

export const expiryWarningMs = 14 * dayMs

export const balanceMaxAgeMs = dayMs

export function createPaykeyChecks(facts: PaykeyCheckFacts): CheckResult[] {
  const { paykey, readAt, now } = facts
  return [
    toCheckResult('names', 'Names', facts.review, assessNameMatch),
    toCheckResult('verification', 'Verification', facts.review, assessVerification),
    toCheckResult('customer', 'Customer', facts.customer, assessCustomer),
    toCheckResult('expiry', 'Expiry', { data: paykey, at: readAt }, ({ expires_at }) =>
      assessExpiry(expires_at, now),
    ),
    toCheckResult('balance', 'Balance', { data: paykey, at: readAt }, () => assessBalance(facts)),
    toCheckResult('alike', 'Same account', facts.alike, (alike) =>
      assessSameAccount(alike, paykey),
    ),
    toCheckResult('unblocked', 'Earlier unblock', { data: paykey, at: readAt }, () =>
      assessEarlierUnblock(facts),
    ),
  ]
}

function assessNameMatch({ verification_details }: PaykeyReview): PaykeyFinding {
  const nameMatch = verification_details?.breakdown.name_match
  if (!nameMatch)
    return {
      result: 'unknown',
      sentence: 'No holder name: manually entered bank details include no names.',
    }
  const scoreWords = toScoreWords(nameMatch.correlation_score)
  if (!scoreWords) return { result: 'unknown', sentence: 'The names have no score.' }
  const nameMatchResult =
    scoreWords.tone === 'good' ? 'pass' : scoreWords.tone === 'bad' ? 'fail' : 'warn'
  return { result: nameMatchResult, sentence: `${scoreWords.label} (${scoreWords.text}).` }
}

const checkResultByVerdict: Readonly<Record<string, CheckResult['result']>> = {
  accept: 'pass',
  review: 'warn',
  reject: 'fail',
}

function assessVerification({ verification_details }: PaykeyReview): PaykeyFinding {
  const verificationDecision = verification_details?.decision
  const verificationWords = getVerdictWords(verificationDecision)
  const updatedAt = verification_details?.updated_at ?? null
  const checkResult =
    verificationDecision !== undefined && Object.hasOwn(checkResultByVerdict, verificationDecision)
      ? checkResultByVerdict[verificationDecision]
      : undefined
  return {
    result: checkResult ?? 'unknown',
    sentence: `${verificationWords.label}.`,
    at: updatedAt,
  }
}

const checkResultByCustomerStatus: Readonly<Record<string, CheckResult['result']>> = {
  verified: 'pass',
  pending: 'warn',
  review: 'warn',
  rejected: 'fail',
  inactive: 'fail',
}

function assessCustomer({ status }: Customer): PaykeyFinding {
  const customerResult = isKnownStatus('customer', status)
    ? checkResultByCustomerStatus[status]
    : undefined
  return {
    result: customerResult ?? 'unknown',
    sentence: statusText(getStatusWords('customer', status)),
  }
}

export function assessExpiry(expires_at: string | undefined, now: number): PaykeyFinding {
  const expiryTime = parseTime(expires_at)
  if (expiryTime === null) return { result: 'unknown', sentence: 'The service gives no expiry.' }
  if (expiryTime <= now)
    return {
      result: 'fail',
      sentence: `Expired ${formatRelativeTime(expires_at, now)}; the paykey is not usable.`,
    }
  const timeLeft = formatDuration(expiryTime - now)
  return expiryTime - now < expiryWarningMs
    ? {
        result: 'warn',
        sentence: `Expires in ${timeLeft}; ask the customer to reconnect the bank account.`,
      }
    : { result: 'pass', sentence: `Expires in ${timeLeft}.` }
}

function assessBalance({ paykey, now, unit }: PaykeyCheckFacts): PaykeyFinding {
  const { balance, source } = paykey
  const at = balance?.updated_at ?? null
  const minorUnits = toMinorUnits(balance?.account_balance, unit)
  if (minorUnits === null) {
    const whyUnavailable = canReadBalance(source)
      ? 'Balance unavailable.'
      : 'Unavailable: the balance of a manually entered bank account cannot be checked.'
    return { result: 'unknown', sentence: whyUnavailable, at }
  }
  const amountText = moneyText(minorUnits)
  if (balance?.status === 'pending')
    return { result: 'unknown', sentence: `Last ${amountText}; a refresh is in progress.`, at }
  if (balance?.status !== 'completed')
    return { result: 'unknown', sentence: `Last ${amountText}; the last refresh failed.`, at }
  const updatedTime = parseTime(at)
  if (updatedTime === null || now - updatedTime > balanceMaxAgeMs)
    return { result: 'unknown', sentence: `${amountText}, but the balance is out of date.`, at }
  return { result: 'pass', sentence: `${amountText}.`, at }
}

function assessSameAccount(
  sameAccountPaykeys: readonly PaykeySummary[],
  paykey: Paykey,
): PaykeyFinding {
  const otherCustomerCount = new Set(
    sameAccountPaykeys
      .map(({ customer_id }) => customer_id)
      .filter((id) => id !== paykey.customer_id),
  ).size
  const blockedCount = sameAccountPaykeys.filter(
    ({ status }) => status === 'blocked' || status === 'rejected',
  ).length
  const blockedText =
    blockedCount > 0
      ? ` ${blockedCount} of them ${blockedCount === 1 ? 'is' : 'are'} blocked or rejected.`
      : ''
  if (otherCustomerCount > 0) {
    return {
      result: 'warn',
      sentence: `Possibly used by ${otherCustomerCount} other ${otherCustomerCount === 1 ? 'customer' : 'customers'}.${blockedText}`,
    }
  }
  if (sameAccountPaykeys.length > 0)
    return {
      result: blockedCount > 0 ? 'warn' : 'pass',
      sentence: `Connected by this customer before.${blockedText}`,
    }
  return { result: 'pass', sentence: 'No other paykey found for this bank account.' }
}

function assessEarlierUnblock({ paykey, actions }: PaykeyCheckFacts): PaykeyFinding {
  if (wasUnblockedInPaydesk(actions))
    return {
      result: 'warn',
      sentence: 'Already unblocked in Paydesk. A paykey can be unblocked only once.',
    }
  const { status, unblock_eligible, status_details } = paykey
  if (status === 'blocked' && unblock_eligible === false && status_details?.code === 'R29') {
    return {
      result: 'warn',
      sentence: 'Blocked with R29 and not eligible: the one unblock seems used.',
    }
  }
  return { result: 'pass', sentence: 'None on record in Paydesk.' }
}

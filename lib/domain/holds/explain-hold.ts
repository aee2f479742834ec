import type { Payment } from '@/lib/domain/payment-kind'
import type { HoldReasons } from '@/lib/domain/payment-reasons'
import { moneyText } from '@/lib/money'

type StatusDetails = NonNullable<Payment['status_details']>

/** In minor units. */
type HeldPaymentLimits = {
  max_amount?: number | undefined
  daily_amount?: number | undefined
  monthly_amount?: number | undefined
}

/** `code` is the ACH return code (`R02`) of a blocked account. */
export type HeldPaymentPaykey = {
  status: string
  code?: string | undefined
  unblockEligible?: boolean | undefined
}

/**
 * Amounts are minor units. Missing fields are unknown: the explanation is then less exact. `spent`
 * is Paydesk's own sum of the other payments; null if it could not be computed.
 */
export type HeldPaymentFacts = {
  details: StatusDetails | undefined
  amount?: number | null
  paykey?: HeldPaymentPaykey | undefined
  limits?: HeldPaymentLimits | undefined
  spent?: { day: number; month: number } | null | undefined
  autoHold?: boolean | undefined
  autoHoldMessage?: string | undefined
  documents?: number | undefined
}

/** `id` is the id of the matching rule, or `unknown`. `clears` is how to end the hold. */
export type HoldExplanation = {
  id: string
  line: string
  clears: string
  who: string
  reasons: HoldReasons
}

type HoldRule = Omit<HoldExplanation, 'line'> & {
  seen: (facts: HeldPaymentFacts) => boolean
  line: string | ((facts: HeldPaymentFacts) => string)
}

const getHoldReason = ({ details }: HeldPaymentFacts) => details?.reason?.toLowerCase() ?? ''

const createReasonMatcher =
  (...reasons: string[]) =>
  (facts: HeldPaymentFacts) =>
    reasons.includes(getHoldReason(facts))

const hasSource = (facts: HeldPaymentFacts, source: string) =>
  facts.details?.source?.toLowerCase() === source

/** Characters. A list row has only two lines; the payment's page shows the full message. */
const maxQuotedLength = 80

function quoteText(text: string | undefined): string {
  if (!text) return ''
  const characters = [...text]
  return `: “${characters.length > maxQuotedLength ? `${characters.slice(0, maxQuotedLength).join('').trimEnd()}…` : text}”`
}

/** Zero or negative if within the limit, or if an amount or the limit is unknown. */
const getLimitExcess = (
  { amount }: HeldPaymentFacts,
  limit: number | undefined,
  spentBefore: number | undefined = 0,
) => (amount ?? Number.NEGATIVE_INFINITY) + spentBefore - (limit ?? Number.POSITIVE_INFINITY)

const getSinglePaymentExcess = (facts: HeldPaymentFacts) =>
  getLimitExcess(facts, facts.limits?.max_amount)
const getDailyLimitExcess = (facts: HeldPaymentFacts) =>
  getLimitExcess(
    facts,
    facts.limits?.daily_amount,
    facts.spent ? facts.spent.day : Number.NEGATIVE_INFINITY,
  )
const getMonthlyLimitExcess = (facts: HeldPaymentFacts) =>
  getLimitExcess(
    facts,
    facts.limits?.monthly_amount,
    facts.spent ? facts.spent.month : Number.NEGATIVE_INFINITY,
  )

const hasTooLargeReason = createReasonMatcher('amount_too_large')

const isBankAccountReason = createReasonMatcher(
  'invalid_paykey',
  'invalid_bank_account',
  'invalid_routing',
  'closed_bank_account',
  'frozen_bank_account',
)

/** True if the service's reason explains nothing. Other facts may then explain the hold. */
const hasNoUsefulReason = createReasonMatcher('', 'ok', 'validating')

const formatReturnCode = ({ paykey }: HeldPaymentFacts) => (paykey?.code ? ` (${paykey.code})` : '')

const limitReasons: HoldReasons = {
  release: ['LIMIT_ACCEPTED_ONCE', 'AUTH_PROOF_OK', 'LIMIT_MET'],
  cancel: ['LIMIT_EXCEEDED', 'CUSTOMER_REQUEST'],
}

/**
 * The first match applies. A bank account in review or blocked comes before most reasons of the
 * service, because releasing the payment has no effect then.
 */
const holdRules: readonly HoldRule[] = [
  {
    id: 'auto_hold',
    seen: (facts) =>
      createReasonMatcher('auto_hold')(facts) ||
      (facts.autoHold === true && hasNoUsefulReason(facts)),
    line: ({ details, autoHoldMessage }) =>
      `Held by a user at creation${quoteText(details?.message ?? autoHoldMessage)}`,
    clears: 'Ask whoever set this hold, then release.',
    who: 'an operator or an admin',
    reasons: {
      release: ['INTERNAL_HOLD_LIFTED'],
      cancel: ['CUSTOMER_REQUEST', 'CREATED_IN_ERROR'],
    },
  },
  {
    id: 'paykey_review',
    seen: ({ paykey }) => paykey?.status === 'review',
    line: 'Bank account awaiting review',
    clears: 'Approve or reject the bank account first; a release alone has no effect.',
    who: 'a reviewer or an admin',
    reasons: {
      release: ['BANK_ACCOUNT_USABLE', 'CUSTOMER_CONFIRMED'],
      cancel: ['BANK_ACCOUNT_UNUSABLE', 'NAME_MISMATCH'],
    },
  },
  {
    id: 'paykey_lost',
    seen: ({ paykey }) => paykey?.status === 'blocked' && paykey.unblockEligible === false,
    line: (facts) => `Bank account permanently blocked${formatReturnCode(facts)}`,
    clears: 'Cancel this payment and ask the customer to connect another bank account.',
    who: 'an operator or an admin',
    reasons: { release: ['CUSTOMER_CONFIRMED'], cancel: ['BANK_ACCOUNT_UNUSABLE'] },
  },
  {
    id: 'paykey_blocked',
    seen: ({ paykey }) => paykey?.status === 'blocked',
    line: (facts) => `Bank account blocked after a return${formatReturnCode(facts)}`,
    clears: 'Have the bank allow-list our ACH company ID, then unblock (possible once).',
    who: 'a reviewer or an admin',
    reasons: {
      release: ['BANK_ACCOUNT_USABLE', 'CUSTOMER_CONFIRMED'],
      cancel: ['BANK_ACCOUNT_UNUSABLE'],
    },
  },
  {
    id: 'held_by_person',
    seen: (facts) =>
      createReasonMatcher('user_request')(facts) ||
      (hasNoUsefulReason(facts) && hasSource(facts, 'user_action')),
    line: ({ details }) => `Held by a user${quoteText(details?.message)}`,
    clears: 'Check that the reason given no longer applies, then release.',
    who: 'an operator or an admin',
    reasons: {
      release: ['INTERNAL_HOLD_LIFTED'],
      cancel: ['CUSTOMER_REQUEST', 'CREATED_IN_ERROR'],
    },
  },
  {
    id: 'over_max_amount',
    seen: (facts) =>
      (hasTooLargeReason(facts) || hasNoUsefulReason(facts)) && getSinglePaymentExcess(facts) > 0,
    line: (facts) => `Over the single-payment limit by ${moneyText(getSinglePaymentExcess(facts))}`,
    clears: 'Upload an authorization proof, or request a higher limit.',
    who: 'an operator or an admin',
    reasons: limitReasons,
  },
  {
    id: 'over_daily_amount',
    seen: (facts) => hasTooLargeReason(facts) && getDailyLimitExcess(facts) > 0,
    line: (facts) =>
      `Over the daily limit by ${moneyText(getDailyLimitExcess(facts))} (our estimate)`,
    clears: 'Upload an authorization proof, wait for the next day, or request a higher limit.',
    who: 'an operator or an admin',
    reasons: limitReasons,
  },
  {
    id: 'over_monthly_amount',
    seen: (facts) => hasTooLargeReason(facts) && getMonthlyLimitExcess(facts) > 0,
    line: (facts) =>
      `Over the monthly limit by ${moneyText(getMonthlyLimitExcess(facts))} (our estimate)`,
    clears: 'Upload an authorization proof, wait for the next month, or request a higher limit.',
    who: 'an operator or an admin',
    reasons: limitReasons,
  },
  {
    id: 'over_limit',
    seen: hasTooLargeReason,
    line: 'Over a limit of the account',
    clears:
      'Upload an authorization proof, wait for a new day or month, or request a higher limit.',
    who: 'an operator or an admin',
    reasons: limitReasons,
  },
  {
    id: 'risk',
    seen: createReasonMatcher(
      'risk_review',
      'watchtower_review',
      'require_review',
      'fraudulent',
      'blocked_by_system',
      'failed_verification',
    ),
    line: 'Flagged for manual risk review',
    clears: 'Under provider review. Upload authorization; release once the review clears.',
    who: 'an operator or an admin',
    reasons: {
      release: ['REVIEW_CLEARED', 'AUTH_PROOF_OK', 'FALSE_POSITIVE'],
      cancel: ['RISK_SIGNAL'],
    },
  },
  {
    id: 'bank_account_again',
    seen: (facts) => isBankAccountReason(facts) && facts.paykey?.status === 'active',
    line: 'Bank account active again',
    clears: 'Release this payment: its bank account is active again.',
    who: 'an operator or an admin',
    reasons: { release: ['BANK_ACCOUNT_USABLE'], cancel: ['BANK_ACCOUNT_UNUSABLE'] },
  },
  {
    id: 'bank_account',
    seen: isBankAccountReason,
    line: 'Bank account not usable',
    clears:
      'Ask the customer to connect another bank account, or approve or reject the one in review.',
    who: 'an operator, a reviewer or an admin',
    reasons: {
      release: ['BANK_ACCOUNT_USABLE', 'CUSTOMER_CONFIRMED'],
      cancel: ['BANK_ACCOUNT_UNUSABLE'],
    },
  },
  {
    id: 'funds',
    seen: createReasonMatcher('insufficient_funds'),
    line: 'Balance too low for the amount',
    clears: 'Refresh the balance, or ask the customer.',
    who: 'an operator or an admin',
    reasons: {
      release: ['FUNDS_AVAILABLE', 'CUSTOMER_CONFIRMED'],
      cancel: ['BALANCE_TOO_LOW', 'CUSTOMER_REQUEST'],
    },
  },
  {
    id: 'duplicate',
    seen: createReasonMatcher('duplicate_entry'),
    line: 'Possible duplicate of an earlier payment',
    clears: 'Confirm that both payments are intended, or cancel this one.',
    who: 'an operator or an admin',
    reasons: { release: ['NOT_DUPLICATE'], cancel: ['DUPLICATE_SUSPECTED'] },
  },
  {
    id: 'no_document',
    seen: (facts) => facts.documents === 0 && hasSource(facts, 'watchtower'),
    line: 'No authorization proof on file',
    clears: 'Upload the proof, then release.',
    who: 'an operator or an admin',
    reasons: {
      release: ['AUTH_PROOF_OK', 'CUSTOMER_CONFIRMED'],
      cancel: ['PROOF_MISSING', 'PROOF_UNCLEAR'],
    },
  },
]

const unknownHoldExplanation: HoldExplanation = {
  id: 'unknown',
  line: 'Hold reason not known',
  clears:
    'Read the provider’s message below, or contact provider support with the IDs on this page.',
  who: 'an operator or an admin',
  reasons: {
    release: ['REVIEW_CLEARED', 'FALSE_POSITIVE'],
    cancel: ['CUSTOMER_REQUEST', 'CREATED_IN_ERROR'],
  },
}

/** Without a matching rule the id is `unknown`, and the screen shows the service's raw values. */
export function explainHold(facts: HeldPaymentFacts): HoldExplanation {
  const matchingRule = holdRules.find((candidate) => candidate.seen(facts))
  if (!matchingRule) return unknownHoldExplanation
  const { seen: _, line, ...explanation } = matchingRule
  return { ...explanation, line: typeof line === 'string' ? line : line(facts) }
}

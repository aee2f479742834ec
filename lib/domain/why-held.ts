import type { Payment } from './payment-kind'

type StatusDetails = NonNullable<Payment['status_details']>

/** What the explainer looks at. Only `details` is always there; the rest sharpens the line when it is known. Amounts in minor units. */
export type HeldFacts = {
  details: StatusDetails | undefined
  autoHold?: boolean
  autoHoldMessage?: string
  paykeyStatus?: string
  paykeyCode?: string
  unblockEligible?: boolean
  amount?: number | null
  maxAmount?: number | null
  documents?: number
  formatAmount?: (minor: number) => string
}

/** Why a payment is held: one plain line, what clears it and who can. `id` names the rule that matched; `unknown` when none did. */
export type WhyHeld = { id: string; line: string; clears: string; who: string }

type Rule = { id: string; seen: (facts: HeldFacts) => boolean; line: string | ((facts: HeldFacts) => string); clears: string; who: string }

const reasonIs =
  (...reasons: string[]) =>
  (facts: HeldFacts) =>
    reasons.includes(facts.details?.reason?.toLowerCase() ?? '')

const sourceIs = (facts: HeldFacts, source: string) => facts.details?.source?.toLowerCase() === source

const overLimit = (facts: HeldFacts) => (facts.amount ?? 0) - (facts.maxAmount ?? Number.POSITIVE_INFINITY)

const quoted = (text: string | undefined) => (text ? `: “${text}”` : '')

/** The starter rules; the first that matches wins. Reason and source are read together, since one reason means different things by source. */
const rules: readonly Rule[] = [
  {
    id: 'paykey_review',
    seen: (facts) => facts.paykeyStatus === 'review',
    line: 'Waits for the bank-account review',
    clears: 'The paykey review decides it, not a release.',
    who: 'a reviewer',
  },
  {
    id: 'paykey_lost',
    seen: (facts) => facts.paykeyStatus === 'blocked' && facts.unblockEligible === false,
    line: (facts) => `Bank account blocked for good${facts.paykeyCode ? ` (${facts.paykeyCode})` : ''}`,
    clears: 'Nothing here: the customer connects another account, and this payment is cancelled.',
    who: 'an operator',
  },
  {
    id: 'paykey_blocked',
    seen: (facts) => facts.paykeyStatus === 'blocked',
    line: (facts) => `Bank account blocked after a return${facts.paykeyCode ? ` (${facts.paykeyCode})` : ''}`,
    clears: 'The customer’s bank allows the originator, then the paykey is unblocked once.',
    who: 'a reviewer and a second person',
  },
  {
    id: 'auto_hold',
    seen: (facts) => reasonIs('auto_hold')(facts) || (facts.autoHold === true && !reasonIs('user_request')(facts)),
    line: (facts) => `Held on purpose when it was created${quoted(facts.autoHoldMessage ?? facts.details?.message)}`,
    clears: 'Whoever set the rule agrees, then release.',
    who: 'an operator',
  },
  {
    id: 'over_max_amount',
    seen: (facts) => overLimit(facts) > 0,
    line: (facts) => `Over the single-payment limit${facts.formatAmount ? ` by ${facts.formatAmount(overLimit(facts))}` : ''}`,
    clears: 'An authorization proof, or a higher limit.',
    who: 'an operator',
  },
  {
    id: 'over_limit',
    seen: reasonIs('amount_too_large'),
    line: 'Over the daily or monthly limit of the account',
    clears: 'An authorization proof, a new day or month, or a higher limit.',
    who: 'an operator',
  },
  {
    id: 'held_by_person',
    seen: (facts) => reasonIs('user_request')(facts) || sourceIs(facts, 'user_action'),
    line: (facts) => `On request${quoted(facts.details?.message)}`,
    clears: 'The stated reason no longer applies, then release.',
    who: 'an operator',
  },
  {
    id: 'risk',
    seen: reasonIs('risk_review', 'watchtower_review', 'require_review', 'fraudulent', 'blocked_by_system', 'failed_verification'),
    line: 'The provider’s risk check asks for a person',
    clears: 'The provider’s own review; add proof and a note.',
    who: 'a reviewer',
  },
  {
    id: 'bank_account',
    seen: reasonIs('invalid_paykey', 'invalid_bank_account', 'invalid_routing', 'closed_bank_account', 'frozen_bank_account'),
    line: 'The bank account cannot be used as it is',
    clears: 'Another bank account, or a decided paykey.',
    who: 'a reviewer',
  },
  {
    id: 'funds',
    seen: reasonIs('insufficient_funds'),
    line: 'Not enough money was seen on the account',
    clears: 'A new balance; wait or ask, never assume.',
    who: 'an operator',
  },
  {
    id: 'duplicate',
    seen: reasonIs('duplicate_entry'),
    line: 'Looks like a payment that was already sent',
    clears: 'Proof that both are wanted; otherwise cancel it.',
    who: 'an operator',
  },
  {
    id: 'no_document',
    seen: (facts) => facts.documents === 0 && sourceIs(facts, 'watchtower'),
    line: 'No authorization proof on file',
    clears: 'Upload the proof, then release.',
    who: 'an operator or a reviewer',
  },
]

const unknown: WhyHeld = {
  id: 'unknown',
  line: 'We do not know yet why',
  clears: 'Read what the provider said below, or ask its support with the ids on this page.',
  who: 'an operator',
}

/** Explains a hold. Nothing is guessed: when no rule matches it says so, and the raw values stay beside it on the screen. */
export function whyHeld(facts: HeldFacts): WhyHeld {
  const rule = rules.find((candidate) => candidate.seen(facts))
  if (!rule) return unknown
  return { id: rule.id, line: typeof rule.line === 'string' ? rule.line : rule.line(facts), clears: rule.clears, who: rule.who }
}

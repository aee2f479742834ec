import { iso } from '@/sandbox/store/clock'
import { bankNameOf } from './bank-names'
import { nameScore, nameThresholds } from './match-names'
import type { PaykeyConfig, PaykeySource, Verification } from './paykey-schema'

/**
 * Texts of a verification's codes. The provider's lists for these two modules are not public: numbers and texts are the sandbox's own.
 * Prefixes as elsewhere: I is informational, BV needs review, R is a risk.
 */
const messages = {
  I810: 'A name on the account is the name of the customer.',
  I811: 'A name on the account is close to the name of the customer.',
  BV810: 'A name on the account shares parts with the name of the customer.',
  BV811: 'No name on the account resembles the name of the customer.',
  R810: 'The account belongs to somebody else.',
  I820: 'The account is open and takes debits and credits.',
  I821: 'The routing number belongs to a known bank.',
  BV820: 'The bank did not confirm that the account is open.',
  BV821: 'The routing number belongs to a bank that is not on file.',
  R820: 'The bank does not know the account.',
  I830: 'The verification was skipped, as the account settings allow.',
} as const

type Code = keyof typeof messages
type Decision = Verification['decision']

/** Input of a verification: the bank account, its holders according to an aggregator, and the customer's name. */
export type Subject = { source: PaykeySource; routing_number: string; names_on_account: readonly string[]; customer_name: string }

const forced: Readonly<Record<'active' | 'review' | 'rejected', Decision>> = { active: 'accept', review: 'review', rejected: 'reject' }

/** True if the source returns the account holders. For other sources the account itself is validated (provider-facts 2.9). */
export const knowsHolder = (source: PaykeySource): boolean => source !== 'bank_account' && source !== 'tan'

function bestMatch(subject: Subject): { name: string | null; score: number } {
  const scored = subject.names_on_account.map((name) => ({ name, score: nameScore(name, subject.customer_name) }))
  return scored.reduce<{ name: string | null; score: number }>((best, next) => (next.score > best.score ? next : best), {
    name: null,
    score: 0,
  })
}

function nameCode(score: number, decision: Decision): Code {
  if (decision === 'reject') return 'R810'
  if (score === 1) return 'I810'
  if (score > nameThresholds.close) return 'I811'
  return score >= nameThresholds.partial ? 'BV810' : 'BV811'
}

function matchNames(subject: Subject, outcome: PaykeyConfig['sandbox_outcome']) {
  const { name, score } = bestMatch(subject)
  const decision = outcome === 'standard' ? (score > nameThresholds.close ? 'accept' : 'review') : forced[outcome]
  const code = nameCode(score, decision)
  return {
    ...{ decision, codes: [code], reason: messages[code] },
    ...{ names_on_account: [...subject.names_on_account], matched_name: score >= nameThresholds.partial ? name : null },
    ...{ customer_name: subject.customer_name, correlation_score: score },
  }
}

const accountCodes: Readonly<Record<Decision, Code>> = { accept: 'I820', review: 'BV820', reject: 'R820' }

function validateAccount(subject: Subject, outcome: PaykeyConfig['sandbox_outcome']) {
  const decision = outcome === 'standard' ? 'accept' : forced[outcome]
  const code = accountCodes[decision]
  const codes: Code[] = [code, bankNameOf(subject.routing_number) === null ? 'BV821' : 'I821']
  return { decision, codes, reason: messages[code] }
}

/** Id and times (milliseconds) of a verification, and its paykey's configuration. */
export type VerificationFrame = { id: string; created: number; updated: number; config: PaykeyConfig }

/**
 * Verifies a bank account. `standard` judges the evidence: similar names pass, an account counts as open. Other outcomes force the result,
 * and `skip` accepts without a check. The same input always gives the same findings.
 */
export function makeVerification(subject: Subject, { id, created, updated, config }: VerificationFrame): Verification {
  const times = { created_at: iso(created), updated_at: iso(updated) }
  if (config.processing_method === 'skip') {
    return { id, decision: 'accept', messages: { I830: messages.I830 }, ...times, breakdown: {} }
  }
  const breakdown = knowsHolder(subject.source)
    ? { name_match: matchNames(subject, config.sandbox_outcome) }
    : { account_validation: validateAccount(subject, config.sandbox_outcome) }
  const finding = breakdown.name_match ?? breakdown.account_validation
  const findingMessages = Object.fromEntries(finding.codes.map((code) => [code, messages[code]]))
  return { id, decision: finding.decision, messages: findingMessages, ...times, breakdown }
}

import { assessMove } from '@/sandbox/machine'
import type { Sandbox } from '@/sandbox/sandbox'
import { type TimerSpec, toIsoTime } from '@/sandbox/store/clock'
import { findBankName } from './bank-names'
import { movePaykey, recordPaykeyEvent } from './move-paykey'
import type { PaykeyConfig, PaykeySource, Verification } from './paykey-schema'
import { type PaykeyEntry, paykeyMachine } from './paykey-store'

/**
 * Limits of the similarity score of two names. Above `close`, the names count as the same. From
 * `partial` to `close`, they count as partly similar. The numbers are those of the provider's demo.
 */
export const nameSimilarityThresholds = { close: 0.8, partial: 0.2 } as const

function normalizeName(name: string): string {
  const normalizedName = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return (normalizedName.match(/[\p{L}\p{N}]+/gu) ?? []).sort().join(' ')
}

function countLetterPairs(text: string): Map<string, number> {
  const pairCounts = new Map<string, number>()
  for (let at = 0; at + 1 < text.length; at++) {
    const pair = text.slice(at, at + 2)
    pairCounts.set(pair, (pairCounts.get(pair) ?? 0) + 1)
  }
  return pairCounts
}

const sumCounts = (pairs: Map<string, number>): number =>
  [...pairs.values()].reduce((sum, count) => sum + count, 0)

/**
 * Returns the similarity of two names from 0 to 1, with two decimals: the share of letter pairs
 * that both names have. Ignores word order, accents, case and punctuation. The score is 1 only if
 * nothing else differs. This is the sandbox's own formula, because the provider's is not public.
 */
export function scoreNameSimilarity(leftName: string, rightName: string): number {
  const [left, right] = [normalizeName(leftName), normalizeName(rightName)]
  if (left === right) return left === '' && leftName !== rightName ? 0 : 1
  const [leftPairs, rightPairs] = [countLetterPairs(left), countLetterPairs(right)]
  let commonPairCount = 0
  for (const [pair, count] of leftPairs)
    commonPairCount += Math.min(count, rightPairs.get(pair) ?? 0)
  const pairCount = sumCounts(leftPairs) + sumCounts(rightPairs)
  return pairCount === 0 ? 0 : Math.min(0.99, Math.round((200 * commonPairCount) / pairCount) / 100)
}

/**
 * Texts of the codes in a verification. The sandbox invents codes and texts, because the provider's
 * are not public. Code prefixes: `I` is information, `BV` needs a review, `R` is a risk.
 */
const messageByCode = {
  I810: 'A holder name of the bank account is the customer’s name.',
  I811: 'A holder name of the bank account is close to the customer’s name.',
  BV810: 'A holder name of the bank account partly matches the customer’s name.',
  BV811: 'No holder name of the bank account matches the customer’s name.',
  R810: 'The account belongs to somebody else.',
  I820: 'The account is open and takes debits and credits.',
  I821: 'The routing number belongs to a known bank.',
  BV820: 'The bank did not confirm that the account is open.',
  BV821: 'The routing number belongs to a bank that is not on file.',
  R820: 'The bank does not know the account.',
  I830: 'The verification was skipped, as the account settings allow.',
} as const

type FindingCode = keyof typeof messageByCode
type VerificationDecision = Verification['decision']

export type VerificationSubject = {
  source: PaykeySource
  routing_number: string
  names_on_account: readonly string[]
  customer_name: string
}

const forcedDecisionByOutcome: Readonly<
  Record<'active' | 'review' | 'rejected', VerificationDecision>
> = {
  active: 'accept',
  review: 'review',
  rejected: 'reject',
}

/**
 * Returns true if the source reports the account holders. Their names are then compared with the
 * customer's name. For the other sources, the bank account itself is checked (provider-facts 2.9).
 */
export const hasHolderNames = (source: PaykeySource): boolean =>
  source !== 'bank_account' && source !== 'tan'

function findBestNameMatch(subject: VerificationSubject): { name: string | null; score: number } {
  const scoredNames = subject.names_on_account.map((name) => ({
    name,
    score: scoreNameSimilarity(name, subject.customer_name),
  }))
  return scoredNames.reduce<{ name: string | null; score: number }>(
    (best, next) => (next.score > best.score ? next : best),
    {
      name: null,
      score: 0,
    },
  )
}

function getNameMatchCode(score: number, decision: VerificationDecision): FindingCode {
  if (decision === 'reject') return 'R810'
  if (score === 1) return 'I810'
  if (score > nameSimilarityThresholds.close) return 'I811'
  return score >= nameSimilarityThresholds.partial ? 'BV810' : 'BV811'
}

function checkHolderNames(subject: VerificationSubject, outcome: PaykeyConfig['sandbox_outcome']) {
  const { name, score } = findBestNameMatch(subject)
  const decision =
    outcome === 'standard'
      ? score > nameSimilarityThresholds.close
        ? 'accept'
        : 'review'
      : forcedDecisionByOutcome[outcome]
  const code = getNameMatchCode(score, decision)
  return {
    ...{ decision, codes: [code], reason: messageByCode[code] },
    ...{
      names_on_account: [...subject.names_on_account],
      matched_name: score >= nameSimilarityThresholds.partial ? name : null,
    },
    ...{ customer_name: subject.customer_name, correlation_score: score },
  }
}

const accountCodeByDecision: Readonly<Record<VerificationDecision, FindingCode>> = {
  accept: 'I820',
  review: 'BV820',
  reject: 'R820',
}

function checkBankAccount(subject: VerificationSubject, outcome: PaykeyConfig['sandbox_outcome']) {
  const decision = outcome === 'standard' ? 'accept' : forcedDecisionByOutcome[outcome]
  const code = accountCodeByDecision[decision]
  const codes: FindingCode[] = [
    code,
    findBankName(subject.routing_number) === null ? 'BV821' : 'I821',
  ]
  return { decision, codes, reason: messageByCode[code] }
}

/** `created` and `updated` are in milliseconds since 1970. */
type VerificationInput = { id: string; created: number; updated: number; config: PaykeyConfig }

/**
 * Makes the result of a verification. With the outcome `standard`, similar names pass, and a bank
 * account without holder names always passes. Other outcomes force the result. The same input
 * always returns the same verification.
 */
export function makeVerification(
  subject: VerificationSubject,
  { id, created, updated, config }: VerificationInput,
): Verification {
  const timestamps = { created_at: toIsoTime(created), updated_at: toIsoTime(updated) }
  if (config.processing_method === 'skip') {
    return {
      id,
      decision: 'accept',
      messages: { I830: messageByCode.I830 },
      ...timestamps,
      breakdown: {},
    }
  }
  const breakdown = hasHolderNames(subject.source)
    ? { name_match: checkHolderNames(subject, config.sandbox_outcome) }
    : { account_validation: checkBankAccount(subject, config.sandbox_outcome) }
  const finding = breakdown.name_match ?? breakdown.account_validation
  const findingMessages = Object.fromEntries(
    finding.codes.map((code) => [code, messageByCode[code]]),
  )
  return { id, decision: finding.decision, messages: findingMessages, ...timestamps, breakdown }
}

/** Timer of a background verification. `after` is in milliseconds; the provider takes 5 to 12 s. */
export const verificationTimer: TimerSpec = { kind: 'paykey_verification', after: 8_000 }

const moveByDecision = { accept: 'pass', review: 'flag', reject: 'fail' } as const

export function toVerificationMove({ decision, breakdown }: Verification) {
  const finding = breakdown.name_match ?? breakdown.account_validation
  return {
    name: moveByDecision[decision],
    cause: decision === 'accept' || !finding?.reason ? {} : { message: finding.reason },
  }
}

function repeatVerification(
  sandbox: Sandbox,
  { doc }: PaykeyEntry,
  at: number,
): Verification | undefined {
  const evidence = sandbox.paykeys.evidence.get(doc.id)
  if (!evidence) return undefined
  const { name_match } = evidence.doc.verification.breakdown
  const customerName = sandbox.customers.get(doc.customer_id)?.doc.name
  const verificationSubject = {
    ...{ source: doc.source, routing_number: doc.bank_data.routing_number },
    names_on_account:
      name_match?.names_on_account ?? (customerName === undefined ? [] : [customerName]),
    // Use the customer's current name: after a correction of the name, a failed check can pass.
    customer_name: customerName ?? name_match?.customer_name ?? '',
  }
  const { id, created_at } = evidence.doc.verification
  // The processing method `skip` applies only to the verification at linking.
  const config = { ...doc.config, processing_method: 'inline' } as const
  const verification = makeVerification(verificationSubject, {
    id,
    created: Date.parse(created_at),
    updated: at,
    config,
  })
  sandbox.paykeys.evidence.save({ ...evidence, doc: { id: doc.id, verification } })
  return verification
}

/**
 * Repeats the verification of a paykey when its timer is due. Does nothing if the paykey was
 * blocked, canceled or rejected since the timer was set.
 */
export function verifyPaykey(sandbox: Sandbox, paykeyNumber: string, at: number): void {
  const entry = sandbox.paykeys.at(Number(paykeyNumber))
  if (!entry || assessMove(paykeyMachine, 'fail', entry.doc.status) === 'refused') return
  const verification = repeatVerification(sandbox, entry, at)
  if (!verification) return
  const { name, cause } = toVerificationMove(verification)
  if (assessMove(paykeyMachine, name, entry.doc.status) === 'moves') {
    movePaykey(sandbox, entry, name, at, cause)
    return
  }
  entry.doc.updated_at = toIsoTime(at)
  sandbox.paykeys.save(entry)
  recordPaykeyEvent(sandbox, entry, at)
}

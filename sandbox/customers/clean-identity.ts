import { makeTimestamps } from '@/sandbox/store/clock'
import type { Random } from '@/sandbox/store/random'
import type { IdentityCheck, IdentityDecision, IdentityDetails } from './customer-review-schema'
import type { Customer } from './customer-schema'
import type { IdentityCode } from './identity-codes'
import { makeCleanInsights } from './reputation'

const pickNumberBetween = (random: Random, low: number, high: number): number =>
  random.int(low * 1000, high * 1000) / 1000

function toCorrelation(score: number): NonNullable<IdentityCheck['correlation']> {
  if (score >= 0.9) return 'high_confidence'
  if (score >= 0.7) return 'likely_match'
  return score >= 0.4 ? 'potential_match' : 'low_confidence'
}

type ScoreRange = readonly [low: number, high: number]

export function makeIdentityCheck(
  random: Random,
  decision: IdentityDecision,
  codes: IdentityCode[],
  risk: ScoreRange,
  match?: ScoreRange,
): IdentityCheck {
  const correlation_score = match ? pickNumberBetween(random, ...match) : null
  const correlation = correlation_score === null ? null : toCorrelation(correlation_score)
  return {
    decision,
    codes,
    risk_score: pickNumberBetween(random, ...risk),
    correlation_score,
    correlation,
  }
}

const lowRiskRange: ScoreRange = [0.01, 0.25]
const highMatchRange: ScoreRange = [0.9, 0.999]

function makeIdentityBreakdown(
  random: Random,
  { type, address }: Customer,
): IdentityDetails['breakdown'] {
  const isBusiness = type === 'business'
  return {
    email: makeIdentityCheck(random, 'accept', ['I520', 'I553'], lowRiskRange, highMatchRange),
    phone: makeIdentityCheck(
      random,
      'accept',
      random.chance(0.2) ? ['I601'] : [],
      lowRiskRange,
      highMatchRange,
    ),
    address: address && makeIdentityCheck(random, 'accept', [], lowRiskRange, highMatchRange),
    fraud: makeIdentityCheck(random, 'accept', [], lowRiskRange),
    synthetic: isBusiness ? null : makeIdentityCheck(random, 'accept', [], lowRiskRange),
    business_identification: isBusiness
      ? makeIdentityCheck(random, 'accept', ['BI101'], lowRiskRange, highMatchRange)
      : null,
    business_validation: isBusiness
      ? makeIdentityCheck(random, 'accept', ['BI102'], lowRiskRange, highMatchRange)
      : null,
    business_evaluation: isBusiness ? makeIdentityCheck(random, 'accept', [], lowRiskRange) : null,
  }
}

function makeKycValidations({
  type,
  address,
  compliance_profile,
}: Customer): IdentityDetails['kyc']['validations'] {
  const hasAddress = address !== null
  const hasIdentifiers = type === 'individual' && compliance_profile !== null
  return {
    ...{
      first_name: true,
      last_name: true,
      address: hasAddress,
      city: hasAddress,
      state: hasAddress,
      zip: hasAddress,
    },
    ...{ phone: true, dob: hasIdentifiers, ssn: hasIdentifiers, email: true },
  }
}

/** `messages` is empty: the caller adds the text of each code after it has added all codes. */
export function makeCleanIdentity(
  random: Random,
  customer: Customer,
  reviewId: string,
  at: number,
): IdentityDetails {
  return {
    review_id: reviewId,
    decision: 'accept',
    messages: {},
    breakdown: makeIdentityBreakdown(random, customer),
    kyc: {
      decision: 'accept',
      codes: customer.type === 'individual' ? ['I121'] : [],
      validations: makeKycValidations(customer),
    },
    watch_list: { decision: 'accept', codes: [], matched: [], matches: [] },
    network_alerts: { decision: 'accept', codes: [], alerts: [] },
    reputation: {
      decision: 'accept',
      codes: [random.pick(['I1001', 'I1004', 'I1005'])],
      risk_score: pickNumberBetween(random, ...lowRiskRange),
      insights: makeCleanInsights(random, at),
    },
    ...makeTimestamps(at),
  }
}

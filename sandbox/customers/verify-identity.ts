import { assessMove } from '@/sandbox/machine'
import type { Sandbox } from '@/sandbox/sandbox'
import { toIsoTime } from '@/sandbox/store/clock'
import { Random } from '@/sandbox/store/random'
import { newId } from '@/sandbox/store/store'
import { makeCleanIdentity, makeIdentityCheck } from './clean-identity'
import { type CustomerEntry, moveCustomer } from './customer-entry'
import type { IdentityDecision, IdentityDetails } from './customer-review-schema'
import type { Customer } from './customer-schema'
import { customerMachine, toVerificationResult } from './customer-store'
import { type IdentityCode, toMessageByCode } from './identity-codes'
import { makeBadInsights } from './reputation'

/** `draft` is changed in place. `decision` is the result of each check that the problem affects. */
type FindingContext = {
  draft: IdentityDetails
  random: Random
  decision: IdentityDecision
  at: number
}

const dayInMs = 86_400_000
const mediumRiskRange = [0.45, 0.75] as const
const highRiskRange = [0.82, 0.99] as const
const poorMatchRange = [0.05, 0.35] as const
const partialMatchRange = [0.4, 0.69] as const

function addWatchListMatch({ draft, decision, random }: FindingContext): void {
  const watchListName = random.pick([
    'OFAC Specially Designated Nationals',
    'EU Consolidated Financial Sanctions',
    'UN Security Council Consolidated',
  ])
  draft.watch_list = {
    ...{ decision, codes: [], matched: [watchListName] },
    matches: [
      {
        list_name: watchListName,
        urls: ['https://lists.example.com/entries/48213'],
        match_fields: random.chance(0.5) ? ['name', 'dob'] : ['name'],
        correlation: decision === 'reject' ? 'high_confidence' : 'potential_match',
      },
    ],
  }
}

function addMismatch({ draft, decision, random }: FindingContext): void {
  const { kyc, breakdown } = draft
  Object.assign(kyc.validations, {
    last_name: random.chance(0.5),
    address: false,
    zip: false,
    dob: false,
    ssn: false,
  })
  kyc.decision = decision
  kyc.codes = ['R901', 'R1001']
  if (breakdown.address)
    breakdown.address = makeIdentityCheck(
      random,
      decision,
      ['R701'],
      mediumRiskRange,
      partialMatchRange,
    )
}

function addBadReputation({ draft, decision, random, at }: FindingContext): void {
  const insights = makeBadInsights(random, at)
  draft.reputation = {
    decision,
    codes: ['I1005', 'R1006', 'R1010', 'R1012'],
    risk_score: random.int(700, 990) / 1000,
    insights,
  }
  const reportedMonth = toIsoTime(at - random.int(20, 200) * dayInMs).slice(0, 7)
  draft.network_alerts = {
    ...{ decision, codes: ['R1014'] },
    alerts: [
      `Another member reported an unpaid balance in ${reportedMonth}`,
      'The phone number was used in an application that was marked as fraud',
    ],
  }
  draft.breakdown.fraud = makeIdentityCheck(random, decision, ['R1006'], highRiskRange)
}

function addSyntheticIdentity({ draft, decision, random }: FindingContext): void {
  const { kyc, breakdown } = draft
  breakdown.synthetic = makeIdentityCheck(
    random,
    decision,
    [random.pick(['R298', 'R299'])],
    highRiskRange,
  )
  Object.assign(kyc.validations, { first_name: false, dob: false, ssn: false })
  kyc.decision = decision
  kyc.codes = ['R203', 'R901']
}

function addContactRisk({ draft, decision, random }: FindingContext): void {
  const { kyc, breakdown } = draft
  breakdown.email = makeIdentityCheck(
    random,
    decision,
    ['R520', 'R551', 'R1005'],
    highRiskRange,
    poorMatchRange,
  )
  breakdown.phone = makeIdentityCheck(random, decision, ['R1004'], mediumRiskRange, poorMatchRange)
  Object.assign(kyc.validations, { phone: false, email: false })
}

function addRegistrationProblem({ draft, decision, random }: FindingContext): void {
  const { breakdown } = draft
  breakdown.business_identification = makeIdentityCheck(
    random,
    decision,
    ['BR301'],
    highRiskRange,
    poorMatchRange,
  )
  breakdown.business_validation = makeIdentityCheck(
    random,
    decision,
    ['BV201', 'BR302'],
    mediumRiskRange,
    partialMatchRange,
  )
  breakdown.business_evaluation = makeIdentityCheck(random, decision, [], mediumRiskRange)
}

export const addFindingFunctions = {
  watch_list: addWatchListMatch,
  mismatch: addMismatch,
  reputation: addBadReputation,
  synthetic: addSyntheticIdentity,
  contact: addContactRisk,
  registration: addRegistrationProblem,
} as const

type FindingName = keyof typeof addFindingFunctions

export const findingNamesByType: Readonly<
  Record<'individual' | 'business', readonly FindingName[]>
> = {
  individual: ['watch_list', 'mismatch', 'reputation', 'synthetic', 'contact'],
  business: ['watch_list', 'registration', 'reputation', 'contact'],
}

const decisionByResult = { pass: 'accept', flag: 'review', fail: 'reject' } as const

function listIdentityCodes({
  breakdown,
  kyc,
  watch_list,
  network_alerts,
  reputation,
}: IdentityDetails): IdentityCode[] {
  const identityChecks = [...Object.values(breakdown), kyc, watch_list, network_alerts, reputation]
  return [...new Set(identityChecks.flatMap((check) => check?.codes ?? []))] as IdentityCode[]
}

/**
 * Unless the result is `pass`, adds one problem: `findingName`, or by default one chosen by the
 * customer's id. The same arguments always return the same details.
 */
export function verifyIdentity(
  customer: Customer,
  result: 'pass' | 'flag' | 'fail',
  reviewId: string,
  at: number,
  findingName?: FindingName,
): IdentityDetails {
  const random = new Random(Number.parseInt(customer.id.slice(-8), 16))
  const draft = makeCleanIdentity(random, customer, reviewId, at)
  if (result !== 'pass') {
    const decision = decisionByResult[result]
    draft.decision = decision
    addFindingFunctions[findingName ?? random.pick(findingNamesByType[customer.type])]({
      draft,
      random,
      decision,
      at,
    })
  }
  draft.messages = toMessageByCode(listIdentityCodes(draft))
  return draft
}

const verificationDurationMs = 8_000

export function startVerification({ timers }: Sandbox, { n }: CustomerEntry, now: number): void {
  timers.set('customer', n, now + verificationDurationMs)
}

export function stopVerification({ timers }: Sandbox, { n }: CustomerEntry): void {
  timers.clear('customer', n)
}

/** Replaces an earlier verification. Sends an event even if the status stays the same. */
export function finishVerification(sandbox: Sandbox, customerNumber: string, at: number): void {
  const entry = sandbox.customers.at(Number(customerNumber))
  if (!entry) return
  const verificationResult = toVerificationResult(entry.doc.config.sandbox_outcome)
  if (assessMove(customerMachine, verificationResult, entry.doc.status) !== 'moves') return
  sandbox.customers.keepIdentity(
    entry.n,
    verifyIdentity(entry.doc, verificationResult, newId(at), at),
  )
  moveCustomer(sandbox, verificationResult, entry, at)
}

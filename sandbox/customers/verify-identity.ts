import { assessMove } from '@/sandbox/machine'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import { Random } from '@/sandbox/store/random'
import { newId } from '@/sandbox/store/store'
import { cleanIdentity, makeCheck } from './clean-identity'
import { type CustomerEntry, moveCustomer } from './customer-entry'
import type { Decision, IdentityDetails } from './customer-review-schema'
import type { Customer } from './customer-schema'
import { customerMachine, toVerificationResult } from './customer-store'
import { type IdentityCode, toMessages } from './identity-codes'
import { stainedInsights } from './reputation'

/** Input of a finding function. `decision` is the result for the affected checks. The function changes `draft` in place. */
type FindingInput = { draft: IdentityDetails; random: Random; decision: Decision; at: number }

const dayInMs = 86_400_000
const medium = [0.45, 0.75] as const
const high = [0.82, 0.99] as const
const poor = [0.05, 0.35] as const
const partialMatch = [0.4, 0.69] as const

function addWatchListMatch({ draft, decision, random }: FindingInput): void {
  const list = random.pick([
    'OFAC Specially Designated Nationals',
    'EU Consolidated Financial Sanctions',
    'UN Security Council Consolidated',
  ])
  draft.watch_list = {
    ...{ decision, codes: [], matched: [list] },
    matches: [
      {
        list_name: list,
        urls: ['https://lists.example.com/entries/48213'],
        match_fields: random.chance(0.5) ? ['name', 'dob'] : ['name'],
        correlation: decision === 'reject' ? 'high_confidence' : 'potential_match',
      },
    ],
  }
}

function addMismatch({ draft, decision, random }: FindingInput): void {
  const { kyc, breakdown } = draft
  Object.assign(kyc.validations, { last_name: random.chance(0.5), address: false, zip: false, dob: false, ssn: false })
  kyc.decision = decision
  kyc.codes = ['R901', 'R1001']
  if (breakdown.address) breakdown.address = makeCheck(random, decision, ['R701'], medium, partialMatch)
}

function addBadReputation({ draft, decision, random, at }: FindingInput): void {
  const insights = stainedInsights(random, at)
  draft.reputation = { decision, codes: ['I1005', 'R1006', 'R1010', 'R1012'], risk_score: random.int(700, 990) / 1000, insights }
  const month = iso(at - random.int(20, 200) * dayInMs).slice(0, 7)
  draft.network_alerts = {
    ...{ decision, codes: ['R1014'] },
    alerts: [
      `Another member reported an unpaid balance in ${month}`,
      'The phone number was used in an application that was marked as fraud',
    ],
  }
  draft.breakdown.fraud = makeCheck(random, decision, ['R1006'], high)
}

function addSyntheticIdentity({ draft, decision, random }: FindingInput): void {
  const { kyc, breakdown } = draft
  breakdown.synthetic = makeCheck(random, decision, [random.pick(['R298', 'R299'])], high)
  Object.assign(kyc.validations, { first_name: false, dob: false, ssn: false })
  kyc.decision = decision
  kyc.codes = ['R203', 'R901']
}

function addContactRisk({ draft, decision, random }: FindingInput): void {
  const { kyc, breakdown } = draft
  breakdown.email = makeCheck(random, decision, ['R520', 'R551', 'R1005'], high, poor)
  breakdown.phone = makeCheck(random, decision, ['R1004'], medium, poor)
  Object.assign(kyc.validations, { phone: false, email: false })
}

function addRegistrationProblem({ draft, decision, random }: FindingInput): void {
  const { breakdown } = draft
  breakdown.business_identification = makeCheck(random, decision, ['BR301'], high, poor)
  breakdown.business_validation = makeCheck(random, decision, ['BV201', 'BR302'], medium, partialMatch)
  breakdown.business_evaluation = makeCheck(random, decision, [], medium)
}

export const findings = {
  watch_list: addWatchListMatch,
  mismatch: addMismatch,
  reputation: addBadReputation,
  synthetic: addSyntheticIdentity,
  contact: addContactRisk,
  registration: addRegistrationProblem,
} as const

type FindingName = keyof typeof findings

export const findingsByType: Readonly<Record<'individual' | 'business', readonly FindingName[]>> = {
  individual: ['watch_list', 'mismatch', 'reputation', 'synthetic', 'contact'],
  business: ['watch_list', 'registration', 'reputation', 'contact'],
}

const decisions = { pass: 'accept', flag: 'review', fail: 'reject' } as const

function listCodes({ breakdown, kyc, watch_list, network_alerts, reputation }: IdentityDetails): IdentityCode[] {
  const checks = [...Object.values(breakdown), kyc, watch_list, network_alerts, reputation]
  return [...new Set(checks.flatMap((check) => check?.codes ?? []))] as IdentityCode[]
}

/**
 * Returns the findings of a verification that ended as `end`. `findingName` chooses the finding; without it, the customer's id does. The same
 * customer always gets the same findings.
 */
export function verifyIdentity(
  customer: Customer,
  result: 'pass' | 'flag' | 'fail',
  reviewId: string,
  at: number,
  findingName?: FindingName,
): IdentityDetails {
  const random = new Random(Number.parseInt(customer.id.slice(-8), 16))
  const draft = cleanIdentity(random, customer, reviewId, at)
  if (result !== 'pass') {
    const decision = decisions[result]
    draft.decision = decision
    findings[findingName ?? random.pick(findingsByType[customer.type])]({ draft, random, decision, at })
  }
  draft.messages = toMessages(listCodes(draft))
  return draft
}

/** Duration of a background verification in milliseconds. */
const verificationMs = 8_000

export function startVerification({ timers }: Sandbox, { n }: CustomerEntry, now: number): void {
  timers.set('customer', n, now + verificationMs)
}

export function stopVerification({ timers }: Sandbox, { n }: CustomerEntry): void {
  timers.clear('customer', n)
}

/**
 * Ends a background verification with the result that `sandbox_outcome` defines. Replaces earlier findings. Sends an event even if the
 * status stays the same.
 */
export function finishVerification(sandbox: Sandbox, target: string, at: number): void {
  const entry = sandbox.customers.at(Number(target))
  if (!entry) return
  const verificationResult = toVerificationResult(entry.doc.config.sandbox_outcome)
  if (assessMove(customerMachine, verificationResult, entry.doc.status) !== 'moves') return
  sandbox.customers.keepIdentity(entry.n, verifyIdentity(entry.doc, verificationResult, newId(at), at))
  moveCustomer(sandbox, verificationResult, entry, at)
}

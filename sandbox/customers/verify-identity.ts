import { Random } from '@/sandbox/store/random'
import { cleanIdentity } from './clean-identity'
import type { IdentityDetails } from './customer-review-schema'
import type { Customer } from './customer-schema'
import { type IdentityCode, messagesOf } from './identity-codes'
import { type FindingName, findings, findingsOf } from './identity-findings'

const decisions = { pass: 'accept', flag: 'review', fail: 'reject' } as const

function codesOf({ breakdown, kyc, watch_list, network_alerts, reputation }: IdentityDetails): IdentityCode[] {
  const checks = [...Object.values(breakdown), kyc, watch_list, network_alerts, reputation]
  return [...new Set(checks.flatMap((check) => check?.codes ?? []))] as IdentityCode[]
}

/**
 * Returns findings that match the result; the same customer always gets the same evidence. `found` chooses the finding; without it the
 * customer's id does.
 */
export function verifyIdentity(
  customer: Customer,
  end: 'pass' | 'flag' | 'fail',
  reviewId: string,
  at: number,
  found?: FindingName,
): IdentityDetails {
  const random = new Random(Number.parseInt(customer.id.slice(-8), 16))
  const draft = cleanIdentity(random, customer, reviewId, at)
  if (end !== 'pass') {
    const decision = decisions[end]
    draft.decision = decision
    findings[found ?? random.pick(findingsOf[customer.type])]({ draft, random, decision, at })
  }
  draft.messages = messagesOf(codesOf(draft))
  return draft
}

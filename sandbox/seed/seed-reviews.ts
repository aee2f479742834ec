import { verdictOf } from '@/sandbox/customers/customer-machine'
import type { Customer, CustomerStatus } from '@/sandbox/customers/customer-schema'
import { findingsOf } from '@/sandbox/customers/identity-findings'
import { verifyIdentity } from '@/sandbox/customers/verify-identity'
import type { Sandbox } from '@/sandbox/sandbox'
import type { Random } from '@/sandbox/store/random'
import type { SeedTime } from './seed-time'

/** From here on some customers are not verified. Those before are what payments made for a test, and most seeded ones, belong to. */
const firstUnsettled = 300

/** The state of a seeded customer: one in seven of the last hundred waits for a decision, few are in each other state. */
export function seededStatus(index: number): CustomerStatus {
  const place = index - firstUnsettled
  if (place < 0) return 'verified'
  if (place % 7 === 2) return 'review'
  if (place % 17 === 3) return 'rejected'
  if (place % 20 === 5) return 'pending'
  return place % 13 === 1 ? 'inactive' : 'verified'
}

const turns = (['individual', 'business'] as const).flatMap((type) => findingsOf[type].map((found) => ({ type, found })))

/** What somebody in review, or rejected, stumbled over, and as what kind of customer: every finding in turn. Undefined for the others. */
export function seededTurn(index: number): (typeof turns)[number] | undefined {
  const stumbled = ['review', 'rejected'].includes(seededStatus(index))
  return stumbled ? turns[Math.floor((index - firstUnsettled) / 7) % turns.length] : undefined
}

const outcomes = { review: 'review', rejected: 'rejected', pending: 'standard', verified: 'standard', inactive: 'standard' } as const

/** How a seeded customer came to its status: the outcome is kept, so that a repeated verification ends the same. */
export const seededConfig = (status: CustomerStatus): Customer['config'] => ({
  sandbox_outcome: outcomes[status],
  processing_method: status === 'pending' ? 'background' : 'inline',
})

/** Writes what the verification of a seeded customer found. None has run for a pending one. */
export function seedReview({ customers }: Sandbox, random: Random, time: SeedTime, n: number, customer: Customer, index: number): void {
  if (customer.status === 'pending') return
  const at = Date.parse(customer.created_at)
  const end = verdictOf(customer.config.sandbox_outcome)
  customers.keepIdentity(n, verifyIdentity(customer, end, time.id(random, at), at, seededTurn(index)?.found))
}

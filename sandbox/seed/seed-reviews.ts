import { verdictOf } from '@/sandbox/customers/customer-machine'
import type { Customer, CustomerStatus } from '@/sandbox/customers/customer-schema'
import { findingsOf } from '@/sandbox/customers/identity-findings'
import { verifyIdentity } from '@/sandbox/customers/verify-identity'
import type { Sandbox } from '@/sandbox/sandbox'
import type { Random } from '@/sandbox/store/random'
import type { SeedTime } from './seed-time'

/** First customer that may be unverified. Test payments and most seeded ones belong to earlier customers. */
const firstUnsettled = 300

/** Returns the status of a seeded customer: one in seven of the last hundred is in review, a few have each other status. */
export function seededStatus(index: number): CustomerStatus {
  const offset = index - firstUnsettled
  if (offset < 0) return 'verified'
  if (offset % 7 === 2) return 'review'
  if (offset % 17 === 3) return 'rejected'
  if (offset % 20 === 5) return 'pending'
  return offset % 13 === 1 ? 'inactive' : 'verified'
}

const turns = (['individual', 'business'] as const).flatMap((type) => findingsOf[type].map((found) => ({ type, found })))

/** Returns finding and type of a customer in review or rejected, each finding in turn. Undefined for other customers. */
export function seededTurn(index: number): (typeof turns)[number] | undefined {
  const stumbled = ['review', 'rejected'].includes(seededStatus(index))
  return stumbled ? turns[Math.floor((index - firstUnsettled) / 7) % turns.length] : undefined
}

const outcomes = { review: 'review', rejected: 'rejected', pending: 'standard', verified: 'standard', inactive: 'standard' } as const

/** Returns the configuration behind a seeded status. The outcome is stored, so that a repeated verification has the same result. */
export const seededConfig = (status: CustomerStatus): Customer['config'] => ({
  sandbox_outcome: outcomes[status],
  processing_method: status === 'pending' ? 'background' : 'inline',
})

/** Writes the verification of a seeded customer; a pending one has none. */
export function seedReview({ customers }: Sandbox, random: Random, time: SeedTime, n: number, customer: Customer, index: number): void {
  if (customer.status === 'pending') return
  const at = Date.parse(customer.created_at)
  const end = verdictOf(customer.config.sandbox_outcome)
  customers.keepIdentity(n, verifyIdentity(customer, end, time.id(random, at), at, seededTurn(index)?.found))
}

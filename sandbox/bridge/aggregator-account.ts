import { createHash } from 'node:crypto'
import type { BankDetails } from '@/sandbox/paykeys/build-paykey'
import { banks } from '@/sandbox/seed/names'
import { Random } from '@/sandbox/store/random'

/**
 * Returns the bank account behind an aggregator's token. No aggregator is called: any token is accepted. The same token always returns the
 * same account, so that a test can link it twice or block it.
 */
export function accountBehind(token: string): BankDetails {
  const random = new Random(createHash('sha256').update(token).digest().readUInt32BE())
  const { routing } = random.pick(banks)
  return {
    routing_number: routing,
    account_number: String(random.int(100_000_000, 999_999_999)),
    account_type: random.chance(0.8) ? 'checking' : 'savings',
  }
}

import { createHash } from 'node:crypto'
import type { BankDetails } from '@/sandbox/paykeys/build-paykey'
import type { PaykeyConfig } from '@/sandbox/paykeys/paykey-schema'
import { Random } from '@/sandbox/store/random'
import type { BridgeClaims } from './bridge-token'

/** The accounts of every customer at every simulated bank. */
export const testAccountKinds = ['checking', 'savings', 'shared', 'stranger'] as const

export type TestAccountKind = (typeof testAccountKinds)[number]

/** Labels of a test account; `outcome` is the result of its verification. */
type TestAccount = {
  account_type: BankDetails['account_type']
  outcome: PaykeyConfig['sandbox_outcome']
  name: string
  holder: string
}

export const testAccounts: Readonly<Record<TestAccountKind, TestAccount>> = {
  checking: { account_type: 'checking', outcome: 'standard', name: 'Checking', holder: 'In your name' },
  savings: { account_type: 'savings', outcome: 'standard', name: 'Savings', holder: 'In your name' },
  shared: { account_type: 'checking', outcome: 'review', name: 'Family checking', holder: 'In a relative’s name. Will go to review.' },
  stranger: { account_type: 'savings', outcome: 'rejected', name: 'Company savings', holder: 'In a stranger’s name. Will be rejected.' },
}

/**
 * Returns the kinds a token offers. If the token forces the outcome, or in production, kinds with an outcome of their own are excluded:
 * their labels would be wrong.
 */
export function offeredKinds({ environment, sandbox_outcome, processing_method }: BridgeClaims): readonly TestAccountKind[] {
  const free = environment === 'sandbox' && sandbox_outcome === 'standard' && processing_method !== 'skip'
  return testAccountKinds.filter((kind) => free || testAccounts[kind].outcome === 'standard')
}

/**
 * Returns a customer's account at a simulated bank. The same arguments always return the same number, so that it can be linked twice or
 * blocked.
 */
export function testAccountOf(customerId: string, routingNumber: string, kind: TestAccountKind): BankDetails {
  const digest = createHash('sha256').update(`${customerId} ${routingNumber} ${kind}`).digest()
  const account_number = new Random(digest.readUInt32BE()).digits(10)
  return { routing_number: routingNumber, account_number, account_type: testAccounts[kind].account_type }
}

import { createHash } from 'node:crypto'
import type { BankDetails } from '@/sandbox/paykeys/build-paykey'
import type { PaykeyConfig } from '@/sandbox/paykeys/paykey-schema'
import { Random } from '@/sandbox/store/random'
import type { BridgeClaims } from './bridge-token'

/** The accounts that every imitated bank has for every customer. */
export const testAccountKinds = ['checking', 'savings', 'shared', 'stranger'] as const

/** One of them. */
export type TestAccountKind = (typeof testAccountKinds)[number]

/** What such an account is called, and in words what becomes of a paykey on it; `outcome` is what its verification ends in. */
type TestAccount = {
  account_type: BankDetails['account_type']
  outcome: PaykeyConfig['sandbox_outcome']
  name: string
  holder: string
}

/** The kinds, described to whoever chooses one. */
export const testAccounts: Readonly<Record<TestAccountKind, TestAccount>> = {
  checking: { account_type: 'checking', outcome: 'standard', name: 'Checking', holder: 'In your name' },
  savings: { account_type: 'savings', outcome: 'standard', name: 'Savings', holder: 'In your name' },
  shared: { account_type: 'checking', outcome: 'review', name: 'Family checking', holder: 'In a relative’s name. Will go to review.' },
  stranger: { account_type: 'savings', outcome: 'rejected', name: 'Company savings', holder: 'In a stranger’s name. Will be rejected.' },
}

/**
 * The kinds a token lets choose from. Where the token itself says how every verification ends, or production decides by evidence alone, those
 * that promise an end of their own would be a lie and are left out.
 */
export function offeredKinds({ environment, sandbox_outcome, processing_method }: BridgeClaims): readonly TestAccountKind[] {
  const free = environment === 'sandbox' && sandbox_outcome === 'standard' && processing_method !== 'skip'
  return testAccountKinds.filter((kind) => free || testAccounts[kind].outcome === 'standard')
}

/** A customer's account at an imitated bank. The same three always give the same number, so that it can be linked twice or blocked. */
export function testAccountOf(customerId: string, routingNumber: string, kind: TestAccountKind): BankDetails {
  const digest = createHash('sha256').update(`${customerId} ${routingNumber} ${kind}`).digest()
  const account_number = new Random(digest.readUInt32BE()).digits(10)
  return { routing_number: routingNumber, account_number, account_type: testAccounts[kind].account_type }
}

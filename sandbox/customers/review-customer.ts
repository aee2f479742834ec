import { judge } from '@/sandbox/machine'
import type { Sandbox } from '@/sandbox/sandbox'
import { newId } from '@/sandbox/store/new-id'
import { type CustomerEntry, moveCustomer } from './customer-entry'
import { customerMachine, verdictOf } from './customer-machine'
import { verifyIdentity } from './verify-identity'

/** How long a verification takes that is not done in the answer. */
const verificationMs = 8_000

/** Starts a verification in the background, or starts the running one over. Must run inside the transaction of what asks for it. */
export function startVerification({ timers }: Sandbox, { n }: CustomerEntry, now: number): void {
  timers.set('customer', n, now + verificationMs)
}

/** Ends a running verification without a result: somebody decided meanwhile, or there is nobody to verify any more. */
export function stopVerification({ timers }: Sandbox, { n }: CustomerEntry): void {
  timers.clear('customer', n)
}

/**
 * What a verification in the background ends with, by the customer's `sandbox_outcome`. Its findings take the place of earlier ones; an event
 * announces it even when the status stays.
 */
export function reviewCustomer(sandbox: Sandbox, target: string, at: number): void {
  const found = sandbox.customers.at(Number(target))
  if (!found || found.account === null) return
  const entry = { ...found, account: found.account }
  const end = verdictOf(entry.doc.config.sandbox_outcome)
  if (judge(customerMachine, end, entry.doc.status) !== 'moves') return
  sandbox.customers.keepIdentity(entry.n, verifyIdentity(entry.doc, end, newId(at), at))
  moveCustomer(sandbox, end, entry, at)
}

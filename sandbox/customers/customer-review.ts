import { judge } from '@/sandbox/machine'
import type { Sandbox } from '@/sandbox/sandbox'
import { newId } from '@/sandbox/store/store'
import { type CustomerEntry, moveCustomer } from './customer-entry'
import { customerMachine, verdictOf } from './customer-store'
import { verifyIdentity } from './verify-identity'

/** Milliseconds of a background verification. */
const verificationMs = 8_000

/** Starts a background verification, or restarts the running one. Must run inside the caller's transaction. */
export function startVerification({ timers }: Sandbox, { n }: CustomerEntry, now: number): void {
  timers.set('customer', n, now + verificationMs)
}

/** Cancels a running verification, after a manual decision or a deletion. */
export function stopVerification({ timers }: Sandbox, { n }: CustomerEntry): void {
  timers.clear('customer', n)
}

/**
 * Completes a background verification with the customer's `sandbox_outcome`. Its findings replace earlier ones. An event is sent even if
 * the status stays the same.
 */
export function reviewCustomer(sandbox: Sandbox, target: string, at: number): void {
  const entry = sandbox.customers.at(Number(target))
  if (!entry) return
  const end = verdictOf(entry.doc.config.sandbox_outcome)
  if (judge(customerMachine, end, entry.doc.status) !== 'moves') return
  sandbox.customers.keepIdentity(entry.n, verifyIdentity(entry.doc, end, newId(at), at))
  moveCustomer(sandbox, end, entry, at)
}

import { judge, requireMove } from '@/sandbox/machine'
import { type Operation, objectOperation } from '@/sandbox/operation'
import type { Sandbox } from '@/sandbox/sandbox'
import { newId } from '@/sandbox/store/store'
import { decisionBody } from './customer-bodies'
import { type CustomerEntry, findCustomer, journalCustomer, moveCustomer } from './customer-entry'
import { customerReviewSchema } from './customer-review-schema'
import { customerSchema } from './customer-schema'
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
  const found = sandbox.customers.at(Number(target))
  if (!found || found.account === null) return
  const entry = { ...found, account: found.account }
  const end = verdictOf(entry.doc.config.sandbox_outcome)
  if (judge(customerMachine, end, entry.doc.status) !== 'moves') return
  sandbox.customers.keepIdentity(entry.n, verifyIdentity(entry.doc, end, newId(at), at))
  moveCustomer(sandbox, end, entry, at)
}

export const customerReviewOperations: readonly Operation[] = [
  objectOperation({
    id: 'customers.review',
    method: 'GET',
    path: '/v1/customers/:id/review',
    summary: 'Look up what the verification of a customer found',
    account: 'optional',
    output: customerReviewSchema,
    handle: (call) => {
      const { n, doc } = findCustomer(call)
      return { customer_details: doc, identity_details: call.sandbox.customers.identityOf(n) }
    },
  }),
  objectOperation({
    id: 'customers.decide',
    method: 'PATCH',
    path: '/v1/customers/:id/review',
    summary: 'Decide on a customer in review',
    account: 'optional',
    input: decisionBody,
    output: customerSchema,
    handle: (call) => {
      const { sandbox, input, now } = call
      const entry = findCustomer(call)
      const move = `decide_${input.status}` as const
      requireMove(customerMachine, move, entry.doc.status)
      stopVerification(sandbox, entry)
      const { doc } = moveCustomer(sandbox, move, entry, now)
      journalCustomer(call, entry, entry.doc.status, doc.status)
      return doc
    },
  }),
  objectOperation({
    id: 'customers.refresh_review',
    method: 'PUT',
    path: '/v1/customers/:id/refresh_review',
    summary: 'Re-verify a customer in the background',
    account: 'optional',
    status: 202,
    output: customerSchema,
    handle: (call) => {
      const { sandbox, now } = call
      const entry = findCustomer(call)
      requireMove(customerMachine, 'refresh', entry.doc.status)
      startVerification(sandbox, entry, now)
      const { doc } = moveCustomer(sandbox, 'refresh', entry, now)
      journalCustomer(call, entry, entry.doc.status, doc.status)
      return doc
    },
  }),
]

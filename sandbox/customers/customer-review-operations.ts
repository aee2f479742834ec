import { requireMove } from '@/sandbox/machine'
import { type Operation, objectOperation } from '@/sandbox/operation'
import { decisionBody } from './customer-bodies'
import { findCustomer, journalCustomer, moveCustomer } from './customer-entry'
import { customerMachine } from './customer-machine'
import { customerReviewSchema } from './customer-review-schema'
import { customerSchema } from './customer-schema'
import { startVerification, stopVerification } from './review-customer'

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

import { requireMove } from '@/sandbox/machine'
import { objectOperation } from '@/sandbox/operation'
import { cancelPaykeysOf } from '@/sandbox/paykeys/cancel-paykeys'
import { announceCustomer, findCustomer, journalCustomer } from './customer-entry'
import { customerMachine } from './customer-machine'
import { customerSchema } from './customer-schema'
import { forgetPerson } from './forget-person'
import { stopVerification } from './review-customer'

/**
 * Permanently deletes a customer: the record, the unmasked values, the verification, and the personal data in stored events and responses
 * about it and its payments. Its paykeys are cancelled; its payments stay and keep the id. Only this response (and its replay under the
 * same idempotency key) contains the customer, masked, as it was.
 */
export const deleteCustomer = objectOperation({
  id: 'customers.delete',
  method: 'DELETE',
  path: '/v1/customers/:id',
  summary: 'Permanently delete a customer',
  account: 'optional',
  output: customerSchema,
  handle: (call) => {
    const { sandbox, now } = call
    const entry = findCustomer(call)
    requireMove(customerMachine, 'delete', entry.doc.status)
    cancelPaykeysOf(sandbox, entry.doc.id, now)
    stopVerification(sandbox, entry)
    sandbox.customers.remove(entry.n)
    sandbox.decisions.tell({ about: 'customer', number: entry.n, status: 'deleted', at: now })
    announceCustomer(sandbox, entry, now)
    forgetPerson(sandbox, entry)
    journalCustomer(call, entry, entry.doc.status, 'deleted')
    return entry.doc
  },
})
